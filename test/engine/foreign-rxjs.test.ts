import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Rxjs from 'rxjs';
import { map, Observable, share, type Observable as Stream } from 'rxjs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Command } from '../../src/strategy/commands.ts';
import type { Context } from '../../src/strategy/context.ts';
import { place } from '../../src/strategy/orders.ts';
import { copyRxjs } from '../kit/second-rxjs.ts';
import { rig } from './rig.ts';

const ORDER = place('BTCUSDT', { type: 'limit', side: 'buy', ticks: 5, lots: 1 });

let other: typeof Rxjs;

beforeAll(() => {
  const project = mkdtempSync(join(tmpdir(), 'millrace-rxjs-'));
  copyRxjs(project);
  other = createRequire(join(project, 'strategy.js'))('rxjs') as typeof other;
  expect(other.Observable).not.toBe(Observable);
});

describe('another copy of rxjs is refused by name', () => {
  const cases: readonly [string, (context: Context<unknown>) => Stream<Command>][] = [
    ['where run gives a stream of it', () => other.of(ORDER)],
    [
      'where an operator of it stands on a stream of the market',
      ({ market }) =>
        market.trades('BTCUSDT').pipe(
          other.bufferTime(1_000),
          map(() => ORDER),
        ),
    ],
    [
      'where one stands further down',
      ({ market }) =>
        market.trades('BTCUSDT').pipe(
          map(() => ORDER),
          other.debounceTime(1_000),
        ),
    ],
    [
      'where one stands on a stream of the account',
      ({ account }) =>
        account.orders().pipe(
          other.delay(1_000),
          map(() => ORDER),
        ),
    ],
  ];
  test.each(cases)('%s', (_, run) => {
    const { engine, wire } = rig(run);
    engine.start();
    expect(engine.failure).toMatchObject({ code: 'rxjs-foreign' });
    expect(wire.requests).toEqual([]);
  });
});

test('operators of this copy are taken, and whatever else looks like one who listens', () => {
  const received: unknown[] = [];
  const { engine, play } = rig(({ market }) => {
    market.trades('BTCUSDT').subscribe((trade) => received.push(trade));
    market.trades('BTCUSDT').subscribe({ next: (trade) => received.push(trade) });
    return market.trades('BTCUSDT').pipe(
      share(),
      map(() => ORDER),
    );
  });
  engine.start();
  play([{ at: '00:01', trade: 10 }]);
  expect(received).toHaveLength(2);
  expect(engine.state).toBe('running');
});
