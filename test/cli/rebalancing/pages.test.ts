import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Simulation } from '../../../src/server/simulation/simulation.ts';
import { PATIENCE } from '../../kit/patience.ts';
import { blocks, linesOf } from '../pages.ts';
import { PastingShell } from '../shell.ts';
import { example, hurried, openExample, urlOf } from '../venue/example.ts';

const EXAMPLE = 'http://127.0.0.1:8330';

let work = '';
let shell: PastingShell;
let venue: Simulation;
let url = '';

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'millrace-rebalancing-pages-'));
  shell = new PastingShell(work);
  mkdirSync(join(work, 'config'));
  venue = await openExample(hurried(example()));
  url = urlOf(venue);
  const config = readFileSync('config/rebalancing.yaml', 'utf8').replaceAll(EXAMPLE, url);
  writeFileSync(join(work, 'config', 'rebalancing.yaml'), config);
  cpSync('config/demo-keys.json', join(work, 'config', 'demo-keys.json'));
});

afterAll(async () => {
  await venue.close();
  rmSync(work, { recursive: true, force: true });
});

test('docs/rebalancing.md walks through a rebalance over four chains when it is pasted', async () => {
  const [open, secrets = '', plan = '', execute = '', again = '', chains = ''] = blocks(
    'docs/rebalancing.md',
    'sh',
  );
  // It runs until it is stopped, and runs already.
  expect(open).toBe('npm run -s millrace -- venue\n');
  await priced('BTCUSDC', 'SOLUSDC');
  const keys = await pasted(secrets);
  expect(keys).toContain('bc1p');
  const before = await pasted(plan);
  expect(before).toMatch(/USDC@ethereum .* out /);
  expect(before).toContain('They cost');
  const [made = '', after = ''] = await untilInBand(execute, again);
  expect(made).toMatch(/ fulfilled/);
  expect(after.match(/^\w+@\w+ .* % {2}in .* ± /gm)).toHaveLength(5);
  const { lots } = JSON.parse(await pasted(chains)) as { readonly lots: string };
  expect(BigInt(lots)).toBeGreaterThan(0n);
});

/** Prices come with the first trades of the market, which began a moment ago. */
async function priced(...symbols: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    const answer = await fetch(`${url}/api/3/public/ticker?symbols=${symbols.join()}`);
    const tickers = (await answer.json()) as Record<string, { readonly last: string | null }>;
    for (const symbol of symbols) expect(tickers[symbol]?.last).toBeTruthy();
  }, PATIENCE);
}

/** The market moves meanwhile: what is still out of its band is for the next call, as the page says. */
async function untilInBand(execute: string, again: string): Promise<readonly string[]> {
  for (let times = 1; ; times += 1) {
    const printed = [await pasted(execute), await pasted(again)];
    if (printed.at(-1)?.includes('Everything is in its band') === true) return printed;
    if (times === 4) throw new Error(`It is not in its bands after ${times} calls.`);
  }
}

/** What a block prints when it is pasted. */
async function pasted(block: string): Promise<string> {
  let printed = '';
  for (const line of linesOf(block)) {
    const { code, out, err } = await shell.paste(line.replaceAll(EXAMPLE, url));
    expect(code, out + err).toBe(0);
    printed += out;
  }
  return printed;
}
