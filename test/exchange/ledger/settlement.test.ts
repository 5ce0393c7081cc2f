import { expect, test } from 'vitest';
import { HOUSE } from '../../../src/exchange/ledger/ledger.ts';
import { decimal, Decimal } from '../../../src/model/decimal.ts';
import { Floor, instrumentOf } from '../kit.ts';

/** Near 2^52, so that the values of two trades are beyond 2^53 together, and some of one alone. */
const TICKS = 4_503_599_627_370_001;

test.each(['USDT', 'BTC'])(
  'who takes much pays for each trade exactly, fees in %s',
  (feeCurrency) => {
    const floor = new Floor([instrumentOf({ feeCurrency })]);
    const maker = floor.account({ BTC: '101' });
    const taker = floor.account({ USDT: '900719925474099100000' });
    const sizes = [1, 1, 2, 5, 1];
    sizes.forEach((lots, i) => {
      floor.place(maker, `maker-00${i}`, { side: 'sell', lots, ticks: TICKS + i });
    });
    floor.place(taker, 'taker-001', {
      side: 'buy',
      lots: 9,
      ticks: TICKS + 10,
      timeInForce: 'IOC',
    });
    const bought = [1, 1, 2, 5];
    const value = bought.reduce(
      (sum, lots, i) => sum.plus(decimal(String(TICKS + i)).times(lots)),
      new Decimal(0),
    );
    const inQuote = feeCurrency === 'USDT';
    const balance = (account: number, currency: string): string =>
      floor.exchange.balance(account, currency).available.toFixed();
    const paid = inQuote ? value.times('1.002') : value;
    expect(balance(taker, 'USDT')).toBe(decimal('900719925474099100000').minus(paid).toFixed());
    expect(balance(taker, 'BTC')).toBe(inQuote ? '9' : '8.982');
    expect(balance(maker, 'USDT')).toBe((inQuote ? value.times('0.999') : value).toFixed());
    const { ledger } = floor.exchange;
    const fees = ledger.available(HOUSE, ledger.currency(feeCurrency)).toFixed();
    expect(fees).toBe(inQuote ? value.times('0.003').toFixed() : '0.027');
    expect(floor.exchange.balance(taker, 'USDT').reserved.toFixed()).toBe('0');
  },
);
