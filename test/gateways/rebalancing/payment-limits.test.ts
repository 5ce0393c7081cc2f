import { expect, onTestFinished, test } from 'vitest';
import type { ChainNode } from '../../../src/gateways/chains/node.ts';
import { CheckedNode } from '../../../src/gateways/chains/checked-node.ts';
import { ChainPayer } from '../../../src/gateways/rebalancing/payments/chain-payer.ts';
import type { PaymentTerms } from '../../../src/gateways/rebalancing/payments/payment.ts';
import { isRejection, type Rejection } from '../../../src/model/rejections.ts';
import { amountOf, lotsOf } from '../../../src/swaps/tokens.ts';
import { bitcoinHarness } from '../chains/contract/bitcoin.ts';
import { NETWORK as BITCOIN, SIGNER as BITCOIN_SIGNER, TOKEN } from '../chains/contract/bitcoin-node-of.ts'; // prettier-ignore
import type { ChainUnderTest } from '../chains/contract/harness.ts';
import { startSolana } from '../chains/contract/solana.ts';
import { COIN, NETWORK as SOLANA, SIGNER as SOLANA_SIGNER, USD } from '../chains/contract/solana-node-of.ts'; // prettier-ignore
import { granted } from '../../swaps/chains/harness.ts';
import { d } from '../trading/kit/values.ts';

const RENT = 890_880n;

/** A wallet of the ledger that holds so many lamports, and what it pays with; nobody else has it. */
async function openSolana(lamports: bigint, token = COIN) {
  const chain = await startSolana();
  onTestFinished(chain.close);
  const { ledger, owner } = chain;
  const account = ledger.head.accounts.get(owner.address);
  if (account === undefined) throw new Error('it has been given some');
  ledger.set(owner.address, { ...account, lamports });
  const node = chain.open();
  const [terms] = (await node.tokens()).filter(({ id }) => id === token);
  if (terms === undefined) throw new Error('there are both');
  const payer = new ChainPayer(node, { network: SOLANA, token: terms, signer: SOLANA_SIGNER });
  return { chain, node, payer };
}

async function openBitcoin() {
  const chain = await bitcoinHarness.start();
  onTestFinished(async () => chain.close());
  const node = chain.open();
  const payer = new ChainPayer(node, { network: BITCOIN, token: TOKEN, signer: BITCOIN_SIGNER });
  return { chain, node, payer };
}

/** Pays what arrives by the terms, to the end; gives what is left in the wallet. */
async function paid(
  { network, token: _, owner, other, ...chain }: ChainUnderTest,
  node: ChainNode,
  { arrives }: PaymentTerms,
  { token, decimals }: { readonly token: number; readonly decimals: number },
): Promise<bigint> {
  const lots = lotsOf(arrives, decimals) ?? 0n;
  const order = { network, token, from: owner.address, to: other, lots, nonce: 'all of it' };
  const made = granted(await node.prepare(order, owner.sign));
  granted(await node.send(network, made.raw));
  await chain.finalize();
  expect(await node.outcome(network, [made])).toMatchObject({ kind: 'made', isFinal: true });
  return chain.held(token, owner.address);
}

const agreed = (given: PaymentTerms | Rejection): PaymentTerms => {
  if (isRejection(given)) throw new Error(given.message);
  return given;
};

test('of all lamports of a wallet the rent minimum stays, and what was set aside for a dearer fee', async () => {
  const { chain, node, payer } = await openSolana(50_000_000n);
  const terms = agreed(await payer.terms(d('0.05')));
  expect(terms.leaves).toEqual(amountOf(50_000_000n - RENT, 9));
  expect(terms.networkFee).toMatchObject({ expected: d('0.000005'), most: d('0.00001') });
  expect(terms.arrives).toEqual(amountOf(50_000_000n - RENT - 10_000n, 9));
  expect(await paid(chain, node, terms, { token: COIN, decimals: 9 })).toBe(RENT + 5_000n);
  // Nothing is trimmed where enough stays in any case.
  const part = agreed(await (await openSolana(50_000_000n)).payer.terms(d('0.01')));
  expect(part.leaves).toEqual(d('0.01'));
});

test('lamports that would open no account are refused with the least that would', async () => {
  const { payer } = await openSolana(50_000_000n);
  expect(await payer.terms(d('0.0009'))).toEqual({
    code: 'amount-below-minimum',
    field: 'amount',
    message: '0.00089 SOL would arrive on solana, which takes no payment below 0.00089088.',
    limit: '0.00090088',
  });
  expect(agreed(await payer.terms(d('0.00090088'))).arrives).toEqual(d('0.00089088'));
});

test('tokens are refused before anything is signed where the wallet could not keep its rent minimum', async () => {
  const fee = 2n * (5_000n + 0n) + 2_282_880n;
  const short = await openSolana(RENT + fee - 1n, USD);
  expect(await short.payer.terms(d('1'))).toMatchObject({
    code: 'funds-insufficient',
    field: 'fee',
    message: expect.stringContaining('0.00089088 of which must stay, and a transfer may cost 0.00229288 SOL') as string, // prettier-ignore
  });
  const { chain, node, payer } = await openSolana(RENT + fee, USD);
  const terms = agreed(await payer.terms(d('1')));
  expect(terms.networkFee).toMatchObject({ held: amountOf(fee, 9), isIncluded: false });
  await paid(chain, node, terms, { token: USD, decimals: 6 });
  expect(await chain.held(COIN, chain.owner.address)).toBeGreaterThanOrEqual(RENT);
  expect(await chain.held(USD, chain.other)).toBe(1_000_000n);
});

test('bitcoins that are dust at some address are refused, and all of them leave room for a replacement', async () => {
  const { chain, node, payer } = await openBitcoin();
  const { owner, token } = chain;
  const lots = await node.balance(token, owner.address);
  const small = await payer.terms(d('0.01'));
  const { networkFee } = agreed(small);
  const dust = networkFee?.most.plus('0.00000545') ?? d('0');
  expect(await payer.terms(dust)).toMatchObject({
    code: 'amount-below-minimum',
    limit: dust.plus('0.00000001').toFixed(),
  });
  const terms = agreed(await payer.terms(amountOf(lots, 8)));
  expect(terms.leaves).toEqual(amountOf(lots, 8));
  const left = await paid(chain, node, terms, { token, decimals: 8 });
  expect(left).toBeGreaterThan(0n);
  expect(left).toBeLessThanOrEqual(lotsOf(networkFee?.most ?? d('0'), 8) ?? 0n);
});

test('a module that says no limits has none, and one that says nonsense is not believed', async () => {
  const { node } = await openBitcoin();
  const plain = Object.assign(Object.create(node) as ChainNode, { limits: undefined });
  expect(await new CheckedNode('own.ts', plain).limits(TOKEN.id)).toEqual({ least: 1n, reserve: 0n }); // prettier-ignore
  const limits = async () => Promise.resolve({ least: 1, reserve: 0n });
  const wrong = Object.assign(Object.create(node) as ChainNode, { limits });
  const asked = new CheckedNode('own.ts', wrong).limits(TOKEN.id);
  await expect(asked).rejects.toMatchObject({ code: 'answer-invalid' });
});
