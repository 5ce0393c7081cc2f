import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));
const NODE = ['--conditions=millrace-source', '--expose-gc', MAIN, 'venue'];

interface Rate {
  readonly perSecond: number;
  readonly perCoreSecond: number;
}

interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Line {
  readonly bench: string;
  readonly echo: Rate;
  readonly oneSocket: Rate;
  readonly tenSockets: Rate;
  readonly marketData: Rate;
  readonly orderLatency: Latency;
  readonly echoLatency: Latency;
  readonly bytesPerConnection: number;
  readonly slowReader: { readonly isReported: boolean; readonly readBytes: number };
}

test(
  'the venue bench measures orders, market data, memory and a slow reader, and ends with one JSON line',
  { timeout: 120_000 },
  () => {
    const reported = execFileSync(process.execPath, [...NODE, '--orders', '1000', '--json'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
    });
    const lines = reported.trimEnd().split('\n');
    expect(lines).toHaveLength(9);
    const last = JSON.parse(lines.at(-1) ?? '') as Line;
    expect(last.bench).toBe('venue');
    // How the two compare depends on who else is busy on this machine.
    for (const rate of [last.echo, last.oneSocket, last.tenSockets, last.marketData]) {
      expect(rate.perSecond).toBeGreaterThan(0);
      expect(rate.perCoreSecond).toBeGreaterThan(0);
    }
    for (const { p50Ms, p99Ms } of [last.orderLatency, last.echoLatency]) {
      expect(p50Ms).toBeGreaterThan(0);
      expect(p99Ms).toBeGreaterThanOrEqual(p50Ms);
    }
    expect(last.bytesPerConnection).toBeGreaterThan(1_000);
    expect(last.bytesPerConnection).toBeLessThan(200_000);
    expect(last.slowReader.isReported).toBe(true);
  },
);

test('orders that are no number end with what is expected', () => {
  const { status, stderr } = spawnSync(process.execPath, [...NODE, '--orders', 'many'], {
    encoding: 'utf8',
  });
  expect(status).toBe(2);
  expect(stderr).toContain('--orders is many');
});
