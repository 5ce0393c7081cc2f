import { describe, expect, test } from 'vitest';
import { OPENED } from '../../../server/kit.ts';
import {
  bitcoin,
  openHarness,
  perpetual,
  type MarginHarness,
} from '../../../server/margin/harness.ts';
import { US_PER_HOUR } from '../../../../src/platform/time.ts';
import { openSubscriptions, type Subscriptions } from '../kit/accounts.ts';
import { at, d } from '../kit/values.ts';

const PERP = 'ETHUSDT_PERP';
const FUTURES = '/api/3/futures';

/** A client with 10,000 for derivatives; ETHUSDT_PERP is shown at 2,999 to 3,000. */
async function open(): Promise<Subscriptions & { readonly floor: MarginHarness }> {
  const floor = await openHarness();
  floor.quote('2999.000', '3000.000', PERP);
  floor.derive('10000');
  return { ...(await openSubscriptions(floor.venue)), floor };
}

/** The same with 5,000 of it on ETHUSDT_PERP at leverage 10. */
async function funded(): Promise<Subscriptions & { readonly floor: MarginHarness }> {
  const subscriptions = await open();
  const asked = { symbol: PERP, margin_balance: '5000', leverage: '10' };
  await subscriptions.rest.setIsolatedFuturesAccount(asked);
  return subscriptions;
}

const account = (margin_balance: string, more: object = {}) => ({
  symbol: PERP,
  type: 'isolated',
  leverage: d('10'),
  created_at: OPENED,
  updated_at: OPENED,
  currencies: [
    {
      code: 'USDT',
      margin_balance: d(margin_balance),
      reserved_orders: d('0'),
      reserved_positions: d('0'),
    },
  ],
  positions: null,
  ...more,
});

const long = { symbol: PERP, side: 'buy', quantity: '1', price: '3000' } as const;

/** A position that was closed at 2,999. */
const closed = (more: object = {}) => ({
  id: 1,
  symbol: PERP,
  margin_mode: 'Isolated',
  leverage: d('10'),
  quantity: d('0'),
  price_entry: d('3000'),
  price_margin_call: d('0'),
  price_liquidation: d('0'),
  pnl: d('-1'),
  fee_cumulative: d('4.1993'),
  created_at: OPENED,
  updated_at: OPENED,
  ...more,
});

describe('a futures account of the client', () => {
  test(
    'is set to a balance and a leverage, neither of which may be left out',
    { tags: ['client:trading-v3.futures.put-account-isolated'] },
    async () => {
      const { rest, relay } = await open();
      const asked = { margin_balance: '100', leverage: '10' };
      expect(await rest.setIsolatedFuturesAccount({ symbol: PERP, ...asked })).toEqual(
        account('100'),
      );
      expect(relay.sent).toEqual([`PUT ${FUTURES}/account/isolated/${PERP}`, asked]);
      // @ts-expect-error the leverage is required
      const unleveraged = rest.setIsolatedFuturesAccount({ symbol: PERP, margin_balance: '100' });
      await expect(unleveraged).rejects.toMatchObject({
        code: 'request-invalid',
        field: 'leverage',
      });
    },
  );

  test(
    'is asked for by its contract, and listed',
    {
      tags: [
        'client:trading-v3.futures.get-account-isolated',
        'client:trading-v3.futures.get-accounts',
      ],
    },
    async () => {
      const { rest, relay } = await funded();
      await rest.createFuturesOrder({ ...long, side: 'sell', price: '2999' });
      const one = await rest.getIsolatedFuturesAccount({ symbol: PERP });
      expect(relay.sent).toEqual([`GET ${FUTURES}/account/isolated/${PERP}`]);
      expect(one).toEqual({
        ...account('4997.9007'),
        currencies: [
          {
            code: 'USDT',
            margin_balance: d('4997.9007'),
            reserved_orders: d('0'),
            // 2,999/10 and fees of 0.0007 × (2,999 + 299.9).
            reserved_positions: d('302.20923'),
          },
        ],
        positions: [
          {
            ...closed(),
            quantity: d('-1'),
            price_entry: d('2999'),
            price_margin_call: d('7492.177'),
            price_liquidation: d('7611.021'),
            pnl: d('0'),
            fee_cumulative: d('2.0993'),
          },
        ],
      });
      expect(await rest.getFuturesAccounts()).toEqual([one]);
      expect(relay.sent).toEqual([`GET ${FUTURES}/account`]);
    },
  );

  test(
    'of cross margin is asked for by its settlement currency',
    { tags: ['client:trading-v3.futures.get-account-cross'] },
    async () => {
      const { rest, relay } = await open();
      await rest.setCrossFuturesAccount({ currency: 'USDT', margin_balance: '1000' });
      expect(relay.sent).toEqual([`PUT ${FUTURES}/account/cross/USDT`, { margin_balance: '1000' }]);
      const { symbol: _, leverage: __, ...rest_ } = account('1000');
      const expected = { ...rest_, currency: 'USDT', type: 'cross' };
      expect(await rest.getCrossFuturesAccount({ currency: 'USDT' })).toEqual(expected);
      expect(relay.sent).toEqual([`GET ${FUTURES}/account/cross/USDT`]);
    },
  );

  test(
    'is funded from balances that are listed, or read one by one',
    { tags: ['client:trading-v3.futures.get-balances', 'client:trading-v3.futures.get-balance'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.setCrossFuturesAccount({ currency: 'USDT', margin_balance: '1000' });
      const usdt = {
        available: d('4000'),
        reserved: d('0'),
        reserved_margin: d('5000'),
        cross_margin_reserved: d('1000'),
      };
      const none = { available: d('0'), reserved: d('0'), reserved_margin: d('0') };
      const nothing = { ...none, cross_margin_reserved: d('0') };
      const balances = await rest.getFuturesBalances();
      expect(relay.sent).toEqual([`GET ${FUTURES}/balance`]);
      const others = balances.filter(({ currency }) => currency !== 'USDT');
      expect(others).toEqual(others.map(({ currency }) => ({ currency, ...nothing })));
      expect(balances).toContainEqual({ currency: 'USDT', ...usdt });
      expect(await rest.getFuturesBalance({ currency: 'USDT' })).toEqual(usdt);
      expect(relay.sent).toEqual([`GET ${FUTURES}/balance/USDT`]);
      relay.answer({ currency: 'USDT', available: '4000.000', reserved: 0, reserved_margin: null });
      expect(await rest.getFuturesBalance({ currency: 'USDT' })).toEqual({
        currency: 'USDT',
        available: d('4000'),
        reserved: d('0'),
      });
    },
  );

  test(
    'has a replenishment of its own',
    { tags: ['client:trading-v3.futures.put-margin-settings-amr'] },
    async () => {
      const { rest, relay } = await open();
      const off = { auto_margin_replenishment: false, auto_margin_management: false };
      const on = { ...off, auto_margin_replenishment: true };
      expect(await rest.setFuturesReplenishment({ enabled: true })).toEqual(on);
      expect(relay.sent).toEqual([`PUT ${FUTURES}/margin-settings/amr`, { enabled: true }]);
      expect(await rest.getFuturesSettings()).toEqual(on);
      expect(relay.sent).toEqual([`GET ${FUTURES}/margin-settings`]);
      expect(await rest.getMarginSettings()).toEqual(off);
    },
  );
});

describe('a futures position of the client', () => {
  test(
    'is closed by mode and symbol',
    { tags: ['client:trading-v3.futures.delete-position'] },
    async () => {
      const { rest, relay, floor } = await funded();
      await rest.createFuturesOrder(long);
      floor.venue.pass(US_PER_HOUR);
      const at_ = { margin_mode: 'isolated', symbol: PERP };
      expect(await rest.closeFuturesPosition(at_)).toEqual(
        closed({ updated_at: OPENED + US_PER_HOUR }),
      );
      expect(relay.sent).toEqual([`DELETE ${FUTURES}/position/isolated/${PERP}`]);
      await expect(
        rest.closeFuturesPosition({ ...at_, margin_mode: 'cross' }),
      ).rejects.toMatchObject({ serviceCode: 20032 });
      expect(relay.sent).toEqual([`DELETE ${FUTURES}/position/cross/${PERP}`]);
    },
  );

  test(
    'is closed with all others',
    { tags: ['client:trading-v3.futures.delete-positions'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.setCrossFuturesAccount({ currency: 'USDT', margin_balance: '1000' });
      await rest.createFuturesOrder(long);
      await rest.createFuturesOrder({ ...long, margin_mode: 'cross', quantity: '2' });
      expect(await rest.closeFuturesPositions()).toEqual([
        closed(),
        closed({
          id: 2,
          margin_mode: 'Cross',
          leverage: d('75'),
          pnl: d('-2'),
          fee_cumulative: d('8.3986'),
        }),
      ]);
      expect(relay.sent).toEqual([`DELETE ${FUTURES}/position`]);
    },
  );

  test(
    'is listed when it is closed, of a symbol where one is given',
    { tags: ['client:trading-v3.futures.get-history-positions'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.createFuturesOrder(long);
      await rest.closeFuturesPositions();
      const past = closed({ quantity_max: d('1'), price_close: d('2999'), liquidated: false });
      expect(await rest.getFuturesPositionHistory({ symbol: [PERP] })).toEqual([past]);
      expect(relay.sent).toEqual([`GET ${FUTURES}/history/positions?symbol=${PERP}`]);
      expect(await rest.getFuturesPositionHistory()).toEqual([past]);
      expect(relay.sent).toEqual([`GET ${FUTURES}/history/positions`]);
    },
  );

  test(
    'pays and receives fundings, which are listed',
    { tags: ['client:trading-v3.futures.get-history-clearing'] },
    async () => {
      const symbol = 'BTCUSDT_PERP';
      const free = { takeRate: '0', makeRate: '0' };
      const floor = await openHarness({ instruments: [bitcoin(free), perpetual(free)] });
      floor.index('97298.61', symbol);
      for (const as of ['demo', 'other']) {
        floor.as = as;
        floor.derive('100000');
        await floor.fund('50000', symbol, { leverage: '10' });
      }
      const order = { symbol, quantity: '0.5', price: '97298.61' };
      await floor.order({ ...order, side: 'buy' }, 'demo');
      await floor.order({ ...order, side: 'sell' }, 'other');
      const { rest, relay } = await openSubscriptions(floor.venue);
      floor.venue.pass(6 * US_PER_HOUR);
      expect(await rest.getFuturesClearingHistory({ limit: 5 })).toEqual([
        {
          id: 1,
          symbol,
          position_id: 1,
          kind: 'funding',
          quantity: d('0.5'),
          price: d('97298.61'),
          rate: d('0.0001'),
          amount: d('-4.8649305'),
          currency: 'USDT',
          timestamp: at('2026-01-05T16:00:00Z'),
        },
      ]);
      expect(relay.sent).toEqual([`GET ${FUTURES}/history/clearing?limit=5`]);
    },
  );
});

describe('what the client reads about futures', () => {
  test(
    'are the terms of contracts',
    { tags: ['client:trading-v3.futures.get-config'] },
    async () => {
      const { rest, relay } = await open();
      const terms = {
        symbol: PERP,
        margin_call_leverage_mul: d('1.5'),
        liquidation_leverage_mul: d('2'),
        max_initial_leverage: d('75'),
        margin_mode: 'Isolated',
        force_close_fee: d('0.05'),
        enabled: true,
        active: true,
      };
      expect(await rest.getFuturesConfig()).toEqual({
        config: [terms, { ...terms, margin_mode: 'Cross' }],
      });
      expect(relay.sent).toEqual([`GET ${FUTURES}/config`]);
    },
  );

  test(
    'are fee rates, of all contracts or of one',
    { tags: ['client:trading-v3.futures.get-fees', 'client:trading-v3.futures.get-fee'] },
    async () => {
      const { rest, relay } = await open();
      const rates = { take_rate: d('0.0007'), make_rate: d('0.0002') };
      expect(await rest.getFuturesFees()).toEqual([{ symbol: PERP, ...rates }]);
      expect(relay.sent).toEqual([`GET ${FUTURES}/fee`]);
      expect(await rest.getFuturesFee({ symbol: PERP })).toEqual(rates);
      expect(relay.sent).toEqual([`GET ${FUTURES}/fee/${PERP}`]);
      relay.answer({ symbol: PERP, take_rate: '0.00070000', make_rate: '-0.0001' });
      expect(await rest.getFuturesFee({ symbol: PERP })).toEqual({
        symbol: PERP,
        take_rate: d('0.0007'),
        make_rate: d('-0.0001'),
      });
    },
  );
});
