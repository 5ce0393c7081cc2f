import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BUY, SELL as SELL_SIDE } from '../../../src/exchange/orders/side.ts';
import type { DepthSide } from '../../../src/model/depth.ts';
import { runs, seed } from '../../kit/size.ts';
import { Floor, type Level } from '../kit.ts';

/** What the market says, by messages: each has one sequence. */
const message = fc.record({
  kind: fc.constantFrom('depth', 'depth', 'depth', 'snapshot', 'gap', 'quote', 'trade'),
  // Prices of both sides overlap, so books are crossed now and then; size 0 deletes.
  levels: fc.array(
    fc.tuple(fc.constantFrom('bid', 'ask'), fc.integer({ min: 95, max: 105 }), fc.nat(3)),
    { minLength: 1, maxLength: 5 },
  ) as fc.Arbitrary<readonly Level[]>,
  step: fc.constantFrom(-3, -1, 0, 0, 1, 1, 1, 2),
});

const levelsOf = (side: DepthSide): unknown =>
  Array.from({ length: side.length }, (_, rank) => [side.ticksAt(rank), side.lotsAt(rank)]);

/** The depth of an exchange, and what it says can be had of each price. */
function shownBy({ exchange }: Floor): unknown {
  const [tape] = exchange.recorded;
  return [BUY, SELL_SIDE].map((name) => {
    const side = tape.sides[name];
    const prices = Array.from({ length: 11 }, (_, index) => 95 + index);
    return [
      levelsOf(side.depth),
      prices.map((ticks) => [side.shown(ticks), side.pending(ticks, 0)]),
    ];
  });
}

test('an exchange that shares the book of a feed shows what one shows that keeps its own', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 60 }), fc.boolean(), (messages, isNumbered) => {
      const floors = [new Floor(), new Floor(undefined, {}, true)];
      let sequence = 1_000;
      for (const { kind, levels, step } of messages) {
        sequence += step;
        const number = isNumbered ? sequence : 0;
        for (const floor of floors) {
          if (kind === 'snapshot') floor.snapshot(levels, number);
          else if (kind === 'depth') floor.depth(levels, number);
          else if (kind === 'gap') floor.gap();
          else if (kind === 'trade') floor.trade('buy', levels[0][1], 1);
          else floor.quote([98, levels[0][2]], [101, 1], number);
        }
        expect(shownBy(floors[1])).toEqual(shownBy(floors[0]));
      }
    }),
    { numRuns: runs(2_000), seed: seed(5) },
  );
});
