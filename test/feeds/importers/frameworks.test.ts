import { CompressionType, setCompressionCodec, TimeUnit } from '@uwdata/flechette';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { featherOf } from '../../kit/feather.ts';
import { zipOf } from '../../kit/zip.ts';
import { filesOf, importPaths, importTexts, rejectionOf } from './imported.ts';

const START = Date.parse('2024-01-01T00:00:00Z');
const HOUR = 3_600_000;

const candles = (date: readonly unknown[]) => ({
  date,
  open: [42.1, 42.5],
  high: [42.6, 42.7],
  low: [42, 42.1],
  close: [42.5, 42.25],
  volume: [1.5, 2],
});
const times = [START, START + HOUR];
const TICKS = [
  [4250, 15, 4260, 4200, 4210],
  [4225, 20, 4270, 4210, 4250],
];

describe('Feather files of freqtrade', () => {
  test('are candles with exact decimals', async () => {
    const { rows, report } = await importTexts(undefined, {
      'ETH_USDT-1h.feather': featherOf(candles(times)),
    });
    expect(rows.map((row) => row.slice(5))).toEqual(TICKS);
    expect(rows[0].slice(0, 2)).toEqual([(START + HOUR) * 1_000, START * 1_000]);
    expect(report.instrument).toMatchObject({ symbol: 'ETHUSDT', tickSize: '0.01' });
  });

  test('may be packed with zstd, or have another unit of time', async () => {
    setCompressionCodec(CompressionType.ZSTD, {
      decode: (bytes) => new Uint8Array(zstdDecompressSync(bytes)),
      encode: (bytes) => new Uint8Array(zstdCompressSync(bytes)),
    });
    const long = Array.from({ length: 500 }, (_, hour) => START + hour * HOUR);
    const same = (value: number): number[] => Array.from(long, () => value);
    const packed = featherOf(
      { date: long, open: same(5), high: same(5), low: same(5), close: same(5), volume: same(1) },
      TimeUnit.MILLISECOND,
      CompressionType.ZSTD,
    );
    expect(packed.length).toBeLessThan(10_000);
    const { report } = await importTexts('feather', { 'ETH_USDT-1h.feather': packed });
    expect(report.candles).toBe(500);
    const nanos = featherOf(candles(times), TimeUnit.NANOSECOND);
    expect((await importTexts('feather', { 'ETH_USDT-1h.feather': nanos })).rows).toHaveLength(2);
  });

  test('are trades with sides and ids', async () => {
    const { rows, report } = await importTexts(undefined, {
      'ETH_USDT-trades.feather': featherOf({
        timestamp: [BigInt(START), BigInt(START), BigInt(START + 1)],
        id: ['7', '7', '8'],
        type: ['', '', ''],
        side: ['buy', 'buy', 'sell'],
        price: [42.1, 42.1, 42.2],
        amount: [0.5, 0.5, 1],
        cost: [1, 1, 1],
      }),
    });
    expect(rows.map((row) => row.slice(4, 7))).toEqual([
      [7, 421, 5],
      [8, 422, 10],
    ]);
    expect(report).toMatchObject({ trades: 2, repeatedTrades: 1 });
  });

  test('are refused where they are cut off, in an archive, or mixed', async () => {
    const whole = featherOf(candles(times));
    const cut = filesOf({ 'ETH_USDT-1h.feather': whole.subarray(0, 400) });
    expect(await rejectionOf('feather', cut)).toMatchObject({ code: 'import-invalid' });
    const zip = filesOf({ 'a.zip': zipOf({ 'ETH_USDT-1h.feather': whole }) });
    expect((await rejectionOf('feather', zip)).message).toContain('unpack the archive first');
    const trades = featherOf({ timestamp: [BigInt(START)], price: [1], amount: [1] });
    const mixed = filesOf({ 'ETH_USDT-1h.feather': whole, 'ETH_USDT-trades.feather': trades });
    expect((await rejectionOf('feather', mixed)).message).toContain(
      'other rows than the file before',
    );
  });
});

describe('candles as JSON', () => {
  const rows = times.map((time, n) => [time, 42.1 + n, 44, 42, 42.5 + n, 1.5]);

  test('are the rows of freqtrade and ccxt', async () => {
    const { report, rows: found } = await importTexts(undefined, {
      'ETH_USDT-1h.json': JSON.stringify(rows),
    });
    expect(found.map((row) => row.slice(5))).toEqual([
      [425, 15, 440, 420, 421],
      [435, 15, 440, 420, 431],
    ]);
    expect(report.instrument.symbol).toBe('ETHUSDT');
  });

  const ohlc = times.map((time) => ({
    timestamp: String(time / 1_000),
    open: '42.1',
    high: '44',
    low: '42',
    close: '42.5',
    volume: '1.50000000',
  }));

  test('are the answer of Bitstamp', async () => {
    const text = JSON.stringify({ data: { pair: 'ETH/USD', ohlc } });
    const { rows: found, report } = await importTexts(undefined, { 'answer.json': text });
    expect(found[0].slice(5)).toEqual([425, 15, 440, 420, 421]);
    expect(report.instrument.symbol).toBe('ETHUSD');
    expect(report.notes.join()).toContain('fills periods without a trade');
  });

  test.each([
    [
      'the order of Bitfinex',
      JSON.stringify(times.map((time) => [time, 42, 43, 45, 41, 1])),
      'of 2 of 2',
    ],
    ['falling times', JSON.stringify(rows.toReversed()), 'not in the order of their times'],
    ['rows that are short', '[[1,2,3]]', 'the row'],
    ['no rows', '{"data":{"pair":"A/B","ohlc":5}}', 'the JSON has no candles'],
    ['an end too early', '{"data":{"pair":"A/B","ohlc":[', 'it is no JSON'],
    ['a candle without a time', '{"data":{"pair":"A/B","ohlc":[{}]}}', 'the candle "{}"'],
  ])('are refused with %s', async (_what, text, says) => {
    const error = await rejectionOf(undefined, filesOf({ 'ETH_USDT-1h.json': text }));
    expect(error.message).toContain(says);
  });

  test('are of one pair', async () => {
    const answer = (pair: string): string => JSON.stringify({ data: { pair, ohlc } });
    const files = filesOf({ 'a.json': answer('A/USD'), 'b.json': answer('BB/USD') });
    expect((await rejectionOf(undefined, files)).message).toContain('files of one instrument');
  });

  test('are read from an archive too', async () => {
    const [path] = filesOf({ 'a.zip': zipOf({ 'ETH_USDT-1h.json': JSON.stringify(rows) }) });
    expect((await importPaths(undefined, [path])).report.candles).toBe(2);
  });
});
