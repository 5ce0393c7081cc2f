import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sizeOf } from '../kit/size.ts';

const MAIN = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));
const NODE = ['--conditions=millrace-source', '--expose-gc', MAIN];

/** The run that proves that memory stays flat is `MILLRACE_FLOOD_SECONDS=600`. */
const SECONDS = sizeOf('MILLRACE_FLOOD_SECONDS', 1, 10);
const ORDERS = sizeOf('MILLRACE_BENCH_ORDERS', 20, 200);

interface Figures {
  readonly bench: string;
  readonly durable: {
    readonly outside: Readonly<Record<'p50' | 'p99' | 'p999', number>>;
    readonly stations: Readonly<Record<string, number>>;
  };
  readonly flood: {
    readonly perSecond: number;
    readonly behind: number;
    readonly seconds: number;
    readonly share: number;
    readonly heldEarly: number;
    readonly heldLate: number;
  };
}

test(
  'a live bot answers every message that asks for an order, and takes fifty thousand messages a second with flat memory',
  { timeout: 240_000 + SECONDS * 2_000 },
  () => {
    const reported = execFileSync(
      process.execPath,
      [...NODE, 'latency', '--orders', String(ORDERS), '--seconds', String(SECONDS), '--json'],
      { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' },
    );
    const { bench, durable, flood } = JSON.parse(
      reported.trimEnd().split('\n').at(-1) ?? '',
    ) as Figures;
    expect(bench).toBe('latency');
    // An order that does not come ends the bench without figures.
    const { outside, stations } = durable;
    expect(outside.p50).toBeGreaterThan(0);
    expect(outside.p99).toBeGreaterThanOrEqual(outside.p50);
    expect(outside.p999).toBeGreaterThanOrEqual(outside.p99);
    expect(Object.keys(stations)).toEqual(['read', 'strategy', 'limits', 'journal', 'send']);
    for (const us of Object.values(stations)) expect(us).toBeGreaterThan(0);
    expect(flood.seconds).toBe(SECONDS);
    // How fast it is, and how much of a processor it needs, depends on who else is busy here.
    expect(flood.share).toBeGreaterThan(0);
    expect(flood.perSecond).toBeGreaterThan(0);
    // What leaks would be some 50,000 messages a second, of a few hundred bytes at least.
    expect(flood.heldLate - flood.heldEarly).toBeLessThan(8 * 2 ** 20);
  },
);
