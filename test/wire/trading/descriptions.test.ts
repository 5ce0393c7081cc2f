import { describe, expect, test } from 'vitest';
import type { Call } from '../../../src/wire/trading/call.ts';
import { describeMessage } from '../../../src/wire/trading/json-schema.ts';
import type { Method } from '../../../src/wire/trading/rpc.ts';
import { V2_CALLS } from '../../../src/wire/trading/v2/calls/table.ts';
import { V3_CALLS } from '../../../src/wire/trading/v3/calls/table.ts';
import { TRADING_METHODS } from '../../../src/wire/trading/v3/streams/trading.ts';
import { WALLET_METHODS } from '../../../src/wire/trading/v3/streams/wallet.ts';

const PREFIX = '#/components/schemas/';

const MESSAGES = [
  ...[...Object.values<Call>(V3_CALLS), ...Object.values<Call>(V2_CALLS)].flatMap(
    ({ params, response }) => [params, response],
  ),
  ...[...Object.values<Method>(TRADING_METHODS), ...Object.values<Method>(WALLET_METHODS)].flatMap(
    ({ params, result }) => [params, result],
  ),
].map((schema) => describeMessage(schema, PREFIX));

describe('descriptions of messages', () => {
  test('parameters show their defaults, bounds and choices', () => {
    const { schema } = describeMessage(V3_CALLS.getTradesOfSymbol.params, PREFIX);
    expect(schema).toMatchObject({
      type: 'object',
      properties: {
        by: { type: 'string', enum: ['id', 'timestamp'], default: 'timestamp' },
        limit: { type: 'integer', minimum: 1, maximum: 1_000, default: 10 },
        offset: { type: 'integer', minimum: 0, maximum: 100_000, default: 0 },
      },
    });
    expect(schema.required).toBeUndefined();
  });

  test('an order asks for symbol and side, and shows what is optional without null', () => {
    const { schema } = describeMessage(V3_CALLS.createSpotOrder.params, PREFIX);
    expect(schema).toMatchObject({
      required: ['symbol', 'side'],
      properties: {
        client_order_id: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,32}$' },
        price: { type: 'string' },
        post_only: { type: 'boolean', default: false },
        expire_time: { type: 'string', format: 'date-time' },
      },
    });
  });

  test('records stand apart under their names, once', () => {
    const list = describeMessage(V3_CALLS.getSpotOrders.response, PREFIX);
    expect(list.schema).toEqual({ type: 'array', items: { $ref: `${PREFIX}Order` } });
    expect(Object.keys(list.records).sort()).toEqual(['Order', 'OrderTrade']);
    const one = describeMessage(V3_CALLS.getSpotOrder.response, PREFIX);
    expect(one.schema).toEqual({ $ref: `${PREFIX}Order` });
    expect(one.records).toEqual(list.records);
    expect(one.records.Order).toMatchObject({
      type: 'object',
      properties: {
        id: { type: 'integer' },
        trades: { type: 'array', items: { $ref: `${PREFIX}OrderTrade` } },
      },
    });
  });

  test('a symbol shows that expiry may be null', () => {
    const { records } = describeMessage(V3_CALLS.getSymbol.response, PREFIX);
    expect(records.Symbol).toMatchObject({
      properties: { expiry: { anyOf: [{ format: 'date-time' }, { type: 'null' }] } },
    });
  });

  test('one name means one record everywhere', () => {
    const seen = new Map<string, unknown>();
    for (const { records } of MESSAGES) {
      for (const [name, record] of Object.entries(records)) {
        expect(seen.get(name) ?? record, name).toEqual(record);
        seen.set(name, record);
      }
    }
    expect(seen.size).toBeGreaterThan(50);
  });

  test('every reference leads to a record, and nothing is left undescribed', () => {
    for (const { schema, records } of MESSAGES) {
      const text = JSON.stringify({ schema, records: Object.values(records) });
      const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => to);
      for (const to of references) {
        expect([to, to.slice(PREFIX.length) in records || to === '#/']).toEqual([to, true]);
      }
      expect(text.replaceAll('"properties":{}', '')).not.toMatch(/:\{\}|x-default|x-optional/);
    }
  });
});
