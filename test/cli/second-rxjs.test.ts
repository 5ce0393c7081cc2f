import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generateRecording } from '../../src/feeds/generator.ts';
import { SAMPLE } from '../../src/feeds/synthetic/sample.ts';
import { US_PER_MINUTE } from '../../src/platform/time.ts';
import { copyRxjs } from '../kit/second-rxjs.ts';
import { started } from './process.ts';

const STRATEGY = `import { bufferTime, filter, map, merge, switchMap, take, timer } from 'rxjs';
import { debounceTime } from 'rxjs/operators';
import { defineStrategy, place, seconds, z } from 'millrace';
export default defineStrategy({
  name: 'clocked',
  summary: 'Buys by timers.',
  parameters: z.object({ symbol: z.string().default('BTCUSDT') }),
  run: ({ market, parameters: { symbol } }) => {
    const buy = () => place(symbol, { type: 'market', side: 'buy', lots: 10, timeInForce: 'IOC' });
    return merge(
      market.trades(symbol).pipe(bufferTime(seconds(10)), filter((all) => all.length > 0), map(buy)),
      market.trades(symbol).pipe(debounceTime(200), take(5), map(buy)),
      market.trades(symbol).pipe(take(1), switchMap(() => timer(seconds(30), seconds(30))), map(buy)),
    );
  },
});
`;

interface Shown {
  readonly hash: string;
  readonly orders: { readonly sent: number };
}

async function backtest(project: string, recording: string): Promise<Shown> {
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(project, 'clocked.ts'), STRATEGY);
  const args = ['backtest', '-s', './clocked.ts', '--recording', recording, '--json'];
  const { ended, out, err } = started([...args, '--balance', 'USDT=100000'], { cwd: project });
  expect(await ended, err()).toEqual({ code: 0, signal: null });
  return JSON.parse(out()) as Shown;
}

test('a strategy with a copy of rxjs of its own runs on event time, as one without', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-second-rxjs-'));
  const recording = join(folder, 'BTCUSDT.arrow');
  generateRecording(recording, { ...SAMPLE, durationUs: 3 * US_PER_MINUTE });
  copyRxjs(join(folder, 'two'));
  const [one, two] = await Promise.all([
    backtest(join(folder, 'one'), recording),
    backtest(join(folder, 'two'), recording),
  ]);
  expect(one.orders.sent).toBeGreaterThan(20);
  expect(two.orders.sent).toBe(one.orders.sent);
  expect(two.hash).toBe(one.hash);
});

test('a copy of rxjs that a path leads to is refused by name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-rxjs-by-path-'));
  const copy = copyRxjs(folder);
  const text = STRATEGY.replace(
    "from 'rxjs/operators'",
    `from '${copy}/dist/cjs/operators/index.js'`,
  );
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'clocked.ts'), text);
  const args = ['strategies', join(folder, 'clocked.ts')];
  const { ended, err } = started(args, { cwd: folder });
  expect(await ended, err()).toEqual({ code: 2, signal: null });
  expect(err()).toContain(`another copy of rxjs (${copy})`);
});
