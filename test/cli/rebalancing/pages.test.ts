import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { inShell } from '../bot/process.ts';
import { addressesOf, startVenue, type VenueProcess } from '../venue/venue-process.ts';

const EXAMPLE = 'http://127.0.0.1:8330';

/** The blocks that a page tells to paste into a shell, in order. */
const blocks = (path: string): readonly string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
    ([, block = '']) => block,
  );

let work = '';
let venue: VenueProcess;
let url = '';

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'millrace-rebalancing-pages-'));
  mkdirSync(join(work, 'config'));
  venue = startVenue(['--port', '0', '--json']);
  await venue.started;
  url = `http://127.0.0.1:${addressesOf(venue).port}`;
  const config = readFileSync('config/rebalancing.yaml', 'utf8').replaceAll(EXAMPLE, url);
  writeFileSync(join(work, 'config', 'rebalancing.yaml'), config);
  cpSync('config/demo-keys.json', join(work, 'config', 'demo-keys.json'));
});

afterAll(async () => {
  venue.child.kill('SIGTERM');
  await venue.ended;
  rmSync(work, { recursive: true, force: true });
});

test('docs/rebalancing.md walks through a rebalance over four chains when it is pasted', async () => {
  const [open, ...rest] = blocks('docs/rebalancing.md');
  // It runs until it is stopped, and runs already.
  expect(open).toBe('npm run -s millrace -- venue\n');
  await priced('BTCUSDC', 'SOLUSDC');
  const [secrets = '', plan = '', execute = '', again = '', chains = ''] = rest;
  const [keys = '', before = ''] = pasted(secrets, plan);
  expect(keys).toContain('bc1p');
  expect(before).toMatch(/USDC@ethereum .* out /);
  expect(before).toContain('They cost');
  const [, made = '', after = ''] = untilInBand(() => pasted(secrets, execute, again));
  expect(made).toMatch(/ fulfilled/);
  expect(after.match(/^\w+@\w+ .* % {2}in .* ± /gm)).toHaveLength(5);
  const [, balance = ''] = pasted(secrets, chains);
  const { lots } = JSON.parse(balance) as { readonly lots: string };
  expect(BigInt(lots)).toBeGreaterThan(0n);
});

/** Prices come with the first trades of the market, which began a moment ago. */
async function priced(...symbols: readonly string[]): Promise<void> {
  await vi.waitFor(
    async () => {
      const answer = await fetch(`${url}/api/3/public/ticker?symbols=${symbols.join()}`);
      const tickers = (await answer.json()) as Record<string, { readonly last: string | null }>;
      for (const symbol of symbols) expect(tickers[symbol]?.last).toBeTruthy();
    },
    { timeout: 60_000, interval: 200 },
  );
}

/** The market moves meanwhile: what is still out of its band is for the next call, as the page says. */
function untilInBand(paste: () => readonly string[]): readonly string[] {
  for (let times = 1; ; times += 1) {
    const printed = paste();
    if (printed.at(-1)?.includes('Everything is in its band') === true) return printed;
    if (times === 4) throw new Error(`It is not in its bands after ${times} calls.`);
  }
}

/** What each block prints when they are pasted one after the other. */
function pasted(...all: readonly string[]): readonly string[] {
  const script = all.map((block) => inShell(block).replaceAll(EXAMPLE, url)).join('\necho ----\n');
  const { status, stdout, stderr } = spawnSync('bash', ['-uo', 'pipefail', '-c', script], {
    cwd: work,
    encoding: 'utf8',
  });
  expect(status, stdout + stderr).toBe(0);
  return stdout.split('----\n');
}
