import { expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { micros, US_PER_SECOND } from '../../../src/platform/time.ts';
import type { Intent } from '../../../src/swaps/intents/intent.ts';
import { swapParts, USDC_ETHEREUM, USDC_TRON } from '../../server/swaps/kit.ts';
import { signedBody, userOf } from '../../server/swaps/users.ts';
import { granted, isConserved, rejectedWith } from '../chains/harness.ts';

const PARTNER = 'partner';

/** An intent from Ethereum to Tron whose money is in escrow, and hands that take it from there. */
async function deposited(byHand = false) {
  const parts = swapParts({ resolver: { byHand } });
  const { service, chains, scheduler } = parts;
  const owner = (name: string) => chains.addressOf('ethereum', name);
  const managedOrder = {
    from: { id: USDC_ETHEREUM },
    to: { id: USDC_TRON },
    amount: decimal('500'),
    slippageBps: 100,
  };
  const to = chains.addressOf('tron', 'receiver');
  const ends = { from: owner('user'), to, refundTo: owner('refund') };
  const { id, issued, order, deadline } = granted(
    service.createIntent(PARTNER, { managedOrder, ...ends }),
  );
  const params = { approval_type: issued.form, params_to_sign: issued.params };
  const body = await signedBody(
    userOf(chains, 'ethereum', 'user'),
    { ...params, deadline_at: deadline / US_PER_SECOND },
    { token: order.token.contract, lots: order.lots },
  );
  granted(
    service.approve(PARTNER, id, { form: 'permit2', signature: String(body['signed_data']) }),
  );
  const intent = (): Intent => granted(service.intent(PARTNER, id));
  const pass = (seconds: number): void =>
    scheduler.advanceTo(micros(scheduler.now() + seconds * US_PER_SECOND));
  const escrow = service.escrowAt('ethereum');
  const move = (from: string, goal: string) =>
    granted(chains.transfer({ token: USDC_ETHEREUM, from, to: goal, lots: order.lots }));
  if (byHand) for (const _ of ['accept', 'deposit']) service.manualActions.advance(id);
  else while (intent().state !== 'deposited') pass(1);
  return {
    ...parts,
    id,
    intent,
    pass,
    lots: order.lots,
    held: (address: string) => chains.balance(USDC_ETHEREUM, address),
    paid: () => chains.balance(USDC_TRON, to),
    resolver: service.resolverAt('ethereum'),
    refundTo: ends.refundTo,
    escrow,
    /** Makes escrow lack the money, and have it again. */
    take: () => move(escrow, owner('elsewhere')),
    bringBack: () => move(owner('elsewhere'), escrow),
  };
}

test('a user who was paid sees the swap finished, and the resolver takes what it is due as soon as it can', async () => {
  const { take, bringBack, pass, intent, paid, held, resolver, escrow, lots, chains } =
    await deposited();
  const before = held(resolver);
  take();
  pass(15);
  expect(intent()).toMatchObject({ state: 'finished', fulfilment: {} });
  expect(intent().swap).toBeUndefined();
  expect(intent().reason).toMatch(/^What is in escrow could not be taken, and is tried again: /);
  const once = paid();
  expect(once).toBe(intent().payoutLots);
  pass(60);
  expect(held(resolver)).toBe(before);
  bringBack();
  pass(15);
  expect(intent().swap?.hash).toBe(chains.transaction('ethereum', intent().swap?.hash ?? '')?.hash);
  expect(intent().reason).toBeUndefined();
  expect([held(resolver) - before, held(escrow)]).toEqual([lots, 0n]);
  // It is taken once, and the user is paid once.
  pass(2_000);
  expect([held(resolver) - before, paid()]).toEqual([lots, once]);
  expect(isConserved(chains)).toBe(true);
});

test('a refund that a chain refuses is told as such, and made as soon as it can be', async () => {
  const { take, bringBack, pass, intent, paid, held, refundTo, service, id, lots, chains } =
    await deposited();
  const before = held(refundTo);
  expect(service.manualActions.requestRefund(id, 'A refund was asked for.')).toBeUndefined();
  take();
  pass(15);
  expect(intent().state).toBe('refundRequested');
  expect(intent().reason).toMatch(
    /^What is in escrow could not be given back, and is tried again: /,
  );
  pass(2_000);
  expect([intent().state, held(refundTo)]).toEqual(['refundRequested', before]);
  bringBack();
  pass(15);
  expect([intent().state, held(refundTo) - before, paid()]).toEqual(['refunded', lots, 0n]);
  pass(2_000);
  expect(held(refundTo) - before).toBe(lots);
  expect(isConserved(chains)).toBe(true);
});

test('hands are told why a claim or a refund was refused', async () => {
  for (const isRefunded of [true, false]) {
    const { take, bringBack, intent, service, id } = await deposited(true);
    if (isRefunded) service.manualActions.requestRefund(id, 'A refund was asked for.');
    take();
    // Paying the user is one step with taking the escrow, of which only the second is refused.
    if (!isRefunded) expect(service.manualActions.advance(id)).toBeUndefined();
    expect(rejectedWith(service.manualActions.advance(id))).toBe('funds-insufficient');
    bringBack();
    expect(service.manualActions.advance(id)).toBeUndefined();
    expect(intent().state).toBe(isRefunded ? 'refunded' : 'finished');
    expect(rejectedWith(service.manualActions.advance(id))).toBe('intent-state-invalid');
  }
});
