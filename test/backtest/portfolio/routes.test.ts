import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import type { RunPortfolio } from '../../../src/backtest/portfolio/settings.ts';
import { US_PER_SECOND } from '../../../src/platform/time.ts';
import { network, orders, Rig, service, targets } from './rig.ts';

/** A price of 50,000 in the middle, so that 0.1 BTC are worth 5,000. */
async function rigOf(changes: Partial<RunPortfolio>, seed?: number): Promise<Rig> {
  const rig = await Rig.open(changes, seed);
  rig.quote(49_995, 50_005);
  return rig;
}

const last = (rig: Rig) => rig.reports.at(-1);
const states = (rig: Rig) =>
  rig.reported.filter((line) => line.includes(' moved ')).map((line) => line.split(' is ')[1]);

describe('a withdrawal', () => {
  const networks = new Map([['ethereum', network()]]);
  const even = targets({ 'USDT@trading': '0.5', 'USDT@ethereum': '0.5' });

  test('leaves the account at once and is in the wallet after its time, less the fee', async () => {
    const rig = await rigOf({ networks });
    rig.managedOrder(even);
    await rig.pass(2);
    expect(rig.held('USDT@ethereum')).toBe('4000');
    expect(decimal(rig.held('USDT@trading')).lessThan(6_000)).toBe(true);
    await rig.pass(120);
    expect(last(rig)).toMatchObject({ state: 'done' });
    const arrived = decimal(rig.held('USDT@ethereum')).minus(4_000);
    const left = decimal('6000').minus(rig.held('USDT@trading'));
    expect(left.minus(arrived).toFixed()).toBe('2');
    expect(rig.portfolio.outside.earned.get('USDT')?.toFixed()).toBe('2');
  });

  test('that fails comes back whole, and is planned once more', async () => {
    const failing = new Map([['ethereum', network({ fails: 1 })]]);
    const rig = await rigOf({ networks: failing });
    rig.managedOrder(even);
    await rig.pass(1_000);
    expect(last(rig)).toMatchObject({ state: 'incomplete' });
    expect(last(rig)?.transfers.map(({ state }) => state)).toEqual(['refunded']);
    expect([rig.held('USDT@trading'), rig.held('USDT@ethereum')]).toEqual(['6000', '4000']);
  });
});

describe('a trade', () => {
  const managed = targets({ 'USDT@trading': '0.7', 'BTC@trading': '0.3' }, { band: '0.01' });

  test('is an order on the exchange of the run, of which the strategy sees the balances alone', async () => {
    const rig = await rigOf({});
    rig.managedOrder(managed);
    await rig.pass(5);
    expect(last(rig)).toMatchObject({ state: 'done' });
    expect(decimal(rig.held('BTC@trading')).lessThan('0.1')).toBe(true);
    expect(rig.reported).not.toContain('trade');
    const [house] = [0].map((account) => rig.venue.exchange.ledger.available(account, 1));
    expect(house?.greaterThan(0), 'the exchange earned a fee').toBe(true);
  });

  test('is not made where the book has moved beyond the limit', async () => {
    const rig = await rigOf({});
    rig.managedOrder(managed);
    // Planned after a second at the price of before; the order arrives 20 ms later.
    await rig.pass(1.01);
    rig.quote(40_000, 40_010);
    await rig.pass(0.04);
    expect(states(rig)).toEqual(['expired. The book had moved away.']);
    expect(rig.held('BTC@trading')).toBe('0.1');
    await rig.pass(10);
    expect(last(rig), 'planned once more, at the new price').toMatchObject({ state: 'done' });
  });
});

describe('a swap', () => {
  const even = targets({ 'USDT@ethereum': '0.5', 'BTC@bitcoin': '0.5' });
  const services = (changes = {}) => ({ services: new Map([['swaps', service(changes)]]) });

  test('brings the middle of the book less spread and fee, in the times of its model', async () => {
    const rig = await rigOf(services());
    rig.managedOrder(even);
    await rig.pass(300);
    const [transfer] = last(rig)?.transfers ?? [];
    expect(transfer).toMatchObject({
      state: 'fulfilled',
      from: 'BTC@bitcoin',
      to: 'USDT@ethereum',
    });
    const value = transfer?.send.times(50_000).times('0.998').minus(1);
    expect(transfer?.arrived?.toFixed()).toBe(value?.toDecimalPlaces(8, 1).toFixed());
    expect(states(rig)).toEqual(['created.', 'approved.', 'deposited.', 'fulfilled.']);
  });

  test.each([
    ['failed', { failed: 1 }],
    ['refunded', { refunded: 1 }],
  ])('that is %s costs nothing and is planned once more', async (state, chances) => {
    const none = { refused: 0, expired: 0, failed: 0, refunded: 0 };
    const rig = await rigOf(services({ chances: { ...none, ...chances } }));
    rig.managedOrder(even);
    await rig.pass(1_000);
    expect(last(rig)).toMatchObject({ state: 'incomplete' });
    expect(last(rig)?.transfers.map((transfer) => transfer.state)).toEqual([state]);
    expect([rig.held('USDT@ethereum'), rig.held('BTC@bitcoin')]).toEqual(['4000', '0.1']);
  });

  test('whose offers fall when they are taken up is given up in the end, unpaid', async () => {
    const chances = { refused: 0, expired: 1, failed: 0, refunded: 0 };
    const rig = await rigOf(services({ chances }));
    rig.managedOrder(even);
    await rig.pass(4_000);
    expect(last(rig)).toMatchObject({ state: 'incomplete' });
    expect(last(rig)?.transfers[0]?.reason).toContain('not paid in time');
    expect(rig.held('BTC@bitcoin')).toBe('0.1');
  });

  test('is refused with a reason where there are no offers, or more is asked for than is taken', async () => {
    const chances = { refused: 1, expired: 0, failed: 0, refunded: 0 };
    const rig = await rigOf(services({ chances }));
    rig.managedOrder(even);
    await rig.pass(2);
    expect(last(rig)).toMatchObject({ state: 'refused', rejection: { code: 'plan-impossible' } });
    const small = await rigOf(services({ maximum: decimal('100') }));
    small.managedOrder(even);
    await small.pass(2);
    expect(last(small)).toMatchObject({ state: 'refused', rejection: { code: 'plan-impossible' } });
  });

  test('of more costs more by its impact, for each 1,000 of value', async () => {
    const rig = await rigOf(services({ impact: decimal('0.01') }));
    rig.managedOrder(targets({ 'USDT@ethereum': '0.5', 'BTC@bitcoin': '0.5' }, { band: '0.001' }));
    await rig.pass(300);
    const [transfer] = last(rig)?.transfers ?? [];
    const value = transfer?.send.times(50_000) ?? decimal('0');
    const lost = value.dividedBy(1_000).times('0.01').plus('0.002');
    const brings = value.times(decimal('1').minus(lost)).minus(1);
    expect(transfer?.arrived?.toFixed()).toBe(brings.toDecimalPlaces(8, 1).toFixed());
  });
});

describe('an exchange order', () => {
  const even = targets({ 'USDT@ethereum': '0.5', 'BTC@bitcoin': '0.5' });
  const services = (changes = {}) => ({ services: new Map([['orders', orders(changes)]]) });

  test('brings its rate less the fees of service and payout, once its payment is in a block', async () => {
    const rig = await rigOf(services());
    rig.managedOrder(even);
    await rig.pass(300);
    const [transfer] = last(rig)?.transfers ?? [];
    expect(transfer).toMatchObject({
      state: 'fulfilled',
      from: 'BTC@bitcoin',
      to: 'USDT@ethereum',
    });
    const value = transfer?.send.times(50_000).times('0.998').toDecimalPlaces(8, 1).minus(1);
    expect(transfer?.arrived?.toFixed()).toBe(value?.toFixed());
    expect(states(rig)).toEqual(['created.', 'deposited.', 'fulfilled.']);
    expect(rig.portfolio.outside.earned.get('USDT')?.negated().toFixed()).toBe(
      transfer?.arrived?.toFixed(),
    );
  });

  test('that is not exchanged gives the money back, and is planned once more', async () => {
    const chances = { refused: 0, expired: 0, refunded: 1 };
    const rig = await rigOf(services({ chances }));
    rig.managedOrder(even);
    await rig.pass(1_000);
    expect(last(rig)).toMatchObject({ state: 'incomplete' });
    expect(last(rig)?.transfers.map(({ state }) => state)).toEqual(['refunded']);
    expect([rig.held('USDT@ethereum'), rig.held('BTC@bitcoin')]).toEqual(['4000', '0.1']);
  });
});

describe('a managed order', () => {
  test('is planned after the time that planning takes, and a newer one counts', async () => {
    const networks = new Map([['ethereum', network()]]);
    const rig = await rigOf({ networks, planning: 30 * US_PER_SECOND });
    rig.managedOrder(targets({ 'USDT@trading': '0.5', 'USDT@ethereum': '0.5' }));
    await rig.pass(29);
    expect(rig.reports).toEqual([]);
    rig.managedOrder(targets({ 'USDT@trading': '0.4', 'USDT@ethereum': '0.6' }));
    await rig.pass(300);
    // The first was paid before the second came: it is led to its end, then the second is planned.
    expect(last(rig)).toMatchObject({ state: 'done' });
    const there = decimal(rig.held('USDT@ethereum')).toNumber();
    expect(there / 10_000).toBeGreaterThan(0.57);
  });

  test('that is met already moves nothing', async () => {
    const rig = await rigOf({ networks: new Map([['ethereum', network()]]) });
    rig.managedOrder(targets({ 'USDT@trading': '0.6', 'USDT@ethereum': '0.4' }));
    await rig.pass(5);
    expect(last(rig)).toMatchObject({ state: 'balanced', transfers: [] });
  });
});
