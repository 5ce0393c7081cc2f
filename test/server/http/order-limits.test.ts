import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import { isRejection } from '../../../src/model/rejections.ts';
import { openVenue, type TestVenue } from '../kit.ts';

const CODES = Array.from({ length: 13 }, (_, i) => String.fromCharCode(65 + i).repeat(3));
const LIMIT = { error: { code: 20045, message: 'Order limit exceeded' } };

/** A venue with thirteen symbols against USDT. */
const wide = async (): Promise<TestVenue> =>
  openVenue({
    instruments: CODES.map(
      (code) =>
        new Instrument({
          symbol: `${code}USDT`,
          type: 'spot',
          baseCurrency: code,
          quoteCurrency: 'USDT',
          tickSize: '0.01',
          quantityIncrement: '1',
          takeRate: '0.001',
          makeRate: '0.001',
          feeCurrency: 'USDT',
        }),
    ),
  });

/** Orders of an account on a symbol that were there before; the first is a stop, which waits. */
function fill(venue: TestVenue, account: number, symbol: string, count: number): void {
  const form = { symbol, side: 'buy', quantity: decimal('1'), price: decimal('1') } as const;
  for (let i = 0; i < count; i += 1) {
    const stop = i === 0 ? ({ type: 'stopLimit', stopPrice: decimal('900') } as const) : {};
    const rejection = venue.trading.act((exchange, at) =>
      exchange.forms.place(account, { ...form, ...stop }, at),
    );
    if (isRejection(rejection)) throw new Error(rejection.message);
  }
}

const place = async (venue: TestVenue, symbol: string, id?: string) =>
  venue.call('POST', '/api/3/spot/order', {
    as: 'crowd',
    json: {
      symbol,
      side: 'buy',
      quantity: '1',
      price: '1',
      client_order_id: id,
    },
  });

describe('how many orders an account may have', () => {
  test(
    '2,000 on a symbol, suspended ones among them',
    {
      tags: [
        'server:trading-v3.limit.orders-per-symbol',
        'server:trading-v3.limit.orders-limit-code',
      ],
    },
    async () => {
      const venue = await wide();
      const account = venue.join('crowd', { spot: { USDT: '10000000' } });
      fill(venue, account, 'AAAUSDT', 1_999);
      expect((await place(venue, 'AAAUSDT', 'the-last-that-fits')).status).toBe(200);
      const { status, body } = await place(venue, 'AAAUSDT');
      expect([status, body]).toMatchObject([400, LIMIT]);
      expect((await place(venue, 'BBBUSDT')).status).toBe(200);
      await venue.call('DELETE', '/api/3/spot/order/the-last-that-fits', { as: 'crowd' });
      expect((await place(venue, 'AAAUSDT')).status).toBe(200);
    },
  );

  test('25,000 on all symbols', { tags: ['server:trading-v3.limit.orders-total'] }, async () => {
    const venue = await wide();
    const account = venue.join('crowd', { spot: { USDT: '100000000' } });
    for (const code of CODES.slice(0, 12)) fill(venue, account, `${code}USDT`, 2_000);
    fill(venue, account, 'MMMUSDT', 999);
    expect((await place(venue, 'MMMUSDT')).status).toBe(200);
    const { status, body } = await place(venue, 'MMMUSDT');
    expect([status, body]).toMatchObject([400, LIMIT]);
  });
});
