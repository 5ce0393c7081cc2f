import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RecordedMarketSource } from '../../../src/bot/paper/recorded-market.ts';
import type { Wanted } from '../../../src/gateways/market-source.ts';
import { FUNDED, INDEXED, MARKED, OPENED } from '../../../src/model/derivative-state.ts';
import { CANDLE, FUNDING, INDEX, LAST, MARK, OPEN_INTEREST } from '../../../src/model/events.ts';
import { micros, US_PER_HOUR, US_PER_SECOND } from '../../../src/platform/time.ts';
import { onMargin } from '../../exchange/margin/kit.ts';
import { derivativesMeta } from '../../kit/metas.ts';
import { temporaryFolder, writeRecording, type Row } from '../../kit/recordings.ts';
import { NOW, at, trade, Ear, all } from './listener.ts';

describe('what a venue says of a contract beside its market', () => {
  const HOUR_S = US_PER_HOUR / US_PER_SECOND;
  const beside = (
    seconds: number,
    kind: number,
    ...numbers: [number, number, number, number]
  ): Row => [at(seconds), at(seconds) - 250, kind, LAST, 0, ...numbers, 0] as const;
  const rows = [
    beside(0, MARK, 100, 5, 0, 0),
    beside(2, INDEX, 99, 7, 0, 0),
    beside(4, FUNDING, 100_000, 3, at(HOUR_S), at(9 * HOUR_S)),
    beside(6, FUNDING, 200_000, 0, 0, 0),
    beside(8, OPEN_INTEREST, 1, 40, 0, 0),
  ];
  const path = (): string =>
    writeRecording(join(temporaryFolder(), 'p.arrow'), [trade(0, 100), ...rows], derivativesMeta());
  const perpetual = (market: RecordedMarketSource): Wanted => ({
    ...all(market.instruments[0]),
    derivatives: true,
  });

  test('is played where it is wanted, and of a funding the time by the clock of the play', async () => {
    const ear = new Ear([path()], { speed: 2 });
    const [instrument] = ear.market.instruments;
    expect(ear.market.contents(instrument.symbol)?.derivatives).toBe(
      MARKED | INDEXED | FUNDED | OPENED,
    );
    await ear.market.open([perpetual(ear.market)], ear);
    ear.pass(4);
    expect(
      ear.reported
        .filter(({ row }) => row[2] > CANDLE)
        .map(({ at: reported, row }) => [reported - NOW, ...row.slice(2, 9)]),
    ).toEqual([
      [0, MARK, LAST, 0, 100, 5, 0, 0],
      [1 * US_PER_SECOND, INDEX, LAST, 0, 99, 7, 0, 0],
      [
        2 * US_PER_SECOND,
        FUNDING,
        LAST,
        0,
        100_000,
        3,
        NOW + US_PER_HOUR / 2,
        NOW + 4.5 * US_PER_HOUR,
      ],
      [3 * US_PER_SECOND, FUNDING, LAST, 0, 200_000, 0, 0, 0],
      [4 * US_PER_SECOND, OPEN_INTEREST, LAST, 0, 1, 40, 0, 0],
    ]);
  });

  test('is left out where it is not wanted', async () => {
    const ear = new Ear([path()]);
    await ear.market.open([all(ear.market.instruments[0])], ear);
    ear.pass(60);
    expect(
      ear.reported.some(({ row }) => [MARK, INDEX, FUNDING, OPEN_INTEREST].includes(row[2])),
    ).toBe(false);
  });

  test('is shown as it stood where the play begins in the middle', async () => {
    const ear = new Ear([path()], { from: micros(at(5)) });
    await ear.market.open([perpetual(ear.market)], ear);
    expect(ear.reported.map(({ row }) => row.slice(1, 9))).toEqual([
      [NOW - 5 * US_PER_SECOND - 250, MARK, LAST, 0, 100, 5, 0, 0],
      [NOW - 3 * US_PER_SECOND - 250, INDEX, LAST, 0, 99, 7, 0, 0],
      [
        ...[NOW - 1 * US_PER_SECOND - 250, FUNDING, LAST, 0, 100_000, 3],
        ...[NOW + US_PER_HOUR - 5 * US_PER_SECOND, NOW + 9 * US_PER_HOUR - 5 * US_PER_SECOND],
      ],
    ]);
  });

  test('and the contract is traded as in a backtest: on assumed margin terms, or on those that are given', () => {
    const [assumed] = new Ear([path()]).market.instruments;
    expect(assumed.isContract).toBe(true);
    expect(assumed.margin.isolated?.maxInitialLeverage.toFixed()).toBe('10');
    const margin = { [assumed.symbol]: onMargin({ maxInitialLeverage: '3' }) };
    const [given] = new Ear([path()], { margin }).market.instruments;
    expect(given.margin.cross?.maxInitialLeverage.toFixed()).toBe('3');
  });
});
