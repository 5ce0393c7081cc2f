import { expect } from 'vitest';
import { decimal } from '../../../../src/model/decimal.ts';
import type { Side } from '../../../../src/model/order.ts';
import { US_PER_HOUR, US_PER_MINUTE, US_PER_SECOND } from '../../../../src/platform/time.ts';
import type { TestVenue } from '../../../server/kit.ts';
import { MarketHarness } from '../../../server/market/harness.ts';

const PERP = 'ETHUSDT_PERP';

/** Places an order for a contract on an isolated account. */
function contract(venue: TestVenue, as: string, side: Side, price: string, quantity: string): void {
  const { trading } = venue;
  const account = trading.members.key(as)?.account ?? -1;
  const order = { type: 'limit', price: decimal(price), quantity: decimal(quantity) } as const;
  const form = { ...order, side, symbol: PERP, margin: { mode: 'isolated' } as const };
  expect(trading.act((exchange, now) => exchange.forms.place(account, form, now))).toBe(undefined);
}

/** A perpetual whose index is 2000, with a book around 2010 and a position of 1.5 in it. */
function openContract(venue: TestVenue): void {
  const { exchange } = venue.trading;
  venue.trading.act((_, now) => {
    exchange.margin.index(exchange.instrument(PERP), decimal('2000'), now);
  });
  for (const name of ['demo', 'other']) {
    const account = venue.trading.members.key(name)?.account ?? -1;
    exchange.derivatives.deposit(account, 'USDT', decimal('100000'));
    const terms = { marginBalance: decimal('50000'), leverage: decimal('10') };
    const setting = { mode: 'isolated', symbol: PERP, ...terms } as const;
    venue.trading.act((_, now) => exchange.margin.set(account, setting, now));
  }
  contract(venue, 'demo', 'sell', '2010.000', '1.5');
  contract(venue, 'other', 'buy', '2010.000', '1.5');
  contract(venue, 'demo', 'sell', '2010.000', '20');
  contract(venue, 'demo', 'buy', '2006.000', '20');
}

/**
 * A market with a past, from 10:00:00 on the day on which venues of tests open: trades of BTCUSDT
 * in the first three seconds and in the second half hour, one of ETHBTC, books of two levels, a
 * contract, and a funding of it at 16:00. It is 16:00:01 then.
 */
export function openMarket(venue: TestVenue): void {
  const floor = new MarketHarness(venue);
  for (const [side, price] of [
    ['buy', '100.00'],
    ['sell', '90.50'],
    ['buy', '110.25'],
  ] as const) {
    floor.trade('BTCUSDT', side, price, '0.2');
    venue.pass(US_PER_SECOND);
  }
  floor.trade('ETHBTC', 'sell', '0.060000', '1');
  openContract(venue);
  venue.pass(30 * US_PER_MINUTE);
  floor.trade('BTCUSDT', 'buy', '105.00', '0.4');
  floor.rest('BTCUSDT', 'sell', '106.00', '2');
  floor.rest('BTCUSDT', 'sell', '107.00', '1');
  floor.rest('BTCUSDT', 'buy', '104.00', '3');
  floor.rest('BTCUSDT', 'buy', '103.00', '1');
  venue.pass(6 * US_PER_HOUR - 30 * US_PER_MINUTE - 2 * US_PER_SECOND);
}
