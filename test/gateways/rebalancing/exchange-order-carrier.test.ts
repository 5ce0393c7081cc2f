import { describe, expect, test } from 'vitest';
import { granted, isConserved, USDC_ETHEREUM, USDC_SOLANA } from '../../swaps/chains/world.ts';
import { d } from '../trading/kit/values.ts';
import { openExchangeDesk, type ExchangeDesk } from './kit/exchange-desk.ts';
import { moveOf, offerFrom } from './kit/lead.ts';
import type { Loss } from './kit/lossy-relay.ts';

const ETHEREUM = { asset: 'USDC', place: 'ethereum' };
const ACCOUNT = { asset: 'USDC', place: 'trading' };
const SOLANA = { asset: 'USDC', place: 'solana' };
const BITCOIN = { asset: 'BTC', place: 'bitcoin' };

const solana = ({ venue, address }: ExchangeDesk): bigint =>
  venue.chains.balance(USDC_SOLANA, address('solana'));

const start = async (desk: ExchangeDesk, from = ETHEREUM, send = '200') =>
  moveOf(await offerFrom(desk.carrier, from, SOLANA, send), desk.venue.scheduler.now());

test('carries from every source to every other coin', async () => {
  const { carrier } = await openExchangeDesk('fixed');
  expect(carrier.pairs()).toEqual([
    [ETHEREUM, BITCOIN],
    [ETHEREUM, SOLANA],
    [BITCOIN, SOLANA],
    [ACCOUNT, BITCOIN],
    [ACCOUNT, SOLANA],
  ]);
  expect(await carrier.offer(BITCOIN, BITCOIN, d('1'))).toMatchObject({
    code: 'pair-unavailable',
  });
});

describe.each(['fixed', 'float'] as const)('an order at a %s rate', (rate) => {
  test('brings what was offered', async () => {
    const desk = await openExchangeDesk(rate);
    const move = await start(desk);
    const { move: ended, log } = await desk.lead(move);
    expect(log).toEqual(['createOrder', 'payIn']);
    expect(ended).toMatchObject({ state: 'fulfilled', arrived: move.expected });
    expect(solana(desk)).toBe(BigInt(move.expected.times(1_000_000).toFixed()));
    expect(desk.held(USDC_ETHEREUM)).toBe(800_000_000n);
    expect(move.least.lessThanOrEqualTo(move.expected)).toBe(true);
    expect(isConserved(desk.venue.chains)).toBe(true);
  });

  const losses: readonly (readonly [Loss, string, readonly string[]])[] = [
    [
      'answer',
      rate === 'fixed' ? 'createFixTransaction' : 'createTransaction',
      ['createOrder', 'createOrder? done', 'payIn'],
    ],
    [
      'request',
      rate === 'fixed' ? 'createFixTransaction' : 'createTransaction',
      ['createOrder', 'createOrder? undone', 'createOrder', 'payIn'],
    ],
    ['answer', '"signature"', ['createOrder', 'payIn', 'payIn? done']],
    ['request', '"signature"', ['createOrder', 'payIn', 'payIn? undone', 'payIn']],
  ];

  test.each(losses)('is paid once when the %s of %s is lost', async (what, part, steps) => {
    const desk = await openExchangeDesk(rate);
    const move = await start(desk);
    desk.relay.lose(what, part);
    const { move: ended, log } = await desk.lead(move);
    expect(desk.relay.hasLostAll).toBe(true);
    expect(log).toEqual(steps);
    expect(ended.state).toBe('fulfilled');
    expect(desk.service.orders()).toHaveLength(1);
    expect(desk.held(USDC_ETHEREUM)).toBe(800_000_000n);
    expect(solana(desk)).toBe(BigInt(move.expected.times(1_000_000).toFixed()));
  });
});

describe('an order', () => {
  test('is paid out of the trading account, by a withdrawal that is let go once', async () => {
    const desk = await openExchangeDesk('fixed');
    const { venue, relay } = desk;
    const { address } = venue.address(venue.ann, 'USDC', 'ETH');
    granted(venue.chains.mint(USDC_ETHEREUM, address, 500_000_000n));
    venue.pass(60_000_000);
    const move = await start(desk, ACCOUNT);
    expect([move.send, move.data['amount']].map(String)).toEqual(['200', '197']);
    relay.lose('answer', 'PUT /api/3/wallet/crypto/withdraw');
    const { move: ended, log } = await desk.lead(move);
    expect(log).toEqual(['createOrder', 'gather', 'withdraw', 'commit', 'commit? done']);
    expect(ended).toMatchObject({ state: 'fulfilled', arrived: move.expected });
    expect(venue.wallet(venue.ann, 'USDC')).toBe('300');
    expect(solana(desk)).toBe(BigInt(move.expected.times(1_000_000).toFixed()));
  });

  test('of one move is not taken for that of another', async () => {
    const desk = await openExchangeDesk('float');
    const { carrier, venue, relay } = desk;
    const one = await start(desk);
    const other = { ...one, id: 'plan-1/2' };
    const stepOf = (move: typeof one) => {
      const step = carrier.next(move, venue.scheduler.now());
      if (step === undefined) throw new Error('there is a step');
      return step;
    };
    const created = await carrier.perform(one, stepOf(one));
    const known = { ...one, data: { ...one.data, ...created.data } };
    carrier.next(known, venue.scheduler.now());
    expect(await carrier.recall(other, stepOf(other))).toBe('undone');
    relay.lose('answer', 'createTransaction');
    await expect(carrier.perform(other, stepOf(other))).rejects.toMatchObject({
      code: 'fate-unknown',
    });
    const found = await carrier.recall(other, stepOf(other));
    expect(found).toMatchObject({ state: 'created' });
    const ids = desk.service.orders().map(({ id }) => id);
    const taken = [created.data?.['order'], found === 'undone' ? '' : found.data?.['order']];
    expect(taken.toSorted()).toEqual(ids.toSorted());
  });

  test('whose rate has had its minute is offered anew', async () => {
    const desk = await openExchangeDesk('fixed');
    const move = await start(desk);
    desk.venue.pass(61_000_000);
    const step = desk.carrier.next(move, desk.venue.scheduler.now());
    if (step === undefined) throw new Error('there is a step');
    expect(await desk.carrier.perform(move, step)).toMatchObject({ state: 'planned' });
    expect(desk.service.orders()).toHaveLength(0);
  });

  test('that would bring less than was agreed is not paid', async () => {
    const desk = await openExchangeDesk('float');
    const move = { ...(await start(desk)), least: d('1000') };
    const step = desk.carrier.next(move, desk.venue.scheduler.now());
    if (step === undefined) throw new Error('there is a step');
    const change = await desk.carrier.perform(move, step);
    expect(change).toMatchObject({ state: 'planned' });
    expect(change.reason).toMatch(/would bring/);
    expect(desk.held(USDC_ETHEREUM)).toBe(1_000_000_000n);
  });

  test('that is held tells who has to ask, and goes on when it is released', async () => {
    const desk = await openExchangeDesk('fixed');
    const { carrier, service, venue } = desk;
    let move = await start(desk);
    for (let turn = 0; turn < 2; turn += 1) {
      const step = carrier.next(move, venue.scheduler.now());
      if (step === undefined) throw new Error('there is a step');
      const change = await carrier.perform(move, step);
      move = { ...move, state: change.state, data: { ...move.data, ...change.data } };
    }
    venue.pass(40_000_000);
    const [order] = service.orders();
    expect(service.hands.hold(order?.id ?? '')).toBeUndefined();
    const held = await carrier.observe(move);
    expect(held).toMatchObject({ state: 'deposited', data: { status: 'hold' } });
    expect(held?.reason).toMatch(/holds the payment for a check/);
    expect(service.hands.release(order?.id ?? '')).toBeUndefined();
    expect((await desk.lead(move)).move.state).toBe('fulfilled');
  });

  test.each([
    ['refund', 'refunded', 1_000_000_000n],
    ['fail', 'deposited', 800_000_000n],
  ] as const)('that ends in a %s is %s', async (hand, state, left) => {
    const desk = await openExchangeDesk('fixed');
    const { carrier, service, venue } = desk;
    let move = await start(desk);
    for (let turn = 0; turn < 2; turn += 1) {
      const step = carrier.next(move, venue.scheduler.now());
      if (step === undefined) throw new Error('there is a step');
      const change = await carrier.perform(move, step);
      move = { ...move, state: change.state, data: { ...move.data, ...change.data } };
    }
    venue.pass(1_000_000);
    const [order] = service.orders();
    const id = order?.id ?? '';
    if (hand === 'refund') {
      expect(service.hands.hold(id)).toBeUndefined();
      expect(service.hands.refund(id)).toBeUndefined();
    } else expect(service.hands.fail(id, 'by hand')).toBeUndefined();
    const seen = await carrier.observe(move);
    expect(seen?.state).toBe(state);
    if (state === 'refunded') expect(seen?.refunded).toEqual(d('200'));
    else expect(seen?.reason).toMatch(/has failed/);
    expect(desk.held(USDC_ETHEREUM)).toBe(left);
  });

  test('has no offer where the service takes no such amount, or cannot be asked', async () => {
    const { carrier, relay } = await openExchangeDesk('fixed');
    expect(await carrier.offer(ETHEREUM, SOLANA, d('1'))).toMatchObject({
      code: 'amount-below-minimum',
      limit: expect.any(String) as string,
    });
    relay.lose('request', 'getFixRateForAmount');
    expect(await carrier.offer(ETHEREUM, SOLANA, d('200'))).toMatchObject({
      code: 'venue-unreachable',
    });
  });
});
