import { describe, expect, test } from 'vitest';
import { bitcoin, onMargin, openHarness } from '../../../server/margin/harness.ts';
import { openSubscriptions } from '../kit/accounts.ts';
import { d } from '../kit/values.ts';

const CONFIG = '/api/3/margin/config';

const terms = {
  symbol: 'BTCUSDT',
  margin_call_leverage_mul: d('1.5'),
  liquidation_leverage_mul: d('2'),
  max_initial_leverage: d('10'),
  margin_mode: 'Isolated',
  force_close_fee: d('0.005'),
  enabled: true,
  active: true,
};

describe('the terms of margin', () => {
  test(
    'are a list in a config',
    { tags: ['client:trading-v3.margin.get-config', 'client:trading-v3.margin.config-record'] },
    async () => {
      const floor = await openHarness({ instruments: [bitcoin({ margin: onMargin() })] });
      const { rest, relay } = await openSubscriptions(floor.venue);
      const answer = await rest.getMarginConfig();
      expect(answer).toEqual({ config: [terms, { ...terms, margin_mode: 'Cross' }] });
      expect(relay.sent).toEqual([`GET ${CONFIG}`]);
    },
  );

  test(
    'have the three members of a risk limit where there is one',
    { tags: ['client:trading-v3.margin.config-risk-limit'] },
    async () => {
      const limited = { limitBase: '5000000', limitPower: '1.25', unlimitedThreshold: '3' };
      const instruments = [bitcoin({ margin: onMargin(limited) })];
      const floor = await openHarness({ instruments });
      const { rest, relay } = await openSubscriptions(floor.venue);
      const limit = {
        limit_base: d('5000000'),
        limit_power: d('1.25'),
        unlimited_threshold: d('3'),
      };
      const { config } = await rest.getMarginConfig();
      expect(config[0]).toEqual({ ...terms, ...limit });
      const wire = { ...terms, max_initial_leverage: '10.00', limit_base: null };
      relay.answer({ config: [{ ...wire, liquidation_leverage_mul: 2 }] });
      expect(await rest.getMarginConfig()).toEqual({ config: [terms] });
    },
  );
});

describe('the margin settings', () => {
  const OFF = { auto_margin_replenishment: false, auto_margin_management: false };
  const ON = { ...OFF, auto_margin_replenishment: true };

  test(
    'are read, and replenishment is switched',
    {
      tags: [
        'client:trading-v3.margin.get-margin-settings',
        'client:trading-v3.margin.put-margin-settings-amr',
      ],
    },
    async () => {
      const floor = await openHarness();
      const { rest, relay } = await openSubscriptions(floor.venue);
      expect(await rest.getMarginSettings()).toEqual(OFF);
      expect(relay.sent).toEqual(['GET /api/3/margin-settings']);
      expect(await rest.setMarginReplenishment({ enabled: true })).toEqual(ON);
      expect(relay.sent).toEqual(['PUT /api/3/margin/margin-settings/amr', { enabled: true }]);
      expect(await rest.getMarginSettings()).toEqual(ON);
      expect(await rest.setMarginReplenishment({ enabled: false })).toEqual(OFF);
      expect(relay.sent).toEqual(['PUT /api/3/margin/margin-settings/amr', { enabled: false }]);
      expect(await rest.getMarginSettings()).toEqual(OFF);
    },
  );

  test(
    'management is switched off, and on where the service offers it',
    { tags: ['client:trading-v3.margin.put-margin-settings-amm'] },
    async () => {
      const floor = await openHarness();
      const { rest, relay } = await openSubscriptions(floor.venue);
      expect(await rest.setMarginManagement({ enabled: false })).toEqual(OFF);
      expect(relay.sent).toEqual(['PUT /api/3/margin-settings/amm', { enabled: false }]);
      await expect(rest.setMarginManagement({ enabled: true })).rejects.toMatchObject({
        code: 'service-refused',
        serviceCode: 600,
      });
      relay.answer({ ...OFF, auto_margin_management: true });
      expect(await rest.setMarginManagement({ enabled: true })).toEqual({
        ...OFF,
        auto_margin_management: true,
      });
      expect(relay.sent).toEqual(['PUT /api/3/margin-settings/amm', { enabled: true }]);
    },
  );
});
