import { describe, expect, test } from 'vitest';
import { OPENED } from '../../../server/kit.ts';
import { openHarness, type MarginHarness } from '../../../server/margin/harness.ts';
import { openSubscriptions, type Subscriptions } from '../kit/accounts.ts';
import { d } from '../kit/values.ts';

const ACCOUNT = '/api/3/margin/account';
const POSITION = '/api/3/margin/position';

/** A client on a market of BTCUSDT at 49,999 to 50,000. */
async function open(): Promise<Subscriptions & { readonly floor: MarginHarness }> {
  const floor = await openHarness();
  floor.quote('49999.00', '50000.00');
  return { ...(await openSubscriptions(floor.venue)), floor };
}

/** The same with a margin account of 10,000. */
async function funded(): Promise<Subscriptions & { readonly floor: MarginHarness }> {
  const subscriptions = await open();
  await subscriptions.rest.setIsolatedMarginAccount({ symbol: 'BTCUSDT', margin_balance: '10000' });
  return subscriptions;
}

const usdt = (margin_balance: string, reserved_positions = '0', reserved_orders = '0') => ({
  code: 'USDT',
  margin_balance: d(margin_balance),
  reserved_orders: d(reserved_orders),
  reserved_positions: d(reserved_positions),
});

const account = (margin_balance: string, more: object = {}) => ({
  symbol: 'BTCUSDT',
  type: 'isolated',
  leverage: d('25'),
  created_at: OPENED,
  updated_at: OPENED,
  currencies: [usdt(margin_balance)],
  positions: null,
  ...more,
});

const cross = (margin_balance: string) => {
  const { symbol: _, leverage: __, ...rest } = account(margin_balance);
  return { ...rest, currency: 'USDT', type: 'cross' };
};

const long = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.1', price: '50000' } as const;
const short = { ...long, side: 'sell', price: '49999' } as const;

/** A position in which nothing is left. */
const closed = (pnl: string, fees: string, more: object = {}) => ({
  id: 1,
  symbol: 'BTCUSDT',
  margin_mode: 'Isolated',
  leverage: d('25'),
  quantity: d('0'),
  price_entry: d('50000'),
  price_margin_call: d('0'),
  price_liquidation: d('0'),
  pnl: d(pnl),
  fee_cumulative: d(fees),
  created_at: OPENED,
  updated_at: OPENED,
  ...more,
});

describe('a margin account of the client', () => {
  test(
    'is set to a balance, strictly where that is said',
    { tags: ['client:trading-v3.margin.put-account-isolated'] },
    async () => {
      const { rest, relay } = await open();
      const asked = { margin_balance: '10000.5', strict_validate: true };
      expect(await rest.setIsolatedMarginAccount({ symbol: 'BTCUSDT', ...asked })).toEqual(
        account('10000.5'),
      );
      expect(relay.sent).toEqual([`PUT ${ACCOUNT}/isolated/BTCUSDT`, asked]);
      const less = { symbol: 'BTCUSDT', margin_balance: d('4000') };
      expect(await rest.setIsolatedMarginAccount(less)).toEqual(account('4000'));
      expect(relay.sent).toEqual([`PUT ${ACCOUNT}/isolated/BTCUSDT`, { margin_balance: '4000' }]);
    },
  );

  test(
    'is asked for by its symbol',
    { tags: ['client:trading-v3.margin.get-account-isolated'] },
    async () => {
      const { rest, relay } = await funded();
      expect(await rest.getIsolatedMarginAccount({ symbol: 'BTCUSDT' })).toEqual(account('10000'));
      expect(relay.sent).toEqual([`GET ${ACCOUNT}/isolated/BTCUSDT`]);
    },
  );

  test(
    'of cross margin is asked for by its currency',
    { tags: ['client:trading-v3.margin.get-account-cross'] },
    async () => {
      const { rest, relay } = await open();
      await rest.setCrossMarginAccount({ currency: 'USDT', margin_balance: '2000' });
      expect(relay.sent).toEqual([`PUT ${ACCOUNT}/cross/USDT`, { margin_balance: '2000' }]);
      expect(await rest.getCrossMarginAccount({ currency: 'USDT' })).toEqual(cross('2000'));
      expect(relay.sent).toEqual([`GET ${ACCOUNT}/cross/USDT`]);
    },
  );

  test(
    'stands in a list with those of cross margin',
    { tags: ['client:trading-v3.margin.get-accounts'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.setCrossMarginAccount({ currency: 'USDT', margin_balance: '2000' });
      expect(await rest.getMarginAccounts()).toEqual([account('10000'), cross('2000')]);
      expect(relay.sent).toEqual([`GET ${ACCOUNT}`]);
    },
  );

  test(
    'has its funds and what orders and positions reserve of them',
    { tags: ['client:trading-v3.margin.account-currencies'] },
    async () => {
      const { rest } = await funded();
      await rest.createMarginOrder(long);
      await rest.createMarginOrder({ ...long, quantity: '0.2', price: '30000' });
      const { currencies } = await rest.getIsolatedMarginAccount({ symbol: 'BTCUSDT' });
      // 5,000/25 and a loss of 0.05 at 49,999.50, and fees of 0.0025 × (5,000 + 200.05).
      // The order: 6,000 × (1/25 + 0.0025 + 0.0025 × (1 + 1/25)).
      expect(currencies).toEqual([usdt('9987.5', '213.050125', '270.6')]);
    },
  );

  test(
    'shows a short with a negative quantity, and null where there is none',
    { tags: ['client:trading-v3.margin.account-positions'] },
    async () => {
      const { rest, relay, floor } = await funded();
      await rest.createMarginOrder(short);
      floor.quote('50099.00', '50101.00');
      const { positions } = await rest.getIsolatedMarginAccount({ symbol: 'BTCUSDT' });
      expect(positions).toEqual([
        closed('-10.1', '12.49975', {
          quantity: d('-0.1'),
          price_entry: d('49999'),
          price_margin_call: d('145626.56'),
          price_liquidation: d('146576.04'),
        }),
      ]);
      await rest.closeMarginPositions();
      const after = await rest.getIsolatedMarginAccount({ symbol: 'BTCUSDT' });
      expect(after.positions).toBeNull();
      const older = {
        id: 7,
        symbol: 'BTCUSDT',
        quantity: '-0.10000',
        pnl: null,
        created_at: '2026-01-05T10:00:00Z',
        updated_at: '2026-01-05T10:00:00Z',
      };
      const times = { created_at: older.created_at, updated_at: older.updated_at };
      const currencies = [{ code: 'USDT', margin_balance: '1.50', reserved_orders: 0 }];
      relay.answer({
        symbol: 'BTCUSDT',
        type: 'isolated',
        ...times,
        currencies: [{ ...currencies[0], reserved_positions: '0.00' }],
        positions: [older],
      });
      expect(await rest.getIsolatedMarginAccount({ symbol: 'BTCUSDT' })).toEqual({
        symbol: 'BTCUSDT',
        type: 'isolated',
        created_at: OPENED,
        updated_at: OPENED,
        currencies: [usdt('1.5')],
        positions: [
          {
            id: 7,
            symbol: 'BTCUSDT',
            quantity: d('-0.1'),
            created_at: OPENED,
            updated_at: OPENED,
          },
        ],
      });
    },
  );

  test(
    'has the fees of a position, open and closed',
    { tags: ['client:trading-v3.margin.position-fee-cumulative'] },
    async () => {
      const { rest } = await funded();
      await rest.createMarginOrder(long);
      await rest.createMarginOrder({ ...short, quantity: '0.04' });
      const { positions } = await rest.getIsolatedMarginAccount({ symbol: 'BTCUSDT' });
      expect(positions?.map(({ fee_cumulative: fees }) => fees)).toEqual([d('17.4999')]);
      await rest.createMarginOrder({ ...short, quantity: '0.06' });
      const [past] = await rest.getMarginPositionHistory();
      expect(past?.fee_cumulative).toEqual(d('24.99975'));
    },
  );
});

describe('a margin position of the client', () => {
  test(
    'is closed at the market, or at a price, strictly where that is said',
    { tags: ['client:trading-v3.margin.delete-position-isolated'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.createMarginOrder(long);
      const path = `DELETE ${POSITION}/isolated/BTCUSDT`;
      const priced = { symbol: 'BTCUSDT', price: '51000.01', strict_validate: true };
      const waiting = await rest.closeIsolatedMarginPosition(priced);
      expect(waiting).toMatchObject({ id: 1, quantity: d('0.1') });
      expect(relay.sent).toEqual([`${path}?price=51000.01&strict_validate=true`]);
      const [order] = await rest.getMarginOrders();
      expect(order).toMatchObject({ price: d('51000.01'), reduce_only: true, side: 'sell' });
      const answer = await rest.closeIsolatedMarginPosition({ symbol: 'BTCUSDT' });
      expect(answer).toEqual(closed('-0.1', '24.99975'));
      expect(relay.sent).toEqual([path]);
    },
  );

  test(
    'is closed with all others',
    { tags: ['client:trading-v3.margin.delete-positions'] },
    async () => {
      const { rest, relay, floor } = await funded();
      floor.quote('2999.000', '3000.000', 'ETHUSDT');
      await rest.setCrossMarginAccount({ currency: 'USDT', margin_balance: '10000' });
      await rest.createMarginOrder(long);
      const ether = { symbol: 'ETHUSDT', quantity: '1', price: '3000' };
      await rest.createMarginOrder({ ...long, ...ether, margin_mode: 'cross' });
      expect(await rest.closeMarginPositions()).toEqual([
        closed('-0.1', '24.99975'),
        closed('-1', '14.9975', {
          id: 2,
          symbol: 'ETHUSDT',
          margin_mode: 'Cross',
          leverage: d('20'),
          price_entry: d('3000'),
        }),
      ]);
      expect(relay.sent).toEqual([`DELETE ${POSITION}`]);
    },
  );
});
