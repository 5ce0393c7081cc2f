import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlaceRequest } from '../../../../src/model/order-request.ts';
import { RequestWriter } from '../../../../src/gateways/trading/account/requests.ts';
import type { TradingSocket } from '../../../../src/gateways/trading/socket/trading.ts';
import { decimal } from '../../../../src/model/decimal.ts';
import { TIMES_IN_FORCE } from '../../../../src/model/order.ts';
import type { Lots, Ticks } from '../../../../src/model/units.ts';
import { encodeParams } from '../../../../src/wire/trading/call.ts';
import { newOrder } from '../../../../src/wire/trading/v3/calls/order-params.ts';
import { instruments } from '../../../server/instruments.ts';

/** What a request puts on the wire, and by which of the two ways it goes there. */
function written(request: PlaceRequest): { readonly way: string; readonly params: unknown } {
  const writer = new RequestWriter();
  writer.setInstruments(instruments());
  let reported = { way: 'none', params: undefined as unknown };
  const socket = {
    request: (_: string, params: unknown) => {
      reported = {
        way: 'schema',
        params: encodeParams(
          newOrder,
          params as Parameters<typeof encodeParams<typeof newOrder>>[1],
        ),
      };
      return new Promise<never>(() => undefined);
    },
    requestText: (_: string, text: string) => {
      reported = { way: 'text', params: JSON.parse(text) as unknown };
      return new Promise<never>(() => undefined);
    },
  };
  void writer.write(request).send(socket as unknown as TradingSocket);
  return reported;
}

const spot = instruments().filter(({ isContract }) => !isContract);

const order = fc.record({
  kind: fc.constant('place' as const),
  clientOrderId: fc.stringMatching(/^[A-Za-z0-9_-]{8,32}$/),
  symbol: fc.constantFrom(...spot.map(({ symbol }) => symbol)),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  timeInForce: fc.constantFrom(...TIMES_IN_FORCE),
  lots: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map((lots) => lots as Lots),
  postOnly: fc.boolean(),
});
const ticks = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map((one) => one as Ticks);
const plain = fc.oneof(
  fc.tuple(order, ticks).map(([one, at]) => ({ ...one, type: 'limit' as const, ticks: at })),
  order.map((one) => ({ ...one, type: 'market' as const })),
);

describe('the text of a plain order', () => {
  it('says what the schema would write', () => {
    fc.assert(
      fc.property(plain, (request) => {
        // With a time at which it expires the same order goes by the schema.
        const expireAt = Date.UTC(2026, 0, 5) * 1_000;
        const long = written({ ...request, expireAt } as PlaceRequest);
        const short = written(request);
        expect([long.way, short.way]).toEqual(['schema', 'text']);
        expect({ ...(short.params as object), expire_time: '2026-01-05T00:00:00Z' }).toEqual(
          long.params,
        );
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  it('goes by the schema where the order asks for fee rates, which are exact there', () => {
    fc.assert(
      fc.property(plain, fc.integer({ min: 1, max: 999_999_999 }), (request, billionths) => {
        const takeRate = decimal('1e-9').times(billionths);
        const { way, params } = written({ ...request, takeRate });
        const both = written({
          ...request,
          takeRate,
          makeRate: takeRate.negated(),
        });
        expect(way).toBe('schema');
        expect(params).toEqual({
          ...(written(request).params as object),
          take_rate: takeRate.toFixed(),
        });
        expect(both.params).toMatchObject({ make_rate: takeRate.negated().toFixed() });
      }),
      { seed: 5, numRuns: 100 },
    );
  });

  it.each(['short', 'has "quotes" in it', 'umlaut-ä-in-it', 'x'.repeat(33)])(
    'is not written for the client order id %s, which is left to the schema to refuse',
    (clientOrderId) => {
      const request = { ...fc.sample(plain, { seed: 5, numRuns: 1 })[0], clientOrderId };
      expect(() => written(request)).toThrow('client_order_id');
    },
  );
});
