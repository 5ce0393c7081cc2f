import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));
const NODE = ['--conditions=millrace-source', '--expose-gc', MAIN];

/** The full run is `--seconds 600`. */
const SECONDS = Number(process.env['MILLRACE_FLOOD_SECONDS'] ?? 10);

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
  'a live bot answers every message that asks for an order, and bears fifty thousand messages a second with flat memory',
  { timeout: 240_000 + SECONDS * 2_000 },
  () => {
    const told = execFileSync(
      process.execPath,
      [...NODE, 'latency', '--orders', '200', '--seconds', String(SECONDS), '--json'],
      { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' },
    );
    const { bench, durable, flood } = JSON.parse(
      told.trimEnd().split('\n').at(-1) ?? '',
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
    // One core is more than enough; how fast it is depends on who else is busy here.
    expect(flood.share).toBeLessThan(1);
    expect(flood.perSecond).toBeGreaterThan(1_000);
    // What garbage is not collected yet comes and goes; what leaks would be some 500,000 messages.
    expect(flood.heldLate - flood.heldEarly).toBeLessThan(64 * 2 ** 20);
  },
);
