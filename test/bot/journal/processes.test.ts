import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { onTestFinished, expect, test } from 'vitest';
import { Journal } from '../../../src/bot/journal/journal.ts';
import { lockHolder } from '../../../src/bot/journal/lock.ts';
import { Random } from '../../../src/platform/random.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { BTC, desk, folder, START } from './kit.ts';

const HOLDER = fileURLToPath(new URL('./holder.ts', import.meta.url));

interface Process {
  readonly child: ChildProcess;
  readonly lines: string[];
  /** Resolves once it has said so many lines, or one such as this. */
  reported(wanted: number | RegExp): Promise<void>;
  kill(): Promise<void>;
}

/** Starts a process that holds a journal; with a limit, no file of it grows beyond so many KiB. */
function start(path: string, count: number, limitKib?: number): Process {
  const node = [process.execPath, HOLDER, path, String(count)];
  const limited = ['-c', `ulimit -f ${limitKib ?? 'unlimited'}; exec "$@"`, 'bash', ...node];
  const child = spawn('bash', limited, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  let received = (): void => undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    received();
  });
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  onTestFinished(kill);
  const reported = (wanted: number | RegExp): Promise<void> =>
    new Promise((resolve) => {
      received = () => {
        const isReported =
          typeof wanted === 'number'
            ? lines.length >= wanted
            : lines.some((one) => wanted.test(one));
        if (isReported) resolve();
      };
      received();
    });
  return { child, lines, reported, kill };
}

const open = (path: string): Journal =>
  Journal.open(path, {
    account: 'main',
    scheduler: new VirtualScheduler(START),
    random: new Random(5),
  });

test('a second process is refused with the id of the first, and let in once that was killed', async () => {
  const path = join(folder(), 'main.sqlite');
  const holder = start(path, 0);
  await holder.reported(1);
  const { pid = 0 } = holder.child;
  expect(() => open(path)).toThrow(
    expect.objectContaining({
      code: 'journal-locked',
      message: expect.stringMatching(
        new RegExp(`is traded on by process ${pid} \\(bot child, since \\d{4}-.*; stop it first`),
      ) as string,
    }),
  );
  expect(lockHolder(path.replace('.sqlite', ''))).toMatchObject({ pid, name: 'child' });
  await holder.kill();
  const journal = open(path);
  expect(lockHolder(path.replace('.sqlite', ''))).toMatchObject({ pid: process.pid, name: 'main' });
  journal.close();
});

test('the other way round: a process is refused by this one', async () => {
  const { path } = desk();
  const other = start(path, 0);
  await other.reported(1);
  expect(other.lines[0]).toMatch(new RegExp(`^failed journal-locked .*process ${process.pid} `));
});

test.each([2, 7, 15])(
  '%i intents that were reported durable are there after kill -9, each once',
  async (wanted) => {
    const path = join(folder(), 'main.sqlite');
    const holder = start(path, 1_000_000);
    await holder.reported(1 + wanted);
    await holder.kill();
    const durable = holder.lines.filter((line) => line.startsWith('ema-'));
    // It was killed before any flush: what it intended is in no table of orders.
    const database = new DatabaseSync(path, { readOnly: true });
    const rows = (table: string): number => database.prepare(`SELECT 1 FROM ${table}`).all().length;
    expect(rows('intended')).toBeGreaterThanOrEqual(durable.length);
    expect([rows('orders'), rows('events')]).toEqual([0, 0]);
    database.close();
    const journal = open(path);
    const orders = journal.openOrders();
    const ids = orders.map(({ clientOrderId }) => clientOrderId);
    expect(durable.length).toBeGreaterThanOrEqual(wanted);
    expect(ids.slice(0, durable.length)).toEqual(durable);
    expect(new Set(ids).size).toBe(ids.length);
    expect(orders.every(({ status }) => status === 'unknown')).toBe(true);
    expect(journal.previousLife('ema', 'ema-abcd').lastOrderNumber).toBe(ids.length);
    journal.close();
  },
);

test('a full disk is reported as such, and what was durable before is there after it', async () => {
  const path = join(folder(), 'main.sqlite');
  const holder = start(path, 100_000, 512);
  await holder.reported(/^failed/);
  await holder.kill();
  const last = holder.lines.at(-1) ?? '';
  expect(last).toMatch(
    /^failed journal-unwritable The journal .* cannot be written: .*Nothing is sent/,
  );
  const durable = holder.lines.filter((line) => line.startsWith('ema-'));
  expect(durable.length).toBeGreaterThan(10);
  const journal = open(path);
  const ids = journal.openOrders().map(({ clientOrderId }) => clientOrderId);
  expect(ids).toEqual(durable);
  journal.learn([BTC]);
  journal.close();
});
