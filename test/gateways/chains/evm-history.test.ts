import { expect, test } from 'vitest';
import { TRANSFER_TOPIC } from '../../../src/gateways/chains/evm/encoding.ts';
import { EvmHistory } from '../../../src/gateways/chains/evm/history.ts';
import type { Block, EvmProviders } from '../../../src/gateways/chains/evm/providers.ts';
import { NETWORK, SIGNER, tokensOf, USD } from './contract/evm-node-of.ts';

const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const ESCROW = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const COLLECTOR = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const ID = `0x${'ab'.repeat(32)}`;

const word = (value: string | bigint): string =>
  `0x${(typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, '0')}`; // prettier-ignore

const moved = (from: string, to: string, lots: bigint): object => ({
  address: TOKEN,
  topics: [TRANSFER_TOPIC, word(from), word(to)],
  data: word(lots),
});

/** A history of one transaction with such logs; `tags` are what nodes say of the finalized block. */
function historyOf(logs: readonly object[], tags: (number | undefined)[] = [9]): EvmHistory {
  const block = (number: number): Block => ({ number, hash: `0x${number}`, timestamp: 1 });
  const providers: Pick<EvmProviders, 'block' | 'each'> = {
    block: async (tag) => {
      if (tag === 'latest') return Promise.resolve(block(9));
      if (tag !== 'finalized') return Promise.resolve(block(Number(tag)));
      const last = tags.length > 1 ? tags.shift() : tags[0];
      return Promise.resolve(last === undefined ? undefined : block(last));
    },
    each: async () =>
      Promise.resolve([
        { transactionHash: ID, blockNumber: '0x5', blockHash: '0x5', status: '0x1', gasUsed: '0x1', effectiveGasPrice: '0x1', logs }, // prettier-ignore
      ]),
  };
  const [coin, usd] = tokensOf({ token: TOKEN, permit2: TOKEN });
  const options = { network: NETWORK, tokens: [coin, usd], coin: coin.id, finality: 'finalized' } as const; // prettier-ignore
  return new EvmHistory(options, providers as EvmProviders);
}

const SENT = { id: ID, raw: '0x', uses: 'nonce 0', feeLots: 1n };
const { address: OWNER } = SIGNER;

test.each([
  ['alone', [moved(OWNER, ESCROW, 100n)], 100n],
  ['behind a fee of the token', [moved(OWNER, COLLECTOR, 1n), moved(OWNER, ESCROW, 99n)], 99n],
  [
    'before one that its receiver pays',
    [moved(OWNER, ESCROW, 100n), moved(ESCROW, COLLECTOR, 1n)],
    99n,
  ],
  ['in two parts', [moved(OWNER, ESCROW, 60n), moved(OWNER, ESCROW, 40n)], 100n],
])(
  'what arrived by a transfer that its token logs %s is what the receiver has of it',
  async (_, logs, lots) => {
    const outcome = await historyOf(logs).outcome([SENT], 0);
    expect(outcome).toMatchObject({ kind: 'made', transaction: { token: USD, to: ESCROW, lots } });
  },
);

test('nodes that no longer say their finalized block are waited for, and a chain without one counts confirmations', async () => {
  const fell = historyOf([moved(OWNER, ESCROW, 1n)], [4, undefined]);
  expect(await fell.outcome([SENT], 0)).toMatchObject({ kind: 'made', isFinal: false });
  await expect(fell.outcome([SENT], 0)).rejects.toMatchObject({ code: 'service-unavailable' });
  const never = historyOf([moved(OWNER, ESCROW, 1n)], [undefined]);
  expect(await never.outcome([SENT], 0)).toMatchObject({ kind: 'made', isFinal: true });
});
