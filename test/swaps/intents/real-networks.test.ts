import { beforeEach, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { isRejection } from '../../../src/model/rejections.ts';
import { micros, US_PER_SECOND } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import {
  RealNetworks,
  type RealTransfer,
  type TransferResult,
} from '../../../src/swaps/chains/real-networks.ts';
import { SimulatedChains } from '../../../src/swaps/chains/simulated-chains.ts';
import { ESCROW, RESOLVER } from '../../../src/swaps/intents/escrow.ts';
import type { Intent } from '../../../src/swaps/intents/intent.ts';
import { SwapIntents } from '../../../src/swaps/intents/swap-intents.ts';
import { DEFAULT_SWAP_TERMS } from '../../../src/swaps/intents/terms.ts';
import { signedBody, userOf } from '../../server/swaps/users.ts';
import {
  granted,
  isConserved,
  NETWORKS,
  rejectedWith,
  STARTED,
  TOKENS,
  USDC_ETHEREUM,
  USDC_TRON,
} from '../chains/harness.ts';

const PARTNER = 'partner';
const LOTS = 500_000_000n;
const AT = {
  escrow: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  resolver: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
};

let scheduler: VirtualScheduler;
let chains: SimulatedChains;
let real: RealNetworks;
let service: SwapIntents;
let wanted: RealTransfer[];

/** Ethereum is real and Tron is simulated; the resolver has a million on both. */
beforeEach(() => {
  scheduler = new VirtualScheduler(STARTED);
  const addresses = new Map([
    [ESCROW, AT.escrow],
    [RESOLVER, AT.resolver],
  ]);
  real = new RealNetworks(new Map([['ethereum', addresses]]));
  wanted = [];
  real.onWanted((transfer) => wanted.push(transfer));
  chains = new SimulatedChains({ networks: NETWORKS, tokens: TOKENS, scheduler, seed: 7, real });
  const priceOf = (): ReturnType<typeof decimal> => decimal('1');
  service = new SwapIntents({ chains, priceOf, scheduler, terms: DEFAULT_SWAP_TERMS });
  granted(chains.mint(USDC_TRON, service.resolverAt('tron'), 10n ** 12n));
  see(AT.resolver, 10n ** 12n);
});

const see = (address: string, lots: bigint, allowance?: bigint): void => {
  real.see({ network: 'ethereum', token: USDC_ETHEREUM, address, lots, allowance });
};

const pass = (seconds: number): void => {
  scheduler.advanceTo(micros(scheduler.now() + seconds * US_PER_SECOND));
};

const named = (network: string, name: string): string => chains.addressOf(network, name);

/** Somebody who holds enough swaps from one network to the other and approves it. */
async function approved(from: 'ethereum' | 'tron'): Promise<() => Intent> {
  const to = from === 'tron' ? 'ethereum' : 'tron';
  const user = userOf(chains, from, 'user');
  if (from === 'tron') {
    granted(chains.mint(USDC_TRON, user.address, LOTS));
    chains.approve(USDC_TRON, user.address);
  } else see(user.address, LOTS, LOTS);
  const idOf = { ethereum: USDC_ETHEREUM, tron: USDC_TRON };
  const managedOrder = {
    ...{ from: { id: idOf[from] }, to: { id: idOf[to] } },
    ...{ amount: decimal('500'), slippageBps: 100 },
  };
  const ends = { from: user.address, to: named(to, 'receiver'), refundTo: named(from, 'refund') };
  const made = granted(service.createIntent(PARTNER, { managedOrder, ...ends }));
  const { id, issued, order, deadline } = made;
  const body = await signedBody(
    user,
    { approval_type: issued.form, params_to_sign: issued.params, deadline_at: deadline / US_PER_SECOND }, // prettier-ignore
    { token: order.token.contract, lots: order.lots },
  );
  const signature = String(body['signed_data']);
  granted(service.approve(PARTNER, id, { form: 'permit2', signature }));
  return () => granted(service.intent(PARTNER, id));
}

/** Says what became of the transfer that is waited for. */
function settle(result: Partial<TransferResult> = {}): RealTransfer {
  const [transfer] = real.wanted();
  if (transfer === undefined) throw new Error('no transfer is waited for');
  const made = { hash: `0x${'ab'.repeat(32)}`, lots: transfer.lots };
  real.settle(transfer.id, 'code' in result ? (result as TransferResult) : { ...made, ...result });
  return transfer;
}

const REFUSED = { code: 'transfer-invalid', message: 'It would fail: no gas.' } as const;

test('a swap from a real network takes the money by the permit, then pays, then takes the escrow', async () => {
  const intent = await approved('ethereum');
  pass(10);
  expect(intent().state).toBe('verified');
  const deposit = settle();
  expect(deposit).toMatchObject({ from: intent().from, to: AT.escrow, lots: LOTS });
  expect(deposit.permit).toMatchObject({ spender: AT.escrow, nonce: intent().order.nonce });
  expect(intent().state).toBe('deposited');
  pass(10);
  expect(intent()).toMatchObject({ state: 'finished', deposit: { lots: LOTS } });
  expect(intent().swap).toBeUndefined();
  expect(chains.balance(USDC_TRON, intent().to)).toBe(intent().payoutLots);
  pass(10);
  expect(settle()).toMatchObject({ from: AT.escrow, to: AT.resolver, lots: LOTS });
  expect(intent().swap?.hash).toMatch(/^0x/);
  pass(4_000);
  expect(real.wanted()).toEqual([]);
  expect(wanted).toHaveLength(2);
  expect(isConserved(chains)).toBe(true);
});

test('a swap into a real network ends when its payout is final there, and is paid once', async () => {
  const intent = await approved('tron');
  pass(8);
  expect(intent().state).toBe('deposited');
  pass(3_600);
  // It is on its way: neither the deadline nor a person takes the money back now.
  expect(intent().state).toBe('deposited');
  const { advance, requestRefund } = service.manualActions;
  expect(rejectedWith(advance.call(service.manualActions, intent().id))).toBe('intent-state-invalid'); // prettier-ignore
  expect(rejectedWith(requestRefund.call(service.manualActions, intent().id, 'now'))).toBe('intent-state-invalid'); // prettier-ignore
  expect(settle()).toMatchObject({ from: AT.resolver, to: intent().to, lots: intent().payoutLots });
  expect(intent().state).toBe('finished');
  expect(intent().swap).toBeDefined();
  pass(3_600);
  expect(wanted).toHaveLength(1);
  expect(isConserved(chains)).toBe(true);
});

test('a payout that the chain refuses for good gives the user his money back', async () => {
  const intent = await approved('tron');
  pass(20);
  settle(REFUSED);
  expect(intent()).toMatchObject({ state: 'refundRequested', reason: REFUSED.message });
  pass(20);
  expect(intent().state).toBe('refunded');
  expect(chains.balance(USDC_TRON, named('tron', 'refund'))).toBe(LOTS);
  expect(wanted).toHaveLength(1);
});

test('a deposit that the chain refuses ends the intent with the reason of the chain', async () => {
  const intent = await approved('ethereum');
  pass(10);
  settle(REFUSED);
  expect(intent()).toMatchObject({ state: 'failed', reason: REFUSED.message });
  pass(4_000);
  expect(wanted).toHaveLength(1);
});

test('a deposit that is refused after the deadline expires the intent', async () => {
  const intent = await approved('ethereum');
  pass(4_000);
  expect(intent().state).toBe('verified');
  settle(REFUSED);
  expect(intent()).toMatchObject({ state: 'expired', reason: REFUSED.message });
});

test('a deposit that becomes final after the deadline goes back to the user', async () => {
  const intent = await approved('ethereum');
  pass(4_000);
  settle();
  expect(intent()).toMatchObject({ state: 'refundRequested', reason: 'The user was not paid in time.' }); // prettier-ignore
  pass(20);
  expect(settle()).toMatchObject({ from: AT.escrow, to: named('ethereum', 'refund'), lots: LOTS });
  expect(intent().state).toBe('refunded');
  expect(chains.balance(USDC_TRON, intent().to)).toBe(0n);
});

test('a token that takes a fee on the way pays nobody, and what arrived goes back', async () => {
  const intent = await approved('ethereum');
  pass(10);
  settle({ lots: LOTS - 5n });
  expect(intent()).toMatchObject({ state: 'refundRequested', reason: 'Less arrived in escrow than was agreed.' }); // prettier-ignore
  pass(20);
  expect(settle()).toMatchObject({ to: named('ethereum', 'refund'), lots: LOTS - 5n });
  expect(intent().state).toBe('refunded');
});

test('a refund and a claim that a chain refuses are tried again under ids of their own', async () => {
  const intent = await approved('ethereum');
  pass(10);
  settle();
  expect(service.manualActions.requestRefund(intent().id, 'A refund was asked for.')).toBeUndefined(); // prettier-ignore
  pass(20);
  settle(REFUSED);
  expect(intent().state).toBe('refundRequested');
  expect(intent().reason).toContain('tried again');
  pass(20);
  settle();
  expect(intent().state).toBe('refunded');
  const { id } = intent();
  expect(wanted.map((one) => one.id)).toEqual([
    `${id} deposit 1`,
    `${id} refund 1`,
    `${id} refund 2`,
  ]);
});

test('an approval is refused while permit2 may take less than is swapped', async () => {
  const user = userOf(chains, 'ethereum', 'user');
  const intent = await approved('ethereum');
  expect(intent().state).toBe('approved');
  see(user.address, LOTS, LOTS - 1n);
  expect(chains.hasApproved(USDC_ETHEREUM, user.address, LOTS)).toBe(false);
});

test('what leaves a real network counts before it has left', async () => {
  const before = chains.balance(USDC_ETHEREUM, AT.resolver);
  const intent = await approved('tron');
  pass(20);
  const [payout] = real.wanted();
  expect(chains.balance(USDC_ETHEREUM, AT.resolver)).toBe(before - (payout?.lots ?? 0n));
  settle();
  expect(chains.balance(USDC_ETHEREUM, AT.resolver)).toBe(before - (intent().payoutLots ?? 0n));
});

test('nobody mints, moves or permits money of a real network in this process', () => {
  const user = userOf(chains, 'ethereum', 'user');
  const outcomes = [
    chains.mint(USDC_ETHEREUM, user.address, 1n),
    chains.transfer({ token: USDC_ETHEREUM, from: AT.resolver, to: user.address, lots: 1n }),
    chains.approve(USDC_ETHEREUM, user.address),
    chains.revoke(USDC_ETHEREUM, user.address),
  ];
  for (const outcome of outcomes) {
    expect(isRejection(outcome) && outcome.message).toBe(
      'Ethereum is a real chain: only its own nodes move money there.',
    );
  }
});

test('a transfer is wanted once under an id, and settled once', async () => {
  await approved('ethereum');
  pass(10);
  const [transfer] = real.wanted();
  if (transfer === undefined) throw new Error('nothing is wanted');
  expect(() => {
    real.want(transfer, () => undefined);
  }).toThrow('is waited for');
  settle();
  expect(() => {
    real.settle(transfer.id, REFUSED);
  }).toThrow('Nobody waits');
});

test('an intent that a person has advanced has no second step by time', async () => {
  const intent = await approved('tron');
  pass(8);
  expect(intent().state).toBe('deposited');
  expect(service.manualActions.advance(intent().id)).toBeUndefined();
  pass(600);
  expect(wanted.map(({ id }) => id)).toEqual([`${intent().id} fulfil 1`]);
  settle();
  expect(intent().state).toBe('finished');
});

test('deposit and payout have the deadline of their intent, claim and refund have none', async () => {
  const intent = await approved('ethereum');
  pass(10);
  settle();
  pass(20);
  settle();
  expect(wanted.map(({ notAfter }) => notAfter)).toEqual([intent().deadline, undefined]);
});
