import { map, Subject, tap } from 'rxjs';
import { expect, test } from 'vitest';
import { warmUpStart } from '../../src/bot/strategy/warm-up.ts';
import { testFeed } from '../../src/engine/test-kit/feed.ts';
import { Instrument } from '../../src/model/instrument.ts';
import {
  isoTime,
  micros,
  parseIsoTime,
  US_PER_HOUR,
  US_PER_MINUTE,
} from '../../src/platform/time.ts';
import type { Command } from '../../src/strategy/commands.ts';
import { target } from '../../src/strategy/managed-orders.ts';
import { TERMS } from '../engine/rig.ts';
import { botRig, START } from './rig.ts';

const minute = (close: string) => ({
  candle: { open: close, high: close, low: close, close, volume: '1' },
});

/** Candles of the three minutes before the bot starts. */
const history = () => {
  const columns = testFeed(
    new Instrument(TERMS),
    ['99', '101', '102'].map((close, index) => ({ at: `00:0${index + 1}`, ...minute(close) })),
    'M1',
  );
  const shift = START - 3 * US_PER_MINUTE;
  for (let row = 0; row < columns.length; row += 1) {
    columns.receivedAt[row] += shift;
    columns.stampedAt[row] += shift;
  }
  return columns;
};

test('strategies see the past first, at its own times, and their managed orders of that time hold at once', async () => {
  const seen: string[] = [];
  const rig = await botRig({
    market: (market) => {
      market.past = history();
    },
    strategies: [
      {
        warmUpUs: US_PER_HOUR,
        run: ({ market, clock }) =>
          market.candles('BTCUSDT', 'M1').pipe(
            tap(({ close }) => {
              seen.push(`${isoTime(clock.now()).slice(11, 16)} ${close.toFixed()}`);
            }),
            map(({ close }) => target('BTCUSDT', { lots: close.toNumber() > 100 ? 1_002 : 0 })),
          ) as unknown as Subject<Command>,
      },
    ],
  });
  expect(seen).toEqual(['09:58 99', '09:59 101', '10:00 102']);
  rig.market.emit({ at: '00:00:01', bids: [['99.99', 1]], asks: [['100.01', 1]] });
  await rig.pass(100);
  expect(rig.bot.positions()).toMatchObject([{ quantity: '1.002' }]);
});

test('the past is asked for from a full hour on, or a full day, and as long as the longest needs it', async () => {
  const at = (text: string) => parseIsoTime(text) ?? micros(0);
  const now = at('2026-03-02T10:17:30Z');
  expect(isoTime(warmUpStart(2 * US_PER_HOUR, now))).toBe('2026-03-02T08:00:00.000Z');
  expect(isoTime(warmUpStart(30 * US_PER_HOUR, now))).toBe('2026-03-01T00:00:00.000Z');
  const rig = await botRig({
    strategies: [{ warmUpUs: US_PER_HOUR }, { warmUpUs: 3 * US_PER_HOUR }, {}],
  });
  expect(rig.market.asked.map(([from, till]) => [isoTime(from), till >= START])).toEqual([
    ['2026-03-02T07:00:00.000Z', true],
  ]);
});

test('a candle of the past that comes again by the live channel is shown once', async () => {
  const seen: string[] = [];
  const rig = await botRig({
    market: (market) => {
      market.past = history();
    },
    strategies: [
      {
        warmUpUs: US_PER_HOUR,
        run: ({ market }) => {
          market.candles('BTCUSDT', 'M1').subscribe(({ close }) => seen.push(close.toFixed()));
          return new Subject<Command>();
        },
      },
    ],
  });
  rig.market.rows(history());
  expect(seen).toEqual(['99', '101', '102']);
});
