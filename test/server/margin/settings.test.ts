import { describe, expect, test } from 'vitest';
import { bitcoin, openHarness } from './harness.ts';

const OFF = { auto_margin_replenishment: false, auto_margin_management: false };
const ON = { ...OFF, auto_margin_replenishment: true };

describe('the margin settings of an account', () => {
  test(
    'say whether margin is replenished, which can be set',
    {
      tags: [
        'server:trading-v3.margin.get-margin-settings',
        'server:trading-v3.margin.put-margin-settings-amr',
      ],
    },
    async () => {
      const floor = await openHarness();
      expect(await floor.done('GET', '/margin-settings')).toEqual(OFF);
      const path = '/margin/margin-settings/amr';
      expect(await floor.done('PUT', path, { enabled: true })).toEqual(ON);
      expect(await floor.done('GET', '/margin-settings')).toEqual(ON);
      expect(await floor.done('GET', '/futures/margin-settings')).toEqual(OFF);
      expect(await floor.done('PUT', path, { enabled: false })).toEqual(OFF);
      expect(await floor.rejected('PUT', path, {})).toMatchObject({ status: 400, code: 10001 });
    },
  );

  test(
    'are those of futures apart',
    { tags: ['server:trading-v3.futures.put-margin-settings-amr'] },
    async () => {
      const floor = await openHarness();
      const path = '/futures/margin-settings/amr';
      expect(await floor.done('PUT', path, { enabled: true })).toEqual(ON);
      expect(await floor.done('GET', '/futures/margin-settings')).toEqual(ON);
      expect(await floor.done('GET', '/margin-settings')).toEqual(OFF);
    },
  );

  test(
    'let margin not be managed without asking',
    { tags: ['server:trading-v3.margin.put-margin-settings-amm'] },
    async () => {
      const floor = await openHarness();
      const path = '/margin-settings/amm';
      expect(await floor.done('PUT', path, { enabled: false })).toEqual(OFF);
      expect(await floor.rejected('PUT', path, { enabled: true })).toMatchObject({
        status: 400,
        code: 600,
      });
      expect(await floor.done('GET', '/margin-settings')).toEqual(OFF);
    },
  );

  test(
    'bring funds at the margin call, before a liquidation',
    { tags: ['server:trading-v3.margin.put-margin-settings-amr'] },
    async () => {
      const floor = await openHarness({ instruments: [bitcoin()] });
      floor.quote('9999.00', '10000.00');
      await floor.fund('5000', 'BTCUSDT', { leverage: '10' });
      await floor.order({ quantity: '2', price: '10000' });
      await floor.done('PUT', '/margin/margin-settings/amr', { enabled: true });
      // Beyond the 7,913.59 at which it would be liquidated: 2 x 7,000.50 x 0.101 are to be kept.
      floor.quote('7000.00', '7001.00');
      expect(await floor.margin()).toMatchObject({ margin_balance: '7413.101' });
      expect(await floor.position()).toMatchObject({ quantity: '2.00000', pnl: '-5999' });
      expect(await floor.done('GET', '/spot/balance/USDT')).toMatchObject({
        available: '992566.899',
        reserved_margin: '7413.101',
      });
    },
  );
});
