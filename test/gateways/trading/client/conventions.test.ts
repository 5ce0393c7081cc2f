import { describe, expect, expectTypeOf, test } from 'vitest';
import { Decimal, type CallArguments, type TradingClient } from '../../../../src/clients.ts';
import { V3_CALLS } from '../../../../src/wire/trading/v3/calls/table.ts';
import { openVenue } from '../../../server/kit.ts';
import { needed } from '../kit/arguments.ts';
import { openSubscriptions } from '../kit/accounts.ts';
import { answer, openRawService } from '../kit/raw-service.ts';
import { openRelay } from '../kit/relay.ts';
import { at, d } from '../kit/values.ts';
import { clientOf } from './client-of.ts';
import { eachRow } from '../../../conformance/each-row.ts';

const ORDER = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.5', price: '100' } as const;

const TRADE = {
  id: 1,
  order_id: 2,
  client_order_id: 'of-desk-1',
  symbol: 'X',
  side: 'buy',
  quantity: '1',
  price: '2',
  fee: '0',
  timestamp: '2026-01-05T10:00:00Z',
  taker: true,
};

type History = NonNullable<CallArguments<(typeof V3_CALLS)['getSpotOrderHistory']>>;

type Rest = TradingClient['rest'];

describe('where calls and their parameters go', () => {
  test('every call is below /api/3', { tags: ['client:trading-v3.conv.path-prefix'] }, async () => {
    const service = await openRawService(answer(200, {}));
    const { rest } = clientOf(service.url, { paced: false });
    for (const [name, call] of Object.entries(V3_CALLS)) {
      const ask = rest[name as keyof Rest] as (given: unknown) => Promise<unknown>;
      // What is answered fits hardly any of them; here it matters where they went.
      await ask(needed(call)).catch(() => undefined);
      const { method, target } = service.last;
      const path = call.path.replaceAll(/\{\w+\}/g, '1');
      expect([method, target.split('?')[0]]).toEqual([call.method, `/api/3${path}`]);
    }
    expect(service.requests).toHaveLength(Object.keys(V3_CALLS).length);
  });

  test(
    'those of GET in the query, with no body',
    {
      tags: [
        'client:trading-v3.conv.get-params-in-query',
        'client:trading-v3.conv.other-param-passing-unsupported',
      ],
    },
    async () => {
      const service = await openRawService(answer(200, []));
      const { rest } = clientOf(service.url);
      await rest.getSpotOrders({ symbol: 'A&B' });
      const { target, body, headers } = service.last;
      expect([target, body]).toEqual(['/api/3/spot/order?symbol=A%26B', '']);
      expect(headers).not.toHaveProperty('content-type');
    },
  );

  test(
    'those of POST in a JSON body, with no query',
    {
      tags: [
        'client:trading-v3.conv.post-params-json-body',
        'client:trading-v3.conv.other-param-passing-unsupported',
      ],
    },
    async () => {
      const service = await openRawService(answer(200, []));
      await clientOf(service.url)
        .rest.createSpotOrder(ORDER)
        .catch(() => undefined);
      const { target, body, headers } = service.last;
      expect(target).toBe('/api/3/spot/order');
      expect(JSON.parse(body)).toEqual(ORDER);
      expect(headers['content-type']).toBe('application/json');
    },
  );

  test(
    'requests share a connection that is kept',
    { tags: ['client:trading-v3.conv.keep-alive'] },
    async () => {
      const service = await openRawService(answer(200, []));
      const { rest } = clientOf(service.url);
      for (let i = 0; i < 20; i += 1) await rest.getSpotOrders();
      expect(service.requests).toHaveLength(20);
      // The one that was used last may still be busy with the end of an answer.
      expect(service.connections).toBeLessThanOrEqual(2);
      expect(service.last.headers['connection']).toBe('keep-alive');
    },
  );
});

describe('pages', () => {
  test(
    'are asked for by limit, offset, sort, by, from and till',
    { tags: ['client:trading-v3.conv.pagination-params'] },
    async () => {
      const { rest, relay } = await openSubscriptions(await openVenue());
      const from = { kind: 'number', value: 5 } as const;
      const till = { kind: 'number', value: 9 } as const;
      await rest.getSpotTradeHistory({ limit: 7, offset: 2, sort: 'ASC', by: 'id', from, till });
      expect(relay.sent).toEqual([
        'GET /api/3/spot/history/trade?sort=ASC&limit=7&offset=2&by=id&from=5&till=9',
      ]);
    },
  );

  test(
    'are sorted by members that the service knows, and no others are sent',
    { tags: ['client:trading-v3.conv.sort-values', 'client:trading-v3.conv.by-values'] },
    async () => {
      expectTypeOf<NonNullable<History['sort']>>().toEqualTypeOf<'ASC' | 'DESC'>();
      expectTypeOf<NonNullable<History['by']>>().toEqualTypeOf<'id' | 'timestamp'>();
      const { rest, relay } = await openSubscriptions(await openVenue());
      for (const [member, word] of [
        ['sort', 'asc'],
        ['by', 'time'],
      ]) {
        const wrong = { [member]: word } as never;
        await expect(rest.getSpotOrderHistory(wrong)).rejects.toMatchObject({
          code: 'request-invalid',
          field: member,
        });
      }
      expect(relay.received).toEqual([]);
      for (const sort of ['ASC', 'DESC'] as const) {
        for (const by of ['id', 'timestamp'] as const) await rest.getSpotOrderHistory({ sort, by });
      }
      expect(relay.received.map(({ line }) => line.split('?').at(1))).toEqual([
        'sort=ASC&by=id',
        'sort=ASC&by=timestamp',
        'sort=DESC&by=id',
        'sort=DESC&by=timestamp',
      ]);
    },
  );

  test(
    'are bounded by times, in ISO 8601 or milliseconds, or by numbers',
    {
      tags: [
        'client:trading-v3.conv.from-till-type',
        'client:trading-v3.conv.timestamp-iso',
        'client:trading-v3.conv.timestamp-unix-ms',
      ],
    },
    async () => {
      const venue = await openVenue();
      const { rest, relay } = await openSubscriptions(venue);
      const first = await rest.createSpotOrder(ORDER);
      venue.pass(1_000_000);
      const second = await rest.createSpotOrder(ORDER);
      expect([first.created_at, second.created_at]).toEqual([
        at('2026-01-05T10:00:00Z'),
        at('2026-01-05T10:00:01Z'),
      ]);
      const seconds = Date.parse('2026-01-05T10:00:01Z');
      for (const [by, bound, sent] of [
        ['timestamp', { kind: 'time', at: second.created_at }, '2026-01-05T10%3A00%3A01Z'],
        ['timestamp', { kind: 'number', value: seconds }, String(seconds)],
        ['id', { kind: 'number', value: second.id }, String(second.id)],
      ] as const) {
        const orders = await rest.getSpotOrderHistory({ by, from: bound });
        expect(relay.sent).toEqual([`GET /api/3/spot/history/order?by=${by}&from=${sent}`]);
        expect(orders.map(({ id }) => id)).toEqual([second.id]);
      }
    },
  );
});

describe('values', () => {
  /** What a client reads of a trade whose members are as given. */
  async function read(members: object) {
    const relay = await openRelay();
    relay.answer(`[${JSON.stringify({ ...TRADE, ...members })}]`);
    const [trade] = await clientOf(relay.url).rest.getSpotTradeHistory();
    if (trade === undefined) throw new Error('no trade was read');
    return trade;
  }

  eachRow('client:trading-v3.conv.', [
    ['iso-fraction-trimmed', '2026-01-05T10:00:55Z', 55_000_000],
    ['iso-fraction-trimmed', '2026-01-05T10:00:55.1Z', 55_100_000],
    ['iso-fraction-trimmed', '2026-01-05T10:00:40.65Z', 40_650_000],
    ['iso-fraction-trimmed', '2026-01-05T10:00:05.092Z', 5_092_000],
    ['iso-fraction-trimmed', '2026-01-05T10:00:05.123456Z', 5_123_456],
    ['iso-fraction-trimmed', '2026-01-05T10:00:05.123456789Z', 5_123_456],
    ['timestamp-unix-ms', Date.parse('2026-01-05T10:00:07.005Z'), 7_005_000],
    ['date-only', '2026-01-05', -36_000_000_000],
    ['date-only', '2026-01-06', 50_400_000_000],
  ])('the time %j is read to the microsecond', async (given, us) => {
    const { timestamp } = await read({ timestamp: given });
    expect(timestamp - at('2026-01-05T10:00:00Z')).toBe(us);
  });

  eachRow('client:trading-v3.conv.', [
    ['padded-decimals', '0.0500000', '0.05'],
    ['padded-decimals', '0.005659630200', '0.0056596302'],
    ['padded-decimals', '61837.00', '61837'],
    ['string-numbers', 61837.63, '61837.63'],
    ['arbitrary-precision', '123456789012345678901234.123456789012345678', undefined],
  ])('the amount %j is read exactly', async (given, plain) => {
    const { price } = await read({ price: given });
    expect(price.toFixed()).toBe(plain ?? given);
  });

  test(
    'digits are kept of JSON numbers too, and of what is sent',
    { tags: ['client:trading-v3.conv.arbitrary-precision'] },
    async () => {
      const relay = await openRelay();
      const digits = '123456789.123456789012345678';
      relay.answer(`[${JSON.stringify(TRADE).replace('"price":"2"', `"price":${digits}`)}]`);
      const { rest } = clientOf(relay.url);
      const [trade] = await rest.getSpotTradeHistory();
      expect(trade?.price.toFixed()).toBe(digits);
      relay.answer({});
      await rest
        .createSpotOrder({ ...ORDER, price: d(digits), quantity: digits })
        .catch(() => undefined);
      expect(relay.sent.at(1)).toMatchObject({ price: digits, quantity: digits });
    },
  );

  test(
    'amounts are sent as text, and binary numbers are refused',
    { tags: ['client:trading-v3.conv.string-numbers'] },
    async () => {
      const { rest, relay } = await openSubscriptions(await openVenue());
      await rest.createSpotOrder({ ...ORDER, quantity: new Decimal('1e-5'), price: d('100.10') });
      expect(relay.sent.at(1)).toMatchObject({ quantity: '0.00001', price: '100.1' });
      // @ts-expect-error a double holds no tenth exactly
      const call = rest.createSpotOrder({ ...ORDER, quantity: 0.1 });
      await expect(call).rejects.toMatchObject({ code: 'request-invalid', field: 'quantity' });
      expect(relay.received).toHaveLength(1);
    },
  );

  test('ids are numbers', { tags: ['client:trading-v3.conv.numeric-ids'] }, async () => {
    const trade = await read({ id: 2_241_659_137_000, order_id: 7 });
    expect([trade.id, trade.order_id]).toEqual([2_241_659_137_000, 7]);
    expectTypeOf(trade.id).toEqualTypeOf<number>();
  });

  test(
    'numbers that are no money may be text or numbers',
    { tags: ['client:trading-v3.conv.plain-number-fields'] },
    async () => {
      const relay = await openRelay();
      const { rest } = clientOf(relay.url);
      const network = {
        code: 'X',
        network_name: 'X',
        network: 'X',
        default: true,
        is_ens_available: false,
        payin_enabled: true,
        payout_enabled: true,
        precision_payout: '1',
        is_multichain: false,
        payout_is_payment_id: false,
        payin_payment_id: false,
        contract_address: '',
      };
      const currency = {
        full_name: 'X',
        crypto: true,
        payin_enabled: true,
        payout_enabled: true,
        sign: '',
        transfer_enabled: true,
        crypto_payment_id_name: '',
        crypto_explorer: '',
        precision_transfer: '1',
        qr_prefix: '',
        delisted: false,
      };
      for (const write of [String, Number]) {
        const times = { low_processing_time: write(1), high_processing_time: write(2.5) };
        relay.answer({
          ...currency,
          account_top_order: write(3),
          networks: [{ ...network, payin_confirmations: write(20), ...times }],
        });
        const { account_top_order: top, networks } = await rest.getCurrency({ currency: 'X' });
        expect([top, networks[0]?.payin_confirmations]).toEqual([3, 20]);
        expect(networks[0]?.high_processing_time?.toFixed()).toBe('2.5');
      }
    },
  );

  test('members that nobody knows are left out', async () => {
    expect(await read({ of_the_future: 1 })).not.toHaveProperty('of_the_future');
  });
});
