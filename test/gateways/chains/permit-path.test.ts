import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { ChainNode, PreparedTransaction } from '../../../src/gateways/chains/node.ts';
import { candidatesIn } from '../../../src/gateways/rebalancing/payments/candidates.ts';
import {
  observePermit,
  permit,
  permitStep,
  preparePermit,
  recallPermit,
} from '../../../src/gateways/rebalancing/swap/permit.ts';
import type { SwapWallet } from '../../../src/gateways/rebalancing/swap/wallet.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import type {
  TransferData,
  TransferRecord,
  Step,
} from '../../../src/swaps/execution/transfer-route.ts';
import { granted } from '../../swaps/chains/harness.ts';
import { ANVIL } from './anvil.ts';
import { NETWORK, SIGNER, tokensOf, USD } from './contract/evm-node-of.ts';
import { startEvm, type EvmChain } from './contract/evm.ts';
import { MOMENTS, run } from './contract/kills.ts';
import { freshFolder } from './contract/suite.ts';

const OWNER = SIGNER.address;
const LOTS = 5_000_000n;

let chain: EvmChain;

/** A move that needs the approval, led as the executor leads it: a step is kept before it is done. */
class Led {
  data: TransferData = {};
  step: Step | undefined;
  state = 'created';
  reason: string | undefined;
  readonly #wallet: SwapWallet;

  constructor(node: ChainNode) {
    const [, token] = tokensOf(chain.contracts);
    const holding = { asset: token.asset, location: NETWORK.code };
    this.#wallet = { holding, network: NETWORK, token, signer: SIGNER, node };
  }

  get candidates(): readonly PreparedTransaction[] {
    return candidatesIn(this.data, 'permitCandidates');
  }

  get stands(): unknown {
    return this.state === 'created' ? this.data['permit'] : this.state;
  }

  /** One turn; gives what it did, or the code of what was thrown. */
  async turn(): Promise<string> {
    const transfer = { id: 'm', state: 'created', send: decimal('5'), data: { intent: 'i', permit: 'missing', ...this.data } } as unknown as TransferRecord; // prettier-ignore
    const isSent = this.data['permit'] === 'sent';
    const recalled = this.step;
    if (recalled === undefined && !isSent) this.step = permitStep(transfer, this.#wallet);
    const did = recalled !== undefined ? 'recall' : (this.step?.name ?? 'observe');
    try {
      const change = await this.#change(did, transfer);
      this.step = undefined;
      if (change === undefined || change === 'undone') return `${did}: ${change ?? 'waits'}`;
      this.data = { ...this.data, ...change.data };
      this.state = change.state;
      this.reason = change.reason;
      return did;
    } catch (error) {
      if (error instanceof MillraceError) return `${did}: ${error.code}`;
      throw error;
    }
  }

  async #change(did: string, transfer: TransferRecord) {
    if (did === 'observe') return observePermit(transfer, this.#wallet);
    const { step } = this;
    if (step === undefined) throw new Error('there is no step');
    if (did !== 'recall') return (did === 'permit' ? permit : preparePermit)(transfer, this.#wallet, step); // prettier-ignore
    return step.name === 'permit' ? recallPermit(transfer, this.#wallet) : 'undone';
  }

  /** Turns while blocks are mined, until it has ended; gives all that was done. */
  async ended(): Promise<readonly string[]> {
    const turns: string[] = [];
    while (this.stands !== 'given' && this.state === 'created') {
      turns.push(await this.turn());
      await chain.finalize();
      if (turns.length > 30) throw new Error(`it does not end: ${turns.slice(-4).join('; ')}`);
    }
    return turns;
  }
}

const approvals = async (): Promise<number> =>
  Number(await chain.anvil.rpc('eth_getTransactionCount', OWNER, 'latest'));

/** Lets permit2 take so much beforehand, which the token then changes by way of 0 alone. */
async function allowedBefore(lots: bigint): Promise<void> {
  const node = chain.openEvm();
  const order = { network: NETWORK.code, token: USD, owner: OWNER, lots, nonce: 'before' };
  const made = granted(await node.prepare(order, async (digest) => chain.owner.sign(digest)));
  granted(await node.send(NETWORK.code, made.raw));
  await chain.finalize();
  await node.close();
}

const setBaseFee = async (wei: bigint): Promise<unknown> =>
  chain.anvil.rpc('anvil_setNextBlockBaseFeePerGas', `0x${wei.toString(16)}`);

describe.skipIf(ANVIL === undefined)('an approval of permit2', () => {
  beforeEach(async () => {
    chain = await startEvm();
    return async () => chain.close();
  });

  test.each([0n, 3n])(
    'is given once by a process that is killed around any write and any send, where %s was allowed before',
    { timeout: 120_000 },
    async (before) => {
      let lots = LOTS;
      for (const moment of MOMENTS) {
        if (before > 0n) await allowedBefore(0n).then(async () => allowedBefore(before));
        const already = await approvals();
        // With an allowance before, the later moments are those of the second round.
        const killAt = before > 0n && moment % 2 === 0 ? moment + 10 : moment;
        lots += 1n;
        const errand = { ...chain.payer, job: 'permit', folder: freshFolder(), to: chain.other, lots: `${lots}`, id: `p/${moment}` } as const; // prettier-ignore
        expect(await run(chain, { ...errand, killAt })).toBe('SIGKILL');
        expect(await run(chain, { ...errand, killAt: 0 })).toMatch(/^0: given/);
        expect(await chain.allowed?.(OWNER)).toBe(lots);
        expect(await approvals()).toBe(already + (before > 0n ? 2 : 1));
        await allowedBefore(0n);
      }
    },
  );

  test.each(['lose answer', 'lose request', 'hang', '429', 'html', 'half'] as const)(
    'is given by the same bytes where a send meets "%s", and nothing else is signed',
    async (fault) => {
      const led = new Led(chain.open({ timeoutUs: 500_000 }));
      chain.proxy.fault('eth_sendRawTransaction', fault);
      const turns = await led.ended();
      expect(turns).toContain('permit: outcome-unknown');
      expect(led.candidates).toHaveLength(1);
      expect(await chain.allowed?.(OWNER)).toBe(LOTS);
      expect(await approvals()).toBe(1 + 1);
    },
  );

  test.each(['hang', 'lose answer', 'html'] as const)(
    'is given once where every read of a while meets "%s"',
    async (fault) => {
      const led = new Led(chain.open({ timeoutUs: 200_000 }));
      for (let turn = 0; turn < 4 && led.stands !== 'given'; turn += 1) {
        chain.proxy.fault(/^eth_(?!sendRaw)/, fault, 3);
        await led.turn();
        await chain.proxy.heal();
        await chain.mine();
      }
      await led.ended();
      expect(await chain.allowed?.(OWNER)).toBe(LOTS);
      expect(await approvals()).toBe(1 + 1);
    },
  );

  test('is not believed of one node alone where the other lags', async () => {
    const other = await chain.proxy.second();
    onTestFinished(async () => other.close());
    const led = new Led(chain.openEvm({ urls: [chain.proxy.url, other.url] }));
    // What the frozen one answers, it was asked before.
    expect(await led.turn()).toBe('preparePermit');
    expect(await led.turn()).toBe('permit');
    expect(await led.turn()).toBe('observe: waits');
    other.freeze();
    await chain.finalize();
    for (let turn = 0; turn < 3; turn += 1) await led.turn();
    expect(led.stands).toBe('sent');
    await other.heal();
    await led.ended();
    expect(led.candidates).toHaveLength(1);
    expect(await chain.allowed?.(OWNER)).toBe(LOTS);
  });

  test('is not taken back where its block comes between two reads of one turn', async () => {
    const node = chain.openEvm();
    const led = new Led(node);
    expect([await led.turn(), await led.turn()]).toEqual(['preparePermit', 'permit']);
    const allowance = node.allowance.bind(node);
    let reads = 0;
    node.allowance = async (...asked) => {
      const found = await allowance(...asked);
      reads += 1;
      if (reads === 1) await chain.finalize();
      return found;
    };
    expect(await led.turn()).toBe('observe');
    expect([led.stands, reads]).toEqual(['given', 2]);
    expect(led.candidates).toHaveLength(1);
  });

  test('goes on where the one that was to be replaced is mined before its successor is sent', async () => {
    await allowedBefore(3n);
    const led = new Led(chain.openEvm());
    expect([await led.turn(), await led.turn()]).toEqual(['preparePermit', 'permit']);
    await chain.anvil.rpc('anvil_dropAllTransactions');
    const [first] = led.candidates;
    await setBaseFee(50n * 10n ** 9n);
    await chain.mine();
    expect(await led.turn()).toBe('observe');
    expect(await led.turn()).toBe('preparePermit');
    expect(led.candidates).toHaveLength(2);
    // Fees fall, and somebody else still had the first.
    await setBaseFee(10n ** 9n);
    await chain.mine();
    await chain.anvil.rpc('eth_sendRawTransaction', first?.raw);
    await chain.finalize();
    const turns = await led.ended();
    expect(turns.slice(0, 2)).toEqual(['permit: outcome-unknown', 'recall']);
    expect(await chain.allowed?.(OWNER)).toBe(LOTS);
  });

  test('is sent again by the bytes of its last candidate where nodes have forgotten all of them', async () => {
    const led = new Led(chain.openEvm());
    expect([await led.turn(), await led.turn()]).toEqual(['preparePermit', 'permit']);
    await chain.raiseFees?.();
    expect(await led.turn()).toBe('observe');
    expect([await led.turn(), await led.turn()]).toEqual(['preparePermit', 'permit']);
    await chain.drop?.();
    expect(await led.turn()).toBe('observe: waits');
    await led.ended();
    expect(led.candidates).toHaveLength(2);
    expect(await chain.hasMined(led.candidates[1]?.id ?? '')).toBe(true);
  });
});
