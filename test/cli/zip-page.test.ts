import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ArchiveServer } from '../kit/archive-server.ts';
import { millrace } from './command.ts';
import { argumentsOf, blocks, lines } from './pages.ts';

const PAGE = 'docs/from-a-zip-to-a-report.md';
const KLINES = 'data/spot/monthly/klines/BTCUSDT/1h/BTCUSDT-1h-';
const DAYS = KLINES.replace('monthly', 'daily');
const HOUR = 3_600_000;

let work = '';
let url = '';
const server = new ArchiveServer();

/** A candle of an hour, of a price that goes up and down. */
function kline(hour: number): string {
  const at = Date.UTC(2024, 0, 1) + hour * HOUR;
  const price = (n: number): number => 42_000 + Math.round(900 * Math.sin(n / 40));
  const [open, close] = [price(hour), price(hour + 1)];
  const [high, low] = [Math.max(open, close) + 5, Math.min(open, close) - 5];
  return `${at},${open}.10,${high}.20,${low}.00,${close}.10,12.5,${at + HOUR - 1},500000,900,6,250000,0\n`;
}

const rows = (from: number, till: number): string =>
  Array.from({ length: till - from }, (_, n) => kline(from + n)).join('');

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'millrace-zip-'));
  url = await server.start();
  // The month lacks its third day, as months of the archive do; the day has a file of its own.
  server.put(`${KLINES}2024-01.zip`, rows(0, 48) + rows(72, 744));
  server.put(`${DAYS}2024-01-03.zip`, rows(48, 72));
  server.put(`${KLINES}2024-02.zip`, rows(744, 744 + 29 * 24));
  const days = Array.from({ length: 20 }, (_, n) => String(n + 1).padStart(2, '0'));
  writeFileSync(join(work, 'mapping.yaml'), blocks(PAGE, 'yaml').join('\n'));
  writeFileSync(
    join(work, 'bank.csv'),
    `Datum;Erster;Hoch;Tief;Letzter;Menge\n${days.map((day) => `${day}.06.2024 00:00;1,5;1,6;1,4;1,5;10\n${day}.06.2024 01:00;1,5;1,6;1,4;1,5;10\n`).join('')}`,
  );
});

afterAll(async () => {
  await server.stop();
  rmSync(work, { recursive: true, force: true });
});

test(`${PAGE} has commands that work when pasted, and ends with a report`, async () => {
  const told = lines(PAGE).map((line) => argumentsOf(line) ?? []);
  expect(told).toHaveLength(6);
  const outs: string[] = [];
  for (const args of told) {
    const local = args.includes('download') ? ['--base-url', url] : [];
    const { code, out, err } = await millrace([...args, ...local], { cwd: work });
    expect(err).not.toContain('error');
    expect(code, `${args.join(' ')}\n${err}`).toBe(0);
    outs.push(out);
  }
  expect(outs[0]).toMatch(/^downloaded +3$/m);
  expect(outs[0]).toMatch(/^candles +1,440$/m);
  expect(outs[0]).toMatch(/^gaps +none$/m);
  const [run = ''] = readdirSync(join(work, 'runs'));
  expect(existsSync(join(work, 'runs', run, 'report.html'))).toBe(true);
  expect(outs[2]).toContain('report.html');
}, 180_000);

test('a download says as JSON what it brought, and refuses what it cannot do', async () => {
  const common = ['feed', 'download', 'binance', '--base-url', url, '--cache', join(work, 'cache')];
  const order = [...common, '--symbol', 'BTCUSDT', '--from', '2024-01', '--till', '2024-02'];
  const made = ['--import', '--name', 'least', '--min-notional', '5', '--json'];
  const { out } = await millrace([...order, '--interval', '1h', ...made], { cwd: work });
  expect(JSON.parse(out)).toMatchObject({
    cached: 0,
    missing: [],
    awaited: [],
    import: { instrument: { minNotional: '5' } },
  });
  for (const [args, says] of [
    [[...order, '--interval', '7m'], 'no interval 7m'],
    [[...order, '--interval', '1h', '--parallel', '99'], 'a number from 1 to 32'],
    [[...common, '--symbol', 'BTCUSDT', '--from', 'soon'], 'a day or a month'],
    [[...order, '--market', 'um', '--type', 'premiumIndexKlines', '--import'], 'no prices'],
    [[...order, '--market', 'um', '--interval', '1h'], 'has no klines of BTCUSDT (um)'],
  ] as const) {
    const { code, err } = await millrace(args, { cwd: work });
    expect(code, err).not.toBe(0);
    expect(err).toContain(says);
  }
}, 180_000);

test('its words are fewer than 800', () => {
  expect(readFileSync(PAGE, 'utf8').split(/\s+/).length).toBeLessThan(800);
});
