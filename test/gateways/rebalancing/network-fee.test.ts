import { expect, onTestFinished, test } from 'vitest';
import { SimulatedNode } from '../../../src/gateways/chains/simulated-node.ts';
import { WalletRoute, type TokenWallet } from '../../../src/gateways/rebalancing/wallet-route.ts';
import { micros } from '../../../src/platform/time.ts';
import { mountChains } from '../../../src/server/chains/mount.ts';
import { realCost } from '../../../src/swaps/execution/acceptance.ts';
import { costOf } from '../../../src/swaps/execution/plan.ts';
import { openVenue } from '../../server/kit.ts';
import { granted, STARTED, USDC_ETHEREUM, WETH, world } from '../../swaps/chains/harness.ts';
import { d } from '../trading/kit/values.ts';
import { chainSigner } from './kit/chain-signer.ts';
import { withFees, type FeeChanges } from './kit/fee-node.ts';
import { runTransfer, transferOf, offerFrom } from './kit/lead.ts';

const PRICES = new Map([
  ['USDC', d('1')],
  ['ETH', d('3000')],
]);
const GWEI = 10n ** 9n;
/** 0.0012 ETH at the most, and 0.0005 as it is likely. */
const FEE = { lots: 1_200_000n * GWEI, expectedLots: 500_000n * GWEI, coin: WETH };
const COIN = { asset: 'ETH', location: 'ethereum' };

/** Wallets of anna, with 100 USDC and 2 ETH, and of bert on one chain that takes fees. */
async function open(asset: 'USDC' | 'ETH', changes: FeeChanges) {
  const { chains, scheduler } = world();
  const anna = chains.addressOf('ethereum', 'anna');
  granted(chains.mint(USDC_ETHEREUM, anna, 100_000_000n));
  granted(chains.mint(WETH, anna, 2n * 10n ** 18n));
  const services = [(app: Parameters<typeof mountChains>[0]) => mountChains(app, chains)];
  const { base } = await openVenue({ setup: { services } });
  const plain = new SimulatedNode({ url: base, scheduler, retries: { attempts: 1 } });
  onTestFinished(() => plain.close());
  const node = withFees(plain, changes);
  const network = chains.networks.find(({ code }) => code === 'ethereum');
  const id = asset === 'USDC' ? USDC_ETHEREUM : WETH;
  const token = chains.tokens.find((one) => one.id === id);
  if (network === undefined || token === undefined) throw new Error('there are both');
  const wallets = ['anna', 'bert'].map((location): TokenWallet => {
    const signer = chainSigner(chains, 'ethereum', location);
    return { holding: { asset, location }, network, token, signer, node };
  });
  const route = new WalletRoute({ name: 'wallets', scheduler, wallets });
  const [from, to] = [
    { asset, location: 'anna' },
    { asset, location: 'bert' },
  ];
  const lead = async (send: string) => {
    const offer = await offerFrom(route, from, to, send);
    const pass = (): void => {
      scheduler.advanceTo(micros(scheduler.now() + 20_000_000));
    };
    const led = await runTransfer(route, transferOf(offer, STARTED), () => scheduler.now(), pass);
    return { offer, ...led };
  };
  return { anna, ask: async (send: string) => route.offer(from, to, d(send)), lead };
}

test('a fee in a coin that is not moved is offered beside what is sent, and what it was is known in the end', async () => {
  const { lead } = await open('USDC', { fee: FEE, held: 10n ** 18n, paid: 400_000n * GWEI });
  const { offer, transfer } = await lead('30');
  expect(offer).toMatchObject({ send: d('30'), expected: d('30') });
  expect(offer.networkFee).toEqual({
    of: 'payment',
    coin: COIN,
    expected: d('0.0005'),
    most: d('0.0012'),
    held: d('1'),
    isIncluded: false,
  });
  expect(costOf(offer, offer.expected, PRICES)).toEqual(d('1.5'));
  expect(costOf(offer, offer.expected, PRICES, 'most')).toEqual(d('3.6'));
  // What has no price costs nothing that could be counted.
  expect(costOf(offer, offer.expected, new Map([['USDC', d('1')]])).isZero()).toBe(true);
  expect(transfer).toMatchObject({ state: 'fulfilled', arrived: d('30') });
  expect(transfer.paidFee).toEqual({ coin: COIN, amount: d('0.0004'), isIncluded: false });
  expect(realCost(transfer, PRICES)).toEqual(d('1.2'));
});

test('where the chain does not tell what was paid, what was expected is counted', async () => {
  const { lead } = await open('USDC', { fee: FEE, held: 10n ** 18n });
  const { transfer } = await lead('30');
  expect(transfer.paidFee).toBeUndefined();
  expect(realCost(transfer, PRICES)).toEqual(d('1.5'));
});

test('a fee in the coin that is moved is part of what is sent, and what it did not take stays', async () => {
  const { lead } = await open('ETH', { fee: FEE, paid: 400_000n * GWEI });
  const { offer, transfer } = await lead('1');
  expect(offer).toMatchObject({ send: d('1'), expected: d('0.9988') });
  expect(offer.networkFee).toMatchObject({ coin: COIN, most: d('0.0012'), isIncluded: true });
  expect(costOf(offer, offer.expected, PRICES)).toEqual(d('3.6'));
  expect(transfer).toMatchObject({ state: 'fulfilled', sent: d('0.9992'), arrived: d('0.9988') });
  expect(realCost(transfer, PRICES)).toEqual(d('1.2'));
});

test('a wallet without the coin is offered nothing, and told what it lacks and where', async () => {
  const { anna, ask } = await open('USDC', { fee: FEE, held: 1_199_999n * GWEI });
  expect(await ask('30')).toEqual({
    code: 'funds-insufficient',
    field: 'fee',
    message: `${anna} holds 0.001199999 ETH on Ethereum, and a transfer may cost 0.0012 ETH: send some there first.`,
  });
});

test('a chain that is dearer than the bound is offered nothing by', async () => {
  const { ask } = await open('USDC', { fee: { ...FEE, expectedLots: FEE.lots + 1n }, held: 10n ** 18n }); // prettier-ignore
  const message = expect.stringMatching(/costs about 0\.0012\d+ ETH now and may cost 0\.0012/) as string; // prettier-ignore
  expect(await ask('30')).toMatchObject({ code: 'transfer-invalid', message });
});

test.each<['USDC' | 'ETH', string]>([
  ['USDC', '1.2'],
  ['ETH', '1.2'],
])('a transfer of %s that fails in its block has cost its fee', async (asset, cost) => {
  const outcome = { kind: 'failed', id: 'x', reason: 'It failed.', isFinal: true } as const;
  const { lead } = await open(asset, {
    fee: FEE,
    held: 10n ** 18n,
    paid: 400_000n * GWEI,
    outcome,
  });
  const { transfer } = await lead('1');
  expect(transfer).toMatchObject({ state: 'failed', reason: 'It failed.' });
  expect(realCost(transfer, PRICES)).toEqual(d(cost));
});
