import { describe, expect, test } from 'vitest';
import { granted, isConserved, USDC_ETHEREUM, USDC_SOLANA } from '../../swaps/chains/harness.ts';
import { d } from '../trading/kit/values.ts';
import { openExchangeSubscriptions, type ExchangeSubscriptions } from './kit/exchange-service.ts';
import { transferOf, offerFrom } from './kit/lead.ts';
import type { Loss } from './kit/lossy-relay.ts';

const ETHEREUM = { asset: 'USDC', location: 'ethereum' };
const ACCOUNT = { asset: 'USDC', location: 'trading' };
const SOLANA = { asset: 'USDC', location: 'solana' };
const BITCOIN = { asset: 'BTC', location: 'bitcoin' };

const solana = ({ venue, address }: ExchangeSubscriptions): bigint =>
  venue.chains.balance(USDC_SOLANA, address('solana'));

const start = async (subscriptions: ExchangeSubscriptions, from = ETHEREUM, send = '200') =>
  transferOf(
    await offerFrom(subscriptions.route, from, SOLANA, send),
    subscriptions.venue.scheduler.now(),
  );

test('carries from every source to every other coin', async () => {
  const { route } = await openExchangeSubscriptions('fixed');
  expect(route.pairs()).toEqual([
    [ETHEREUM, BITCOIN],
    [ETHEREUM, SOLANA],
    [BITCOIN, SOLANA],
    [ACCOUNT, BITCOIN],
    [ACCOUNT, SOLANA],
  ]);
  expect(await route.offer(BITCOIN, BITCOIN, d('1'))).toMatchObject({
    code: 'pair-unavailable',
  });
});

describe.each(['fixed', 'float'] as const)('an order at a %s rate', (rate) => {
  test('brings what was offered', async () => {
    const subscriptions = await openExchangeSubscriptions(rate);
    const transfer = await start(subscriptions);
    const { transfer: ended, log } = await subscriptions.lead(transfer);
    expect(log).toEqual(['createOrder', 'prepare', 'payIn']);
    expect(ended).toMatchObject({ state: 'fulfilled', arrived: transfer.expected });
    expect(solana(subscriptions)).toBe(BigInt(transfer.expected.times(1_000_000).toFixed()));
    expect(subscriptions.held(USDC_ETHEREUM)).toBe(800_000_000n);
    expect(transfer.least.lessThanOrEqualTo(transfer.expected)).toBe(true);
    expect(isConserved(subscriptions.venue.chains)).toBe(true);
  });

  const losses: readonly (readonly [Loss, string, readonly string[]])[] = [
    [
      'answer',
      rate === 'fixed' ? 'createFixTransaction' : 'createTransaction',
      ['createOrder', 'createOrder? done', 'prepare', 'payIn'],
    ],
    [
      'request',
      rate === 'fixed' ? 'createFixTransaction' : 'createTransaction',
      ['createOrder', 'createOrder? undone', 'createOrder', 'prepare', 'payIn'],
    ],
    ['answer', '"signature"', ['createOrder', 'prepare', 'payIn', 'payIn? done']],
    ['request', '"signature"', ['createOrder', 'prepare', 'payIn', 'payIn? undone', 'payIn']],
  ];

  test.each(losses)('is paid once when the %s of %s is lost', async (what, part, steps) => {
    const subscriptions = await openExchangeSubscriptions(rate);
    const transfer = await start(subscriptions);
    subscriptions.relay.lose(what, part);
    const { transfer: ended, log } = await subscriptions.lead(transfer);
    expect(subscriptions.relay.hasLostAll).toBe(true);
    expect(log).toEqual(steps);
    expect(ended.state).toBe('fulfilled');
    expect(subscriptions.service.orders()).toHaveLength(1);
    expect(subscriptions.held(USDC_ETHEREUM)).toBe(800_000_000n);
    expect(solana(subscriptions)).toBe(BigInt(transfer.expected.times(1_000_000).toFixed()));
  });
});

describe('an order', () => {
  test('is paid out of the trading account, by a withdrawal that is let go once', async () => {
    const subscriptions = await openExchangeSubscriptions('fixed');
    const { venue, relay } = subscriptions;
    const { address } = venue.address(venue.ann, 'USDC', 'ETH');
    granted(venue.chains.mint(USDC_ETHEREUM, address, 500_000_000n));
    venue.pass(60_000_000);
    const transfer = await start(subscriptions, ACCOUNT);
    expect([transfer.send, transfer.data['amount']].map(String)).toEqual(['200', '197']);
    relay.lose('answer', 'PUT /api/3/wallet/crypto/withdraw');
    const { transfer: ended, log } = await subscriptions.lead(transfer);
    expect(log).toEqual(['createOrder', 'gather', 'withdraw', 'commit', 'commit? done']);
    expect(ended).toMatchObject({ state: 'fulfilled', arrived: transfer.expected });
    expect(venue.wallet(venue.ann, 'USDC')).toBe('300');
    expect(solana(subscriptions)).toBe(BigInt(transfer.expected.times(1_000_000).toFixed()));
  });

  test('of one transfer is not taken for that of another', async () => {
    const subscriptions = await openExchangeSubscriptions('float');
    const { route, venue, relay } = subscriptions;
    const one = await start(subscriptions);
    const other = { ...one, id: 'plan-1/2' };
    const stepOf = (transfer: typeof one) => {
      const step = route.next(transfer, venue.scheduler.now());
      if (step === undefined) throw new Error('there is a step');
      return step;
    };
    const created = await route.perform(one, stepOf(one));
    const known = { ...one, data: { ...one.data, ...created.data } };
    route.next(known, venue.scheduler.now());
    expect(await route.recall(other, stepOf(other))).toBe('undone');
    relay.lose('answer', 'createTransaction');
    await expect(route.perform(other, stepOf(other))).rejects.toMatchObject({
      code: 'outcome-unknown',
    });
    const found = await route.recall(other, stepOf(other));
    expect(found).toMatchObject({ state: 'created' });
    const ids = subscriptions.service.orders().map(({ id }) => id);
    const taken = [created.data?.['order'], found === 'undone' ? '' : found.data?.['order']];
    expect(taken.toSorted()).toEqual(ids.toSorted());
  });

  test('whose rate has had its minute is offered anew', async () => {
    const subscriptions = await openExchangeSubscriptions('fixed');
    const transfer = await start(subscriptions);
    subscriptions.venue.pass(61_000_000);
    const step = subscriptions.route.next(transfer, subscriptions.venue.scheduler.now());
    if (step === undefined) throw new Error('there is a step');
    expect(await subscriptions.route.perform(transfer, step)).toMatchObject({ state: 'planned' });
    expect(subscriptions.service.orders()).toHaveLength(0);
  });

  test('that would bring less than was agreed is not paid', async () => {
    const subscriptions = await openExchangeSubscriptions('float');
    const transfer = { ...(await start(subscriptions)), least: d('1000') };
    const step = subscriptions.route.next(transfer, subscriptions.venue.scheduler.now());
    if (step === undefined) throw new Error('there is a step');
    const change = await subscriptions.route.perform(transfer, step);
    expect(change).toMatchObject({ state: 'planned' });
    expect(change.reason).toMatch(/would bring/);
    expect(subscriptions.held(USDC_ETHEREUM)).toBe(1_000_000_000n);
  });

  test('that is held tells who has to ask, and goes on when it is released', async () => {
    const subscriptions = await openExchangeSubscriptions('fixed');
    const { route, service, venue } = subscriptions;
    let transfer = await start(subscriptions);
    for (let turn = 0; turn < 3; turn += 1) {
      const step = route.next(transfer, venue.scheduler.now());
      if (step === undefined) throw new Error('there is a step');
      const change = await route.perform(transfer, step);
      transfer = { ...transfer, state: change.state, data: { ...transfer.data, ...change.data } };
    }
    venue.pass(40_000_000);
    const [order] = service.orders();
    expect(service.manualActions.hold(order?.id ?? '')).toBeUndefined();
    const held = await route.observe(transfer);
    expect(held).toMatchObject({ state: 'deposited', data: { status: 'hold' } });
    expect(held?.reason).toMatch(/holds the payment for a check/);
    expect(service.manualActions.release(order?.id ?? '')).toBeUndefined();
    expect((await subscriptions.lead(transfer)).transfer.state).toBe('fulfilled');
  });

  test.each([
    ['refund', 'refunded', 1_000_000_000n],
    ['fail', 'deposited', 800_000_000n],
  ] as const)('that ends in a %s is %s', async (hand, state, left) => {
    const subscriptions = await openExchangeSubscriptions('fixed');
    const { route, service, venue } = subscriptions;
    let transfer = await start(subscriptions);
    for (let turn = 0; turn < 3; turn += 1) {
      const step = route.next(transfer, venue.scheduler.now());
      if (step === undefined) throw new Error('there is a step');
      const change = await route.perform(transfer, step);
      transfer = { ...transfer, state: change.state, data: { ...transfer.data, ...change.data } };
    }
    venue.pass(1_000_000);
    const [order] = service.orders();
    const id = order?.id ?? '';
    if (hand === 'refund') {
      expect(service.manualActions.hold(id)).toBeUndefined();
      expect(service.manualActions.refund(id)).toBeUndefined();
    } else expect(service.manualActions.fail(id, 'by hand')).toBeUndefined();
    const seen = await route.observe(transfer);
    expect(seen?.state).toBe(state);
    if (state === 'refunded') expect(seen?.refunded).toEqual(d('200'));
    else expect(seen?.reason).toMatch(/has failed/);
    expect(subscriptions.held(USDC_ETHEREUM)).toBe(left);
  });

  test('has no offer where the service takes no such amount, or cannot be asked', async () => {
    const { route, relay } = await openExchangeSubscriptions('fixed');
    expect(await route.offer(ETHEREUM, SOLANA, d('1'))).toMatchObject({
      code: 'amount-below-minimum',
      limit: expect.any(String) as string,
    });
    relay.lose('request', 'getFixRateForAmount');
    expect(await route.offer(ETHEREUM, SOLANA, d('200'))).toMatchObject({
      code: 'venue-unreachable',
    });
  });
});
