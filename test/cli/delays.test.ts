import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as rxjs from 'rxjs';
import { describe, expect, test } from 'vitest';
import * as operators from '../../src/modules/rxjs/operators.ts';
import * as checked from '../../src/modules/rxjs/rxjs.ts';
import { generateRecording } from '../../src/feeds/generator.ts';
import { SAMPLE } from '../../src/feeds/synthetic/sample.ts';
import { US_PER_MINUTE } from '../../src/platform/time.ts';
import { millrace } from './command.ts';

describe('rxjs as a strategy imports it', () => {
  test('is all of rxjs, the same but for what takes a delay', () => {
    const own: Readonly<Record<string, unknown>> = checked;
    const differing = Object.entries(rxjs).filter(([name, value]) => own[name] !== value);
    expect(differing.map(([name]) => name).sort()).toEqual([
      ...['auditTime', 'bufferTime', 'debounceTime', 'delay', 'interval'],
      ...['repeat', 'retry', 'sampleTime', 'throttleTime', 'timeout', 'timeoutWith', 'timer'],
      'windowTime',
    ]);
    expect(operators.delay).toBe(checked.delay);
    expect(checked.default.NEVER).toBe(rxjs.NEVER);
    expect(operators.concatAll).toBe(rxjs.concatAll);
  });

  /** By its name, for what rxjs advises against and strategies may still use. */
  const called = (name: string, ...given: readonly unknown[]): unknown =>
    (checked as unknown as Record<string, (...given: readonly unknown[]) => unknown>)[name](
      ...given,
    );
  const nan = Number.NaN;
  const without = undefined as unknown as number;
  test.each<[string, () => unknown]>([
    ['timer', () => checked.timer(nan)],
    ['timer', () => checked.timer('abc' as never)],
    ['timer', () => checked.timer('5' as never)],
    ['timer', () => checked.timer(null as never)],
    ['timer', () => checked.timer(5n as never)],
    ['timer', () => checked.timer({} as never)],
    ['timer', () => checked.timer(5, '5' as never)],
    ['interval', () => checked.interval('5' as never)],
    ['auditTime', () => checked.auditTime([] as never)],
    ['debounceTime', () => checked.debounceTime((() => 5) as never)],
    ['windowTime', () => checked.windowTime(5, true as never)],
    ['timeout', () => checked.timeout('5' as never)],
    ['timeout.each', () => checked.timeout({ each: '5' as never })],
    ['timeoutWith', () => called('timeoutWith', nan, rxjs.NEVER)],
    ['retry.delay', () => checked.retry({ delay: nan })],
    ['repeat.delay', () => checked.repeat({ delay: '5' as never })],
    ['timer', () => checked.timer(5, nan)],
    ['timer', () => checked.timer(new Date(nan))],
    ['interval', () => checked.interval(Number.POSITIVE_INFINITY)],
    ['delay', () => checked.delay(without)],
    ['debounceTime', () => checked.debounceTime(nan)],
    ['bufferTime', () => checked.bufferTime(5, nan)],
    ['timeout.each', () => checked.timeout({ each: nan })],
    ['timeout.first', () => checked.timeout({ first: new Date(nan) })],
  ])('%s refuses a delay that is no finite number where it is called', (name, call) => {
    expect(call).toThrow(`${name} was given a delay of`);
  });

  test('takes every other', () => {
    const calls = [
      checked.timer(0),
      checked.timer(5, 5),
      checked.timer(new Date(0), rxjs.asyncScheduler),
      checked.interval(),
      checked.timer(5, rxjs.asyncScheduler),
      checked.bufferTime(5, rxjs.asyncScheduler),
      checked.retry(Number.POSITIVE_INFINITY),
      checked.retry({ count: 5, delay: () => rxjs.NEVER }),
      checked.retry(),
      checked.repeat({ delay: 5 }),
      checked.timeout({ first: new Date(0) }),
      checked.delay(new Date(0)),
      checked.bufferTime(5, null, Number.POSITIVE_INFINITY),
      checked.timeout({ each: 5, with: () => rxjs.NEVER }),
    ];
    expect(calls).toHaveLength(14);
  });
});

test('a strategy with a timer of NaN fails in a backtest, with the line that gave the delay', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'millrace-delays-'));
  const recording = join(cwd, 'BTCUSDT.arrow');
  generateRecording(recording, { ...SAMPLE, durationUs: US_PER_MINUTE });
  writeFileSync(
    join(cwd, 'late.ts'),
    `import { map, switchMap, timer } from 'rxjs';
import { defineStrategy, flat, z } from 'millrace';
export default defineStrategy({
  name: 'late',
  summary: 'Waits for what is misspelt.',
  parameters: z.object({ seconds: z.int().default(5) }),
  run: ({ market, parameters }) =>
    market.trades('BTCUSDT').pipe(
      switchMap(() => timer(parameters.secnods * 1_000)),
      map(() => flat('BTCUSDT')),
    ),
});
`,
  );
  const args = ['backtest', '-s', './late.ts', '-r', recording, '-b', 'USDT=1000'];
  const { code, err, out } = await millrace(args, { cwd });
  expect(code).toBe(1);
  expect(`${err}${out}`).toContain('timer was given a delay of NaN');
  expect(`${err}${out}`).toContain('late.ts:9');
});
