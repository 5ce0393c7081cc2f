import { describe, expect, it } from 'vitest';
import { decimal } from '../../../../../src/model/decimal.ts';
import { lots, ticks } from '../../../../../src/model/units.ts';
import { openHarness } from '../../../../server/margin/harness.ts';
import type { SocketRelay } from '../../kit/socket-relay.ts';
import { placeOf, until } from '../kit.ts';
import { brief, openRelayed, PERP, showPrices, type RelayedScene } from './kit.ts';

/** An account on a venue that shows prices, whose frames are seen. */
async function openScene(limits = false): Promise<RelayedScene> {
  const floor = await openHarness({ limits });
  showPrices(floor);
  return openRelayed(floor);
}

const requests = ({ asked }: SocketRelay) =>
  asked.filter(({ method }) => !/login|subscribe/.test(method));

describe('what goes over the wire', () => {
  it('subscribes to what is traded, within the limits of the service', async () => {
    const { relay } = await openScene(true);
    expect(relay.asked.map(({ method }) => method)).toEqual([
      'login',
      'spot_balance_subscribe',
      'spot_subscribe',
      'margin_subscribe',
      'futures_subscribe',
    ]);
  });

  it(
    'are the methods of the market, with the words of margin and without fee rates',
    {
      tags: [
        'client:trading-v3.rule.rates-spot-only',
        'client:trading-v3.rule.reduce-only-margin-only',
      ],
    },
    async () => {
      const { relay, account, floor, set } = await openScene();
      await set({ symbol: 'BTCUSDT', mode: 'cross', balance: '1000' });
      await set({ symbol: PERP, mode: 'isolated', balance: '1000', leverage: '20' });
      const rates = { takeRate: decimal('0.01'), makeRate: decimal('0.01') };
      const cross = { margin: { mode: 'cross' }, ticks: 4_000_000, lots: 1_000 } as const;
      account.send(placeOf('cross-order', { ...cross, ...rates, postOnly: true }));
      const reduce = { mode: 'isolated', reduceOnly: true } as const;
      account.send(
        placeOf('eth-order', { symbol: PERP, margin: reduce, ticks: 3_000_000, lots: 7 }),
      );
      account.send({
        ...placeOf('stop-order', { symbol: PERP, side: 'sell', lots: 0 }),
        type: 'stopMarket',
        timeInForce: 'FOK',
        ticks: undefined,
        stopTicks: ticks(2_000_000),
        margin: { mode: 'isolated', closePosition: true },
      });
      account.send({
        kind: 'replace',
        clientOrderId: 'cross-order',
        newClientOrderId: 'cross-next',
        symbol: 'BTCUSDT',
        margin: 'cross',
        lots: lots(2_000),
        ticks: ticks(4_000_000),
      });
      account.send({
        kind: 'cancel',
        clientOrderId: 'stop-order',
        symbol: PERP,
        margin: 'isolated',
      });
      await until(floor.venue, () => requests(relay).length === 7);
      const strict = { strict_validate: true };
      const bitcoin = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', time_in_force: 'GTC' };
      expect(requests(relay).map(({ method, params }) => [method, params])).toEqual([
        [
          'margin_set_account',
          { symbol: 'BTCUSDT', margin_mode: 'cross', margin_balance: '1000', ...strict },
        ],
        [
          'futures_set_account',
          {
            symbol: PERP,
            margin_mode: 'isolated',
            margin_balance: '1000',
            leverage: '20',
            ...strict,
          },
        ],
        [
          'margin_new_order',
          {
            client_order_id: 'cross-order',
            ...bitcoin,
            margin_mode: 'cross',
            ...strict,
            price: '40000.00',
            quantity: '0.01000',
            post_only: true,
          },
        ],
        [
          'futures_new_order',
          {
            client_order_id: 'eth-order',
            ...bitcoin,
            symbol: PERP,
            ...strict,
            price: '3000.000',
            quantity: '0.007',
            reduce_only: true,
            margin_mode: 'isolated',
          },
        ],
        [
          'futures_new_order',
          {
            client_order_id: 'stop-order',
            symbol: PERP,
            side: 'sell',
            type: 'stopMarket',
            time_in_force: 'FOK',
            stop_price: '2000.000',
            close_position: true,
            margin_mode: 'isolated',
            ...strict,
          },
        ],
        [
          'margin_replace_order',
          {
            client_order_id: 'cross-order',
            new_client_order_id: 'cross-next',
            quantity: '0.02000',
            price: '40000.00',
            ...strict,
          },
        ],
        ['futures_cancel_order', { client_order_id: 'stop-order' }],
      ]);
    },
  );

  it(
    'are read where the service reports only the funds of a cross account',
    {
      tags: [
        'client:trading-v3.stream-trading.notif-margin-account',
        'client:trading-v3.stream-trading.margin-get-accounts',
      ],
    },
    async () => {
      const { relay, next, set, ear, floor } = await openScene();
      await set({ symbol: 'BTCUSDT', mode: 'cross', balance: '1000' });
      const summary = {
        currency: 'USDT',
        margin_mode: 'Cross',
        account_margin: '1000',
        debt_sum: '0',
        exec_type: 'marginChanged',
        margin: '1000',
        required_margin: '0',
        margin_call: false,
      };
      relay.emit({ jsonrpc: '2.0', method: 'margin_account', params: summary });
      expect(brief((await next(1))[0])).toEqual({ reason: 'updated', balance: '1000' });
      expect(requests(relay).at(-1)?.method).toBe('margin_get_accounts');
      // A setting that is answered so is answered by the account, which is asked for.
      relay.answer({ result: summary });
      account(await set({ symbol: 'BTCUSDT', mode: 'cross', balance: '1000' }));
      await until(floor.venue, () => ear.margins.at(-1)?.kind === 'marginAccount');
      expect(brief(ear.margins.at(-1) ?? fail())).toEqual({
        reason: 'marginChanged',
        balance: '1000',
      });
    },
  );
});

const account = (answer: { readonly kind: string }): void => {
  expect(answer.kind).toBe('marginAccount');
};

const fail = (): never => {
  throw new Error('nothing was told');
};
