import { describe, expect, expectTypeOf, test } from 'vitest';
import { openVenue } from '../../../server/kit.ts';
import { openSubscriptions } from '../kit/accounts.ts';
import { openRelay } from '../kit/relay.ts';
import { at } from '../kit/values.ts';
import { clientOf } from './client-of.ts';
import { eachRow } from '../../../conformance/each-row.ts';

describe('words of market data', () => {
  const SPOT = {
    type: 'spot',
    base_currency: 'BTC',
    quote_currency: 'USDT',
    status: 'working',
    quantity_increment: '0.1',
    tick_size: '0.1',
    take_rate: '0',
    make_rate: '0',
    fee_currency: 'USDT',
    margin_trading: false,
  };

  eachRow('client:trading-v3.public.', [
    ['symbol-type-values', 'type', ['spot', 'futures']],
    ['symbol-type-values', 'contract_type', ['perpetual', 'cash_settled']],
    ['symbol-status-values', 'status', ['working', 'suspended', 'clearing']],
  ])('%s is one of %j', async (member, words) => {
    const relay = await openRelay();
    const { rest } = clientOf(relay.url);
    for (const word of words) {
      relay.answer({ ...SPOT, [member]: word });
      expect(await rest.getSymbol({ symbol: 'X' })).toMatchObject({ [member]: word });
    }
    relay.answer({ ...SPOT, [member]: 'other' });
    await expect(rest.getSymbol({ symbol: 'X' })).rejects.toMatchObject({
      code: 'answer-invalid',
      field: member,
    });
  });

  test(
    'what only contracts have may be missing or null',
    {
      tags: [
        'client:trading-v3.public.symbol-spot-without-contract',
        'client:trading-v3.public.symbol-nulls',
      ],
    },
    async () => {
      const relay = await openRelay();
      const { rest } = clientOf(relay.url);
      relay.answer({ ...SPOT, contract_type: null, expiry: null, underlying: null });
      const { contract_type: type, expiry, underlying } = await rest.getSymbol({ symbol: 'X' });
      expect([type, expiry, underlying]).toEqual([undefined, null, undefined]);
      relay.answer({ ...SPOT, base_currency: null, expiry: '2026-03-27T08:00:00Z' });
      const contract = await rest.getSymbol({ symbol: 'X' });
      expect([contract.base_currency, contract.expiry]).toEqual([null, at('2026-03-27T08:00:00Z')]);
    },
  );

  test(
    'periods are those of the service, and no other is sent',
    { tags: ['client:trading-v3.public.period-values'] },
    async () => {
      const { rest, relay } = await openSubscriptions(await openVenue());
      type Period = NonNullable<NonNullable<Parameters<typeof rest.getCandles>[0]>['period']>;
      expectTypeOf<Period>().toEqualTypeOf<
        'M1' | 'M3' | 'M5' | 'M15' | 'M30' | 'H1' | 'H4' | 'D1' | 'D7' | '1M'
      >();
      for (const period of [
        'M1',
        'M3',
        'M5',
        'M15',
        'M30',
        'H1',
        'H4',
        'D1',
        'D7',
        '1M',
      ] as const) {
        expect(await rest.getCandlesOfSymbol({ symbol: 'ETHUSDT', period })).toEqual([]);
        expect(relay.sent).toEqual([`GET /api/3/public/candles/ETHUSDT?period=${period}`]);
      }
      const sent = relay.received.length;
      const wrong = { symbol: 'ETHUSDT', period: 'M2' } as never;
      await expect(rest.getCandlesOfSymbol(wrong)).rejects.toMatchObject({
        code: 'request-invalid',
        field: 'period',
      });
      expect(relay.received).toHaveLength(sent);
    },
  );
});
