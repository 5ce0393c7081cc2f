import { describe, expect, onTestFinished, test } from 'vitest';
import { AccountRoute } from '../../../src/gateways/rebalancing/account-route.ts';
import type { TradeLimits } from '../../../src/gateways/rebalancing/account/limits.ts';
import { TradingClient } from '../../../src/gateways/trading/client/client.ts';
import { openHarness, OUTSIDE, SECOND, type WalletHarness } from '../../server/wallet/harness.ts';
import { d } from '../trading/kit/values.ts';
import { runTransfer, transferOf, offerFrom } from './kit/lead.ts';
import { openLossyRelay, type LossyRelay, type Loss } from './kit/lossy-relay.ts';

const BTC = { asset: 'BTC', location: 'trading' };
const USDT = { asset: 'USDT', location: 'trading' };
const BTC_OUTSIDE = { asset: 'BTC', location: 'bitcoin' };

interface Stage {
  readonly branch: WalletHarness;
  readonly relay: LossyRelay;
  readonly route: AccountRoute;
  readonly lead: (transfer: Parameters<typeof runTransfer>[1]) => ReturnType<typeof runTransfer>;
}

async function open(home: 'spot' | 'wallet' = 'wallet', limits: TradeLimits = {}): Promise<Stage> {
  const branch = await openHarness();
  const { scheduler } = branch.venue;
  const relay = await openLossyRelay(branch.venue.base);
  const client = new TradingClient({
    url: relay.url,
    credentials: { key: 'ann', secret: 'ann-secret', scheme: 'hs256' },
    scheduler,
    retries: { attempts: 1 },
  });
  onTestFinished(() => client.close());
  const route = new AccountRoute({
    name: 'account',
    rest: client.rest,
    scheduler,
    location: 'trading',
    chains: [
      { asset: 'BTC', location: 'bitcoin', network: 'BTC', wallet: { address: OUTSIDE } },
      { asset: 'USDT', location: 'ethereum', network: 'ETH', wallet: { address: OUTSIDE } },
    ],
    symbols: [{ symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT' }],
    tolerance: d('0.002'),
    limits,
    home,
  });
  const lead: Stage['lead'] = (transfer) =>
    runTransfer(
      route,
      transfer,
      () => scheduler.now(),
      () => {
        branch.pass(SECOND);
      },
    );
  return { branch, relay, route, lead };
}

/** Withdrawals that were let go, as the exchange has them. */
async function withdrawals(branch: WalletHarness): Promise<readonly string[]> {
  const rows = await branch.ok<readonly { status: string; native: { amount: string } }[]>(
    'ann',
    'GET',
    '/api/3/wallet/transactions',
    { types: 'WITHDRAW' },
  );
  return rows.map(({ status, native }) => `${status} ${native.amount}`);
}

test('moves both ways between assets of the account, and out to its chains', async () => {
  const { route } = await open();
  expect(route.pairs()).toEqual([
    [BTC, BTC_OUTSIDE],
    [USDT, { asset: 'USDT', location: 'ethereum' }],
    [BTC, USDT],
    [USDT, BTC],
  ]);
  expect(await route.offer(BTC_OUTSIDE, BTC, d('1'))).toMatchObject({
    code: 'pair-unavailable',
  });
});

describe('a withdrawal', () => {
  test('costs exactly the fee of its network, and what cannot be sent stays', async () => {
    const { route } = await open();
    const offer = await offerFrom(route, BTC, BTC_OUTSIDE, '1.00000019');
    expect([offer.send, offer.least, offer.expected].map(String)).toEqual([
      '1',
      '0.9995',
      '0.9995',
    ]);
    expect(await route.offer(BTC, BTC_OUTSIDE, d('0.0005'))).toMatchObject({
      code: 'amount-below-fee',
    });
  });

  test('is set aside, let go, sent and there', async () => {
    const { branch, route, lead } = await open();
    const offer = await offerFrom(route, BTC, BTC_OUTSIDE, '1');
    const { transfer, log } = await lead(transferOf(offer, branch.venue.scheduler.now()));
    expect(log).toEqual(['gather', 'withdraw', 'commit']);
    expect(transfer).toMatchObject({ state: 'fulfilled', arrived: d('0.9995') });
    expect(await branch.balance('ann', 'BTC')).toBe('9 0');
    expect(await withdrawals(branch)).toEqual(['SUCCESS 0.9995']);
  });

  test('takes what the wallet lacks from spot', async () => {
    const { branch, route, lead } = await open();
    await branch.ok('ann', 'POST', '/api/3/wallet/transfer', {
      currency: 'BTC',
      amount: '9.5',
      source: 'wallet',
      destination: 'spot',
    });
    const offer = await offerFrom(route, BTC, BTC_OUTSIDE, '2');
    const { transfer } = await lead(transferOf(offer, branch.venue.scheduler.now()));
    expect(transfer.state).toBe('fulfilled');
    expect(await branch.balance('ann', 'BTC')).toBe('0 0');
    expect(await branch.balance('ann', 'BTC', 'spot')).toBe('8 0');
  });

  const losses: readonly (readonly [Loss, string, readonly string[]])[] = [
    ['answer', 'POST /api/3/wallet/crypto/withdraw', ['withdraw', 'withdraw? done', 'commit']],
    [
      'request',
      'POST /api/3/wallet/crypto/withdraw',
      ['withdraw', 'withdraw? undone', 'withdraw', 'commit'],
    ],
    ['answer', 'PUT /api/3/wallet/crypto/withdraw', ['withdraw', 'commit', 'commit? done']],
    [
      'request',
      'PUT /api/3/wallet/crypto/withdraw',
      ['withdraw', 'commit', 'commit? undone', 'commit'],
    ],
  ];

  test.each(losses)('is paid once when the %s of %s is lost', async (what, part, steps) => {
    const { branch, relay, route, lead } = await open();
    const offer = await offerFrom(route, BTC, BTC_OUTSIDE, '1');
    relay.lose(what, part);
    const { transfer, log } = await lead(transferOf(offer, branch.venue.scheduler.now()));
    expect(relay.hasLostAll).toBe(true);
    expect(log).toEqual(['gather', ...steps]);
    expect(transfer.state).toBe('fulfilled');
    expect(await withdrawals(branch)).toEqual(['SUCCESS 0.9995']);
    expect(await branch.balance('ann', 'BTC')).toBe('9 0');
  });

  test('that arrives after it was given up for lost is never let go', async () => {
    const { branch, route } = await open();
    const offer = await offerFrom(route, BTC, BTC_OUTSIDE, '1');
    const { scheduler } = branch.venue;
    const start = transferOf(offer, scheduler.now());
    const gathered = { ...start, data: { ...start.data, gathered: true } };
    const step = route.next(gathered, scheduler.now());
    if (step === undefined) throw new Error('there is a step');
    expect(await route.recall(gathered, step)).toBe('undone');
    // Both arrive: the first one late, after nothing was found of it.
    await route.perform(gathered, step);
    const second = await route.perform(gathered, step);
    const created = { ...gathered, data: { ...gathered.data, ...second.data } };
    const { transfer } = await runTransfer(
      route,
      created,
      () => scheduler.now(),
      () => {
        branch.pass(SECOND);
      },
    );
    expect(transfer.state).toBe('fulfilled');
    branch.pass(3600 * SECOND);
    expect(await withdrawals(branch)).toEqual(['SUCCESS 0.9995', 'ROLLED_BACK 0.9995']);
    expect(await branch.balance('ann', 'BTC')).toBe('9 0');
  });

  test('whose fee has risen is not let go, and everything is still there', async () => {
    const { branch, route, lead } = await open();
    const offer = await offerFrom(route, BTC, BTC_OUTSIDE, '1');
    const cheap = { ...transferOf(offer, branch.venue.scheduler.now()), send: d('0.9999') };
    const { transfer, log } = await lead(cheap);
    expect(log).toEqual(['gather', 'withdraw', 'commit']);
    expect(transfer).toMatchObject({ state: 'expired' });
    expect(transfer.reason).toMatch(/would cost 1 with its fee, and may 0.9999/);
    expect(await withdrawals(branch)).toEqual(['ROLLED_BACK 0.9995']);
    expect(await branch.balance('ann', 'BTC')).toBe('10 0');
  });

  test('that its network fails comes back whole', async () => {
    const { branch, route } = await open();
    const offer = await offerFrom(route, BTC, BTC_OUTSIDE, '1');
    const bad = transferOf(offer, branch.venue.scheduler.now());
    const start = { ...bad, data: { ...bad.data, memo: '5' } };
    const { scheduler } = branch.venue;
    const { transfer } = await runTransfer(
      route,
      start,
      () => scheduler.now(),
      () => undefined,
    );
    expect(transfer).toMatchObject({ state: 'refunded', refunded: d('1') });
    expect(transfer.reason).toMatch(/INVALID_PAYMENT_ID/);
    expect(await branch.balance('ann', 'BTC')).toBe('10 0');
  });

  test('gives back what an earlier offer for the same transfer had set aside', async () => {
    const { branch, route, lead } = await open();
    const now = branch.venue.scheduler.now();
    const first = await offerFrom(route, BTC, BTC_OUTSIDE, '8');
    const start = transferOf(first, now);
    const gathered = { ...start, data: { ...start.data, gathered: true } };
    const step = route.next(gathered, now);
    if (step === undefined) throw new Error('there is a step');
    await route.perform(gathered, step);
    const { transfer, log } = await lead(
      transferOf(await offerFrom(route, BTC, BTC_OUTSIDE, '7'), now),
    );
    expect(log).toEqual(['gather', 'withdraw', 'commit']);
    expect(transfer.state).toBe('fulfilled');
    expect(await withdrawals(branch)).toEqual(['SUCCESS 6.9995', 'ROLLED_BACK 7.9995']);
  });

  test('of more than there is fails before anything is set aside', async () => {
    const { branch, route, lead } = await open();
    const offer = await offerFrom(route, BTC, BTC_OUTSIDE, '11');
    const { transfer, log } = await lead(transferOf(offer, branch.venue.scheduler.now()));
    expect(log).toEqual(['gather']);
    expect(transfer.state).toBe('failed');
    expect(await withdrawals(branch)).toEqual([]);
  });
});

describe('a trade', () => {
  /** Someone who buys and sells BTC around 100. */
  async function makeMarket(branch: WalletHarness): Promise<void> {
    for (const [currency, amount] of [
      ['BTC', '10'],
      ['USDT', '5000'],
    ] as const) {
      await branch.ok('bob', 'POST', '/api/3/wallet/transfer', {
        currency,
        amount,
        source: 'wallet',
        destination: 'spot',
      });
    }
    for (const [side, price, quantity] of [
      ['buy', '99', '1'],
      ['buy', '98', '2'],
      ['sell', '101', '1'],
      ['sell', '102', '2'],
    ] as const) {
      await branch.ok('bob', 'POST', '/api/3/spot/order', {
        symbol: 'BTCUSDT',
        side,
        price,
        quantity,
      });
    }
  }

  const total = async (branch: WalletHarness, currency: string): Promise<string> => {
    const balances = await Promise.all(
      ['wallet', 'spot'].map((location) => branch.balance('ann', currency, location)),
    );
    return balances
      .map((budget) => d(budget.split(' ')[0] ?? ''))
      .reduce((sum, one) => sum.plus(one))
      .toFixed();
  };

  test('sells by the book less the fee, bounded by the limit of its order', async () => {
    const { branch, route, lead } = await open();
    await makeMarket(branch);
    const offer = await offerFrom(route, BTC, USDT, '2.000004');
    // 99 and 98 less 0.25 %, and at the limit of 97.80, which is 0.2 % below the last level.
    expect([offer.send, offer.expected, offer.least].map(String)).toEqual([
      '2',
      '196.5075',
      '195.111',
    ]);
    const { transfer, log } = await lead(transferOf(offer, branch.venue.scheduler.now()));
    expect(log).toEqual(['gather', 'placeOrder', 'bringHome']);
    expect(transfer).toMatchObject({ state: 'fulfilled', arrived: d('196.5075') });
    expect(await total(branch, 'BTC')).toBe('8');
    expect(await total(branch, 'USDT')).toBe('10196.5075');
    expect(await branch.balance('ann', 'USDT')).toBe('10196.5075 0');
  });

  test('buys no more than the amount pays for at the limit', async () => {
    const { branch, route, lead } = await open('spot');
    await makeMarket(branch);
    const offer = await offerFrom(route, USDT, BTC, '200');
    const quantity = d('1.9519');
    expect(offer.least).toEqual(offer.expected);
    expect(offer.expected.toFixed(4)).toBe(quantity.toFixed());
    expect(offer.send.lessThanOrEqualTo('200')).toBe(true);
    const { transfer, log } = await lead(transferOf(offer, branch.venue.scheduler.now()));
    expect(log).toEqual(['gather', 'placeOrder']);
    expect(transfer).toMatchObject({ state: 'fulfilled', arrived: offer.expected });
    expect(await total(branch, 'BTC')).toBe(d('10').plus(offer.expected).toFixed());
    expect(await total(branch, 'USDT')).toBe(d('10000').minus(offer.send).toFixed());
  });

  test('is no larger than the limits of its strategy, by what it can come to', async () => {
    const maxNotional = new Map([['USDT', d('150')]]);
    const { branch, route } = await open('spot', { maxNotional });
    await makeMarket(branch);
    // 2 of 99 at best, and 200 of limit price: both are more than 150.
    const sale = await route.offer(BTC, USDT, d('2'));
    expect(sale).toMatchObject({ code: 'amount-above-maximum', limit: '1.51515' });
    const purchase = await route.offer(USDT, BTC, d('200'));
    expect(purchase).toMatchObject({ code: 'amount-above-maximum' });
    expect(await offerFrom(route, BTC, USDT, '1.5')).toMatchObject({ send: d('1.5') });
    expect((await offerFrom(route, USDT, BTC, '149')).send.lessThanOrEqualTo('149')).toBe(true);
  });

  test('that the book has moved away from expires, and nothing was traded', async () => {
    const { branch, route, lead } = await open();
    await makeMarket(branch);
    const offer = await offerFrom(route, BTC, USDT, '2');
    await branch.ok('bob', 'DELETE', '/api/3/spot/order');
    const { transfer } = await lead(transferOf(offer, branch.venue.scheduler.now()));
    expect(transfer.state).toBe('expired');
    expect(await total(branch, 'BTC')).toBe('10');
  });

  test.each([
    ['answer', ['placeOrder', 'placeOrder? done', 'bringHome']],
    ['request', ['placeOrder', 'placeOrder? undone', 'placeOrder', 'bringHome']],
  ] as const)('is made once when its %s is lost', async (what, steps) => {
    const { branch, relay, route, lead } = await open();
    await makeMarket(branch);
    const offer = await offerFrom(route, BTC, USDT, '2');
    relay.lose(what, 'POST /api/3/spot/order');
    const { transfer, log } = await lead(transferOf(offer, branch.venue.scheduler.now()));
    expect(relay.hasLostAll).toBe(true);
    expect(log).toEqual(['gather', ...steps]);
    expect(transfer).toMatchObject({ state: 'fulfilled', arrived: d('196.5075') });
    expect(await total(branch, 'BTC')).toBe('8');
    expect(await total(branch, 'USDT')).toBe('10196.5075');
  });

  test('that was done while its outcome was asked for is not done again', async () => {
    const { branch, route } = await open();
    await makeMarket(branch);
    const { scheduler } = branch.venue;
    const start = transferOf(await offerFrom(route, BTC, USDT, '1'), scheduler.now());
    const [gather] = [route.next(start, scheduler.now())];
    if (gather === undefined) throw new Error('there is a step');
    const gathered = { ...start, data: { ...start.data, gathered: true } };
    await route.perform(start, gather);
    const order = route.next(gathered, scheduler.now());
    if (order === undefined) throw new Error('there is a step');
    expect(await route.recall(gathered, order)).toBe('undone');
    const first = await route.perform(gathered, order);
    const second = await route.perform(gathered, order);
    expect(second).toEqual(first);
    expect(await total(branch, 'BTC')).toBe('9');
  });

  test.each([
    ['answer', ['bringHome', 'bringHome? done']],
    ['request', ['bringHome', 'bringHome? undone', 'bringHome']],
  ] as const)('brings home what it got when the %s of that is lost', async (what, steps) => {
    const { branch, relay, route, lead } = await open();
    await makeMarket(branch);
    const offer = await offerFrom(route, BTC, USDT, '2');
    relay.lose(what, '"source":"spot"');
    const { transfer, log } = await lead(transferOf(offer, branch.venue.scheduler.now()));
    expect(log).toEqual(['gather', 'placeOrder', ...steps]);
    expect(transfer.state).toBe('fulfilled');
    expect(await branch.balance('ann', 'USDT')).toBe('10196.5075 0');
  });

  test('that is too small or too large for the market has no offer', async () => {
    const { branch, route } = await open();
    await makeMarket(branch);
    expect(await route.offer(BTC, USDT, d('0.000009'))).toMatchObject({
      code: 'amount-below-minimum',
    });
    expect(await route.offer(BTC, USDT, d('3.1'))).toMatchObject({
      code: 'liquidity-insufficient',
    });
    expect(await route.offer(USDT, BTC, d('500'))).toMatchObject({
      code: 'liquidity-insufficient',
    });
    expect(await route.offer(USDT, BTC, d('0.0001'))).toMatchObject({
      code: 'amount-below-minimum',
    });
  });
});

test('no offer comes from a service that cannot be reached', async () => {
  const { relay, route } = await open();
  relay.lose('request', '/public/currency');
  expect(await route.offer(BTC, BTC_OUTSIDE, d('1'))).toMatchObject({
    code: 'venue-unreachable',
  });
});
