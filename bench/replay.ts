import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execArgv, execPath, exit, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { generateRecording } from '../src/feeds/generator.ts';
import { SAMPLE } from '../src/feeds/synthetic/sample.ts';
import { US_PER_SECOND } from '../src/platform/time.ts';
import type { ReplayFigures } from './replay-child.ts';

const CHILD = fileURLToPath(new URL('./replay-child.ts', import.meta.url));

/**
 * V8 lets its young generation grow while a process lives, whatever it does. It has one size here
 * from the start to the end, so that a longer run is not taken for a larger one.
 */
const YOUNG_GENERATION = ['--min-semi-space-size=16', '--max-semi-space-size=16'];

/** How much longer the second recording is, by which memory is judged. */
const LONGER = 10;

/** Rows of a second of the generated market, to begin with. */
const ROWS_PER_SECOND = 15;

/** Rows of the first recording where nothing is said. */
const ROWS = 1_000_000;

/**
 * Backtests a strategy that listens to book and trades of a generated recording, and of one ten
 * times as long, each in a process of its own so that peak memory is that of the run. The bare
 * scan of the columns of the same file, in the same process, says how fast this machine is now.
 */
export async function replayBench(options: readonly string[]): Promise<void> {
  const { rows, json } = read(options);
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'));
  try {
    const once = await measure(folder, rows);
    show(`${once.rows} rows`, once);
    const longer = await measure(folder, LONGER * rows);
    show(`${longer.rows} rows`, longer);
    const memoryRatio = longer.peakBytes / once.peakBytes;
    stdout.write(
      `peak memory of ${(longer.rows / once.rows).toFixed(1)} times the rows: ${percent(memoryRatio - 1)}\n`,
    );
    if (json) {
      const { eventsPerSecond, nsPerEvent, peakBytes, scanNsPerEvent, scanRatio } = longer;
      const figures = { eventsPerSecond, nsPerEvent, scanNsPerEvent, scanRatio, peakBytes };
      const line = {
        bench: 'replay',
        rows: longer.rows,
        ...figures,
        memoryRatio,
        runs: [once, longer],
      };
      stdout.write(`${JSON.stringify(line)}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read(options: readonly string[]): { rows: number; json: boolean } {
  const { values } = parseArgs({
    args: [...options],
    options: { rows: { type: 'string' }, json: { type: 'boolean' } },
    strict: true,
  });
  const rows = values.rows === undefined ? ROWS : Number(values.rows.replaceAll('_', ''));
  if (!Number.isSafeInteger(rows) || rows < 1_000) {
    stderr.write(`--rows is ${String(values.rows)}; give a whole number of at least 1000.\n`);
    exit(2);
  }
  return { rows, json: values.json === true };
}

/** Makes a recording, and measures it in a process of its own. */
async function measure(folder: string, rows: number): Promise<ReplayFigures> {
  const path = join(folder, `${rows}.arrow`);
  generate(path, rows);
  try {
    return JSON.parse(await child(path)) as ReplayFigures;
  } finally {
    rmSync(path, { force: true });
  }
}

/** Makes a recording of about so many rows; the same number gives the same bytes. */
function generate(to: string, wanted: number): void {
  const durationUs = Math.round((wanted / ROWS_PER_SECOND) * US_PER_SECOND);
  generateRecording(to, { ...SAMPLE, durationUs });
}

async function child(path: string): Promise<string> {
  const { stdout: reported } = await promisify(execFile)(execPath, [
    ...execArgv,
    ...YOUNG_GENERATION,
    CHILD,
    path,
  ]);
  return reported;
}

function show(what: string, figures: ReplayFigures): void {
  const { eventsPerSecond, nsPerEvent, scanNsPerEvent, scanRatio, peakBytes } = figures;
  stdout.write(
    `${what}: ${(eventsPerSecond / 1e6).toFixed(2)} M events/s, ${nsPerEvent.toFixed(0)} ns an event` +
      ` (${scanRatio.toFixed(1)} times the bare scan's ${scanNsPerEvent.toFixed(0)} ns),` +
      ` peak memory ${(peakBytes / 2 ** 20).toFixed(0)} MiB\n`,
  );
}

const percent = (ratio: number): string => `${ratio >= 0 ? '+' : ''}${(100 * ratio).toFixed(1)}%`;
