import { merge, NEVER } from 'rxjs';
import { expect, test } from 'vitest';
import {
  eventColumns,
  FUNDING,
  INDEX,
  LAST,
  MARK,
  OPEN_INTEREST,
} from '../../../src/model/events.ts';
import type { Context } from '../../../src/strategy/context.ts';
import { rig } from '../rig.ts';

test('rows that tell of a derivative beside its market reach no stream of the market', () => {
  let given: Context<unknown> | undefined;
  const { engine, audits } = rig((context) => {
    given = context;
    return NEVER;
  });
  engine.start();
  if (given === undefined) throw new Error('the strategy did not run');
  const { market } = given;
  const emitted: unknown[] = [];
  merge(
    market.trades('BTCUSDT'),
    market.book('BTCUSDT'),
    market.top('BTCUSDT'),
    market.candles('BTCUSDT', 'M1'),
  ).subscribe((value) => emitted.push(value));
  const before = audits.length;
  const columns = eventColumns(1);
  for (const kind of [MARK, INDEX, FUNDING, OPEN_INTEREST]) {
    columns.kind[0] = kind;
    columns.flags[0] = LAST;
    columns.price[0] = 100;
    columns.size[0] = 1;
    engine.market(0, columns, 0);
  }
  expect(emitted).toEqual([]);
  expect(audits.length).toBe(before);
  expect(engine.marketOf('BTCUSDT')?.lastTicks).toBeNaN();
});
