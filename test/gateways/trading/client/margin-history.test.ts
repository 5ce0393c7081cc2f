import { describe, expect, test } from 'vitest';
import { OPENED } from '../../../server/kit.ts';
import {
  bitcoin,
  onMargin,
  openHarness,
  type MarginHarness,
} from '../../../server/margin/harness.ts';
import { US_PER_HOUR, US_PER_MINUTE } from '../../../../src/platform/time.ts';
import { openSubscriptions, type Subscriptions } from '../kit/accounts.ts';
import { at, d } from '../kit/values.ts';

const HISTORY = '/api/3/margin/history';

/** A client with margin accounts for BTCUSDT and ETHUSDT, the first shown at 49,999 to 50,000. */
async function funded(): Promise<Subscriptions & { readonly floor: MarginHarness }> {
  const floor = await openHarness();
  floor.quote('49999.00', '50000.00');
  floor.quote('2999.000', '3000.000', 'ETHUSDT');
  await floor.fund('10000');
  await floor.fund('5000', 'ETHUSDT');
  return { ...(await openSubscriptions(floor.venue)), floor };
}

const buy = (client_order_id: string, more: object = {}) => ({
  client_order_id,
  symbol: 'BTCUSDT',
  side: 'buy' as const,
  quantity: '0.01',
  price: '50000',
  ...more,
});

const names = (found: readonly { readonly client_order_id: string }[]) =>
  found.map(({ client_order_id: name }) => name);

/** A time bound as it stands in a query. */
const bound = (iso: string) => encodeURIComponent(iso);

describe('the history of margin orders', () => {
  test(
    'is asked for with the filters that are given',
    { tags: ['client:trading-v3.margin.get-history-orders'] },
    async () => {
      const { rest, relay, floor } = await funded();
      for (const name of ['order-001', 'order-002', 'order-003']) {
        await rest.createMarginOrder(buy(name));
        floor.venue.pass(US_PER_MINUTE);
      }
      await rest.createMarginOrder(buy('order-004', { symbol: 'ETHUSDT', price: '1000' }));
      const all = await rest.getMarginOrderHistory();
      expect(names(all)).toEqual(['order-004', 'order-003', 'order-002', 'order-001']);
      expect(relay.sent).toEqual([`GET ${HISTORY}/order`]);
      const page = { sort: 'ASC', limit: 2, offset: 1 } as const;
      const some = await rest.getMarginOrderHistory({ ...page, symbol: ['BTCUSDT', 'ETHUSDT'] });
      expect(names(some)).toEqual(['order-002', 'order-003']);
      expect(new Set(new URL(`http://x${String(relay.sent[0]).slice(4)}`).searchParams)).toEqual(
        new Set([
          ['sort', 'ASC'],
          ['limit', '2'],
          ['offset', '1'],
          ['symbol', 'BTCUSDT,ETHUSDT'],
        ]),
      );
      const from = { kind: 'time', at: at('2026-01-05T10:01:00Z') } as const;
      const till = { kind: 'time', at: at('2026-01-05T10:02:00Z') } as const;
      const timed = await rest.getMarginOrderHistory({ by: 'timestamp', from, till });
      expect(names(timed)).toEqual(['order-003', 'order-002']);
      const [, third = 0, second = 0] = all.map(({ id }) => id);
      const byId = await rest.getMarginOrderHistory({
        by: 'id',
        from: { kind: 'number', value: second },
        till: { kind: 'number', value: third },
      });
      expect(names(byId)).toEqual(['order-003', 'order-002']);
      expect(relay.sent).toEqual([`GET ${HISTORY}/order?by=id&from=${second}&till=${third}`]);
      await rest.getMarginOrderHistory({ client_order_id: 'order-001' });
      expect(relay.sent).toEqual([`GET ${HISTORY}/order?client_order_id=order-001`]);
    },
  );

  test(
    'may have several orders of one name, which stay apart',
    { tags: ['client:trading-v3.margin.history-orders-same-client-id'] },
    async () => {
      const { rest, floor } = await funded();
      const first = await rest.createMarginOrder(buy('the-name-'));
      floor.venue.pass(2 * US_PER_MINUTE);
      const second = await rest.createMarginOrder(buy('the-name-', { quantity: '0.02' }));
      const found = await rest.getMarginOrderHistory({ client_order_id: 'the-name-' });
      expect(found.map(({ id, quantity }) => [id, quantity])).toEqual([
        [second.id, d('0.02')],
        [first.id, d('0.01')],
      ]);
      expect(second.id).not.toBe(first.id);
    },
  );

  test(
    'has every member of an order, those of a kind where they apply',
    { tags: ['client:trading-v3.margin.history-order-record'] },
    async () => {
      const { rest } = await funded();
      const expiring = { time_in_force: 'GTD', expire_time: at('2026-01-06T10:00:00Z') } as const;
      await rest.createMarginOrder(buy('limited--', expiring));
      const limited = {
        id: expect.any(Number) as number,
        client_order_id: 'limited--',
        symbol: 'BTCUSDT',
        side: 'buy',
        status: 'filled',
        type: 'limit',
        ...expiring,
        quantity: d('0.01'),
        quantity_cumulative: d('0.01'),
        price: d('50000'),
        price_average: d('50000'),
        post_only: false,
        reduce_only: false,
        close_position: false,
        margin_mode: 'isolated',
        position_id: 1,
        created_at: OPENED,
        updated_at: OPENED,
      };
      expect(await rest.getMarginOrderHistory()).toEqual([limited]);
      const sell = { symbol: 'BTCUSDT', side: 'sell' } as const;
      const stop = { type: 'stopMarket', stop_price: '45000', close_position: true } as const;
      await rest.createMarginOrderList({
        contingency_type: 'oneCancelOther',
        orders: [
          { ...sell, client_order_id: 'of-list--', price: '60000', quantity: '0.01' },
          { ...sell, client_order_id: 'stopping-', ...stop },
        ],
      });
      const [stopping] = await rest.getMarginOrderHistory();
      const { price: _, expire_time: __, position_id: ___, ...defaults } = limited;
      expect(stopping).toEqual({
        ...defaults,
        ...stop,
        reduce_only: true,
        client_order_id: 'stopping-',
        side: 'sell',
        status: 'suspended',
        time_in_force: 'FOK',
        stop_price: d('45000'),
        quantity: d('0'),
        quantity_cumulative: d('0'),
        price_average: d('0'),
        order_list_id: 'of-list--',
        contingency_type: 'oneCancelOther',
      });
    },
  );
});

describe('the history of margin trades', () => {
  test(
    'is asked for by order, position, symbols and bounds',
    { tags: ['client:trading-v3.margin.get-history-trades'] },
    async () => {
      const { rest, relay, floor } = await funded();
      const opening = await rest.createMarginOrder(buy('opening--'));
      floor.venue.pass(US_PER_MINUTE);
      await rest.createMarginOrder(buy('of-ether-', { symbol: 'ETHUSDT', price: '3000' }));
      floor.venue.pass(US_PER_MINUTE);
      await rest.createMarginOrder(buy('closing--', { side: 'sell', price: '49999' }));
      const trades = rest.getMarginTradeHistory;
      expect(names(await trades({ order_id: opening.id }))).toEqual(['opening--']);
      expect(relay.sent).toEqual([`GET ${HISTORY}/trade?order_id=${opening.id}`]);
      expect(names(await trades({ position_id: 1 }))).toEqual(['closing--', 'opening--']);
      expect(relay.sent).toEqual([`GET ${HISTORY}/trade?position_id=1`]);
      const both = { symbol: ['BTCUSDT', 'ETHUSDT'] };
      expect(names(await trades(both))).toEqual(['closing--', 'of-ether-', 'opening--']);
      expect(relay.sent).toEqual([`GET ${HISTORY}/trade?symbol=BTCUSDT%2CETHUSDT`]);
      const timed = {
        from: { kind: 'time', at: at('2026-01-05T10:01:00Z') },
        till: { kind: 'time', at: at('2026-01-05T10:01:30.5Z') },
      } as const;
      expect(names(await trades({ by: 'timestamp', ...timed }))).toEqual(['of-ether-']);
      const [from, till] = ['2026-01-05T10:01:00Z', '2026-01-05T10:01:30.5Z'].map(bound);
      const line = `GET ${HISTORY}/trade?by=timestamp&from=${from}&till=${till}`;
      expect(relay.sent).toEqual([line]);
    },
  );

  test(
    'has every member of a trade',
    { tags: ['client:trading-v3.margin.history-trade-record'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.createMarginOrder(buy('opening--'));
      const closing = await rest.createMarginOrder(
        buy('closing--', { side: 'sell', price: '49999' }),
      );
      const trade = {
        id: closing.trades?.[0]?.id,
        order_id: closing.id,
        client_order_id: 'closing--',
        symbol: 'BTCUSDT',
        side: 'sell',
        quantity: d('0.01'),
        price: d('49999'),
        fee: d('1.249975'),
        timestamp: OPENED,
        margin_mode: 'isolated',
        taker: true,
        position_id: 1,
        pnl: d('-0.01'),
        liquidation: false,
      };
      expect(await rest.getMarginTradeHistory({ limit: 1 })).toEqual([trade]);
      // A maker that is paid has a negative fee, and what came later may be absent.
      const { pnl: _, liquidation: __, position_id: ___, ...bare } = trade;
      const wire = { ...bare, price: '49999.00', quantity: '0.01000', fee: '-0.0500000' };
      relay.answer([{ ...wire, timestamp: '2026-01-05T10:00:00.5Z', taker: false }]);
      expect(await rest.getMarginTradeHistory()).toEqual([
        { ...bare, fee: d('-0.05'), timestamp: OPENED + 500_000, taker: false },
      ]);
    },
  );
});

describe('what is over', () => {
  test(
    'closed positions are listed, of a symbol where one is given',
    { tags: ['client:trading-v3.margin.get-history-positions'] },
    async () => {
      const { rest, relay, floor } = await funded();
      await rest.createMarginOrder(buy('order-001', { quantity: '0.02' }));
      await rest.createMarginOrder(buy('order-002', { symbol: 'ETHUSDT', price: '3000' }));
      floor.quote('51000.00', '51001.00');
      floor.venue.pass(US_PER_HOUR);
      await rest.closeMarginPositions();
      expect(await rest.getMarginPositionHistory({ symbol: ['BTCUSDT'] })).toEqual([
        {
          id: 1,
          symbol: 'BTCUSDT',
          margin_mode: 'Isolated',
          leverage: d('25'),
          quantity: d('0'),
          quantity_max: d('0.02'),
          price_entry: d('50000'),
          price_close: d('51000'),
          price_margin_call: d('0'),
          price_liquidation: d('0'),
          pnl: d('20'),
          fee_cumulative: d('5.05'),
          liquidated: false,
          created_at: OPENED,
          updated_at: OPENED + US_PER_HOUR,
        },
      ]);
      expect(relay.sent).toEqual([`GET ${HISTORY}/positions?symbol=BTCUSDT`]);
      const all = await rest.getMarginPositionHistory();
      expect(all.map(({ symbol }) => symbol)).toEqual(['ETHUSDT', 'BTCUSDT']);
      expect(relay.sent).toEqual([`GET ${HISTORY}/positions`]);
    },
  );

  test(
    'interest that was taken is listed',
    { tags: ['client:trading-v3.margin.get-history-clearing'] },
    async () => {
      const terms = { takeRate: '0', margin: onMargin() };
      const floor = await openHarness({
        instruments: [bitcoin(terms)],
        exchange: { margin: { dailyRates: { USDT: '0.00039' } } },
      });
      const { rest, relay } = await openSubscriptions(floor.venue);
      floor.quote('10000.00', '10000.00');
      await floor.fund('5000');
      await rest.createMarginOrder(buy('of-bitcoin', { quantity: '2', price: '10000' }));
      floor.venue.pass(6 * US_PER_HOUR);
      expect(await rest.getMarginClearingHistory({ sort: 'ASC' })).toEqual([
        {
          id: 1,
          symbol: 'BTCUSDT',
          position_id: 1,
          kind: 'interest',
          quantity: d('2'),
          price: d('10000'),
          rate: d('0.00039'),
          amount: d('-2.6'),
          currency: 'USDT',
          timestamp: at('2026-01-05T16:00:00Z'),
        },
      ]);
      expect(relay.sent).toEqual([`GET ${HISTORY}/clearing?sort=ASC`]);
    },
  );
});
