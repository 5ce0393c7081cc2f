import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TRADE_DEPTH_US } from '../../src/exchange/recorded/trade-depth-matcher.ts';
import { Floor } from './kit.ts';

/*
 * The real queue at one price, order by order, with a ghost in it: an order that nobody sees. Its
 * recording is what a feed would tell: sizes and prints, each by a way of its own with delays of its
 * own. The exchange knows only the recording and must never give the ghost more than it would get.
 */
const START = 10;

interface Event {
  readonly kind: 'add' | 'cancel' | 'trade';
  readonly lots: number;
  /** Where a cancel takes from: 0 the front, 1 the back. */
  readonly where: number;
  readonly afterUs: number;
}

const event: fc.Arbitrary<Event> = fc.record({
  kind: fc.constantFrom('add', 'cancel', 'trade', 'trade'),
  lots: fc.integer({ min: 1, max: 6 }),
  where: fc.constantFrom(0, 0.5, 1),
  afterUs: fc.constantFrom(0, 1, 5_000, 40_000, 150_000),
});

const OWN_LOTS = [3, 4] as const;

/** A market: what it shows after each event, and what the ghosts have got when it has printed. */
class Snapshot {
  readonly shown: number[] = [];
  readonly prints: number[] = [];
  readonly times: number[] = [];
  readonly #events: readonly Event[];

  constructor(events: readonly Event[]) {
    this.#events = events;
    let at = 0;
    let size = START;
    for (const { kind, lots, afterUs } of events) {
      at += afterUs;
      const gone = kind === 'add' ? 0 : Math.min(lots, size);
      size += kind === 'add' ? lots : -gone;
      this.shown.push(size);
      this.prints.push(kind === 'trade' ? gone : 0);
      this.times.push(at);
    }
  }

  /** What ghosts that joined after so many events have got after each event, all together. */
  fills(joined: readonly number[]): number[] {
    // Lots from front to back: 0 is one of the market, 1 one of a ghost.
    const queue: number[] = Array.from({ length: START }, () => 0);
    const join = (after: number): void => {
      joined.forEach((moment, ghost) => {
        if (moment === after) queue.push(...Array.from({ length: OWN_LOTS[ghost] }, () => 1));
      });
    };
    let got = 0;
    join(0);
    return this.#events.map(({ kind, where }, index) => {
      if (kind === 'add') queue.push(...Array.from({ length: this.#events[index].lots }, () => 0));
      if (kind === 'cancel') {
        const before = index === 0 ? START : this.shown[index - 1];
        for (let lot = before - this.shown[index]; lot > 0; lot -= 1) {
          const real = queue.flatMap((owner, index) => (owner === 0 ? [index] : []));
          queue.splice(real[Math.floor(where * (real.length - 1))], 1);
        }
      }
      // Ghosts do not alter the market: a trade takes as many real lots as it did, but a lot that
      // a ghost stood before is one that the ghost would have got.
      let left = this.prints[index];
      while (left > 0 && queue.length > 0) {
        got += queue.shift() === 1 ? 1 : 0;
        left -= 1;
      }
      // What the ghosts got stands at the front of the tape still, where the recording has it gone.
      const real = queue.filter((owner) => owner === 0).length;
      for (let lot = real - this.shown[index]; lot > 0; lot -= 1) {
        queue.splice(queue.indexOf(0), 1);
      }
      join(index + 1);
      return got;
    });
  }
}

test('never gives an order more than it would have got in the real queue, whichever event comes first', () => {
  fc.assert(
    fc.property(
      fc.array(event, { minLength: 1, maxLength: 40, size: 'max' }),
      fc.array(fc.integer({ min: 0, max: TRADE_DEPTH_US }), { minLength: 40, maxLength: 40 }),
      fc.array(fc.integer({ min: 0, max: TRADE_DEPTH_US }), { minLength: 40, maxLength: 40 }),
      fc.boolean(),
      fc.array(fc.nat({ max: 3_000_000 }), { minLength: 1, maxLength: 2 }),
      (events, ways, others, fixed, arrivals) => {
        const snapshot = new Snapshot(events);
        const tells: { at: number; emit: () => void }[] = [];
        const floor = new Floor();
        const account = floor.account({ USDT: '100000' });
        floor.snapshot([['bid', 99, START]]);
        let displayed = 0;
        let printed = 0;
        const joined: number[] = [];
        // Each way keeps its order: nothing overtakes what was sent before.
        let displayAt = 0;
        let printAt = 0;
        snapshot.times.forEach((time, index) => {
          displayAt = Math.max(displayAt, time + (fixed ? ways[0] : ways[index]));
          printAt = Math.max(printAt, time + (fixed ? others[0] : others[index]));
          tells.push({
            at: displayAt,
            emit: () => {
              displayed = index + 1;
              floor.depth([['bid', 99, snapshot.shown[index]]]);
            },
          });
          tells.push({
            at: printAt,
            emit: () => {
              printed = index + 1;
              if (snapshot.prints[index] > 0) floor.trade('sell', 99, snapshot.prints[index]);
            },
          });
        });
        [...arrivals]
          .sort((a, b) => a - b)
          .forEach((at, ghost) => {
            tells.push({
              at,
              emit: () => {
                joined.push(displayed);
                floor.place(account, `ghost${ghost}`, {
                  side: 'buy',
                  lots: OWN_LOTS[ghost],
                  ticks: 99,
                });
              },
            });
          });
        let got = 0;
        for (const { at, emit } of tells.sort((a, b) => a.at - b.at)) {
          floor.at = at;
          emit();
          for (const line of floor.events()) {
            got += Number(/buy (\d+)@99 maker/.exec(line)?.[1] ?? 0);
          }
          const real = printed === 0 ? 0 : snapshot.fills(joined)[printed - 1];
          expect(got).toBeLessThanOrEqual(real);
        }
      },
    ),
    { numRuns: 300 },
  );
});
