import { describe, expect, test } from 'vitest';
import {
  eventColumns,
  FUNDING,
  INDEX,
  LAST,
  MARK,
  OPEN_INTEREST,
} from '../../../src/model/events.ts';
import { micros } from '../../../src/platform/time.ts';
import { Floor } from '../kit.ts';

const KINDS = [MARK, INDEX, FUNDING, OPEN_INTEREST];

/** Lets every kind of row come that tells of a derivative beside its market. */
function beside({ exchange, at }: Floor): void {
  const columns = eventColumns(1);
  for (const kind of KINDS) {
    columns.receivedAt[0] = at;
    columns.stampedAt[0] = at;
    columns.kind[0] = kind;
    columns.flags[0] = LAST;
    columns.price[0] = 1;
    columns.size[0] = 1_000;
    columns.askPrice[0] = 2;
    columns.askSize[0] = 1_000;
    exchange.market(0, columns, 0, micros(at));
  }
}

/** A market with resting and waiting orders; `between` comes between any two things that happen. */
function played(between: (floor: Floor) => void): string[] {
  const floor = new Floor();
  const account = floor.account({ USDT: '100000', BTC: '1000' });
  const steps: readonly (() => void)[] = [
    () => void floor.place(account, 'rests', { side: 'buy', lots: 5, ticks: 99 }),
    () => {
      floor.snapshot([
        ['bid', 98, 5],
        ['ask', 102, 1],
      ]);
    },
    () =>
      void floor.place(account, 'stop', { side: 'buy', lots: 4, type: 'stopMarket', stop: 101 }),
    () => void floor.place(account, 'sells', { side: 'sell', lots: 3, ticks: 103 }),
    () => {
      floor.trade('buy', 101, 1);
    },
    () => {
      floor.depth([['ask', 102, 2]]);
    },
    () => {
      floor.quote([100, 3], [101, 3]);
    },
    () => {
      floor.trade('sell', 99, 2);
    },
    () => {
      floor.pass(1_000);
    },
    () => {
      floor.depth([['ask', 103, 9]]);
    },
    () => {
      floor.gap();
    },
    () => {
      floor.trade('buy', 110, 50);
    },
  ];
  for (const step of steps) {
    step();
    between(floor);
  }
  return floor.reported();
}

describe('derivative rows beside a market', () => {
  test('change nothing of what orders do', () => {
    const without = played(() => undefined);
    expect(without.filter((line) => line.startsWith('trade')).length).toBeGreaterThan(2);
    expect(played(beside)).toEqual(without);
  });

  test('make no market where there is none', () => {
    const floor = new Floor();
    beside(floor);
    expect(floor.exchange.recorded[0].hasNoData).toBe(true);
    floor.depth([['bid', 99, 1]]);
    expect(floor.exchange.recorded[0].hasNoData).toBe(false);
  });
});
