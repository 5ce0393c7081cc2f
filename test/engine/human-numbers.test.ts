import fc from 'fast-check';
import { from } from 'rxjs';
import { describe, expect, test } from 'vitest';
import {
  bracket,
  defineStrategy,
  isolated,
  lots,
  place,
  price,
  quantity,
  quote,
  replace,
  setMargin,
  target,
  ticks,
  z,
  type Command,
  type Rounding,
} from '../../src/index.ts';
import { replay } from '../../src/testing.ts';
import type { AuditEvent } from '../../src/engine/audit.ts';

/*
 * BTCUSDT of the test kit has ticks of 0.01 and lots of 0.00001.
 */

/** What came of commands that a strategy gives at the first trade: what is sent, and what is refused. */
function outcome(...commands: readonly Command[]) {
  const seen: AuditEvent[] = [];
  const strategy = defineStrategy({
    name: 'numbers',
    summary: 'Gives commands.',
    parameters: z.object({}),
    run: () => from(commands),
  });
  replay(strategy, {}, { audit: (event) => seen.push(event) }).trades([['00:00', 42_000]]);
  return {
    sent: seen.flatMap((event) => (event.kind === 'request' ? [event.request] : [])),
    refused: seen.flatMap((event) => (event.kind === 'refused' ? [event.rejection.message] : [])),
  };
}

const limit = { type: 'limit', side: 'buy' } as const;

describe('numbers as people write them', () => {
  test('text is the decimal that it says, in every command', () => {
    expect(place('BTCUSDT', { ...limit, price: '42000.5', quantity: '0.010' })).toEqual(
      place('BTCUSDT', { ...limit, price: price('42000.5'), quantity: quantity('0.01') }),
    );
    expect(replace('an-order', { price: '1e3', stopPrice: '7' })).toEqual(
      replace('an-order', { price: price('1000'), stopPrice: price('7') }),
    );
    expect(target('BTCUSDT', { notional: '1000' })).toMatchObject({
      hold: { notional: price('1000') },
    });
    expect(
      setMargin(isolated('BTCUSDT'), {
        balance: '500',
        leverage: '2.5',
        replenish: { maxPerDay: '10' },
      }),
    ).toMatchObject({
      balance: price('500'),
      leverage: price('2.5'),
      replenish: { maxPerDay: price('10') },
    });
    expect(
      bracket('BTCUSDT', {
        entry: { side: 'buy', type: 'limit', price: '42000', takeRate: '0.002' },
        takeProfit: '43000',
        stopLoss: '41000',
        quantity: '0.01',
      }).orders,
    ).toMatchObject([
      { price: price('42000'), takeRate: price('0.002'), quantity: quantity('0.01') },
      { price: price('43000'), quantity: quantity('0.01') },
      { stopPrice: price('41000'), quantity: quantity('0.01') },
    ]);
  });

  test('an order, a quote and a target become whole ticks and lots', () => {
    const { sent } = outcome(place('BTCUSDT', { ...limit, price: '41999.5', quantity: '0.01' }));
    expect(sent).toMatchObject([{ ticks: 4_199_950, lots: 1_000 }]);
    const bid = { price: '41999.5', quantity: '0.01' };
    const ask = { price: '42000.5', lots: lots(7) };
    expect(outcome(quote('BTCUSDT', { bid, ask })).sent).toMatchObject([
      { side: 'sell', ticks: 4_200_050, lots: 7, postOnly: true },
      { side: 'buy', ticks: 4_199_950, lots: 1_000, postOnly: true },
    ]);
    expect(outcome(target('BTCUSDT', { quantity: '0.02' })).sent).toMatchObject([
      { side: 'buy', type: 'market', lots: 2_000 },
    ]);
  });

  test('what is off its grid is refused with the nearest that are on it', () => {
    const off = [
      place('BTCUSDT', { ...limit, price: '42000.005', quantity: '0.01' }),
      place('BTCUSDT', { ...limit, price: '42000', quantity: '0.000001' }),
      quote('BTCUSDT', { ask: { price: '42000.001', quantity: '0.01' } }),
      target('BTCUSDT', { quantity: '0.000011' }),
    ];
    expect(off.flatMap((command) => outcome(command).refused)).toEqual([
      'price is 42000.005 and must be a multiple of the tick size 0.01; the nearest are 42000 and 42000.01.',
      'quantity is 0.000001 and must be a multiple of the quantity increment 0.00001; the least is 0.00001.',
      'ask.price is 42000.001 and must be a multiple of the tick size 0.01; the nearest are 42000 and 42000.01.',
      'quantity is 0.000011 and must be a multiple of the quantity increment 0.00001; the nearest are 0.00001 and 0.00002.',
    ]);
  });

  test('a rounding that is asked for brings it there', () => {
    const roundings = fc.constantFrom<Rounding>('down', 'up', 'near');
    const numbers = fc.integer({ min: 1_000, max: 9_999_999 });
    fc.assert(
      fc.property(
        numbers,
        numbers,
        roundings,
        roundings,
        (a, b, priceRounding, quantityRounding) => {
          // Thousandths of a tick and of a lot.
          const [value, size] = [a / 1e5, b / 1e8].map((one, i) => one.toFixed(i === 0 ? 5 : 8));
          const rounded = { priceRounding, quantityRounding };
          const { sent } = outcome(
            place('BTCUSDT', { ...limit, price: value, quantity: size, ...rounded }),
          );
          expect(sent).toMatchObject([
            {
              ticks: ticks(a / 1_000, priceRounding),
              lots: lots(b / 1_000, quantityRounding),
            },
          ]);
        },
      ),
      { numRuns: 40 },
    );
    const bid = { price: '41999.509', quantity: '0.000019', priceRounding: 'down' } as const;
    const side = { ...bid, quantityRounding: 'down' } as const;
    expect(outcome(quote('BTCUSDT', { bid: side })).sent).toMatchObject([
      { ticks: 4_199_950, lots: 1 },
    ]);
  });

  test('a bracket hands its roundings to all of its orders, and each may have its own', () => {
    const list = bracket('BTCUSDT', {
      entry: { side: 'buy', type: 'limit', price: '42000.001', priceRounding: 'up' },
      takeProfit: '43000.001',
      stopLoss: '41000.009',
      quantity: '0.000019',
      priceRounding: 'down',
      quantityRounding: 'down',
    });
    expect(list.orders.map((order) => order.priceRounding)).toEqual(['up', 'down', 'down']);
    const { sent } = outcome(list);
    expect(sent).toMatchObject([
      {
        orders: [
          { ticks: 4_200_001, lots: 1 },
          { ticks: 4_300_000, lots: 1 },
          { stopTicks: 4_100_000, lots: 1 },
        ],
      },
    ]);
  });

  test('a quantity of 0 withdraws a side, and a target that rounds to no lot holds none', () => {
    expect(quote('BTCUSDT', { bid: { price: '1', quantity: '0.0' } })).toEqual(
      quote('BTCUSDT', {}),
    );
    const none = outcome(target('BTCUSDT', { quantity: '0.000001', quantityRounding: 'down' }));
    expect(none).toEqual({ sent: [], refused: [] });
  });

  test('text that is no number is refused, and so is a number of the language', () => {
    const wrong = [
      place('BTCUSDT', { ...limit, price: '42,000', quantity: '1' }),
      place('BTCUSDT', { ...limit, price: 42_000.5 as never, quantity: '1' }),
      place('BTCUSDT', {
        ...limit,
        price: '42000',
        quantity: '1',
        priceRounding: 'floor' as never,
      }),
      quote('BTCUSDT', { bid: { price: 'cheap', quantity: '1' } }),
      target('BTCUSDT', { quantity: '-1' }),
    ];
    expect(wrong.flatMap((command) => outcome(command).refused)).toEqual([
      `price is "42,000" and must be a decimal or its text, such as '0.05'.`,
      `price is 42000.5 and must be a decimal or its text, such as '0.05'.`,
      'priceRounding is "floor" and must be one of down, up, near.',
      'bid is { price: "cheap", quantity: { … } } and must be { price, quantity } as decimals or { ticks, lots } as numbers, or absent.',
      'The target asks for -100000 lots; a spot market has no short positions, so a number of lots is 0 or more; a short is a target of isolated(symbol) or cross(symbol).',
    ]);
  });
});
