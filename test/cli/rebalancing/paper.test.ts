import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { PORTFOLIO_CONFIG } from '../../../src/backtest/config/portfolio.ts';
import { parse } from 'yaml';
import { millraceHere, startedHere } from '../command.ts';
import { argumentsOf, blocksIn } from '../pages.ts';
import { started } from '../process.ts';

const work = mkdtempSync(join(tmpdir(), 'millrace-inventory-bot-'));

afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

/** The commands that the page tells to paste, as their arguments. */
function reported(): readonly (readonly string[])[] {
  const page = readFileSync('docs/rebalancing.md', 'utf8');
  const section = page.slice(page.indexOf('## On paper'));
  return blocksIn(section, 'sh').map((block) => argumentsOf(block.trim()) ?? []);
}

/** The example in a folder of its own, on a free port, with what takes seconds in less and no mishaps. */
function quick(): void {
  const config = readFileSync('config/inventory-bot.yaml', 'utf8')
    .replace('port: 8341', 'port: 0')
    .replace('calmSeconds: 5', 'calmSeconds: 1')
    .replace('every: 1s', 'every: 200ms')
    .replace('takes: { mean: 6s }, fails: 0.02', 'takes: 1s')
    .replace('accept: 1s', 'accept: 100ms')
    .replace('confirm: { from: 1s, to: 3s }', 'confirm: 100ms')
    .replace('deliver: { mean: 4s }', 'deliver: 100ms')
    .replace(/chances: .*/, '');
  mkdirSync(join(work, 'config', 'sample'), { recursive: true });
  writeFileSync(join(work, 'config', 'inventory-bot.yaml'), config);
  cpSync('config/sample/BTCUSDT.arrow', join(work, 'config', 'sample', 'BTCUSDT.arrow'));
}

test('the commands of docs/rebalancing.md move inventory on paper, also where the bot is killed on the way, and show it', async () => {
  quick();
  const [run, status] = reported();
  expect(run).toEqual(['run', 'config/inventory-bot.yaml']);
  expect(status).toEqual(['status', '--config', 'config/inventory-bot.yaml']);
  const first = started(run, { cwd: work });
  await first.says('USDT@trading to USDT@tron is deposited.');
  first.child.kill('SIGKILL');
  await first.ended;
  const next = startedHere(['run', join(work, 'config', 'inventory-bot.yaml')]);
  const arrived = 'USDT@trading to USDT@tron is fulfilled.';
  // On a busy machine it may have come that far before the kill reached it.
  if (!first.out().includes(arrived)) await next.says(arrived);
  // What was not paid was given up; the strategy asks again, and the rest goes on from there.
  await next.says('USDT@tron to USDT@ethereum is fulfilled.');
  const shown = await millraceHere(status, { cwd: work });
  expect(shown.code).toBe(0);
  expect(shown.out).toMatch(/USDT@ethereum +[\d.]+/);
  next.signal('SIGTERM');
  expect((await next.ended).code).toBe(0);
  const path = join(work, 'runs', 'inventory', 'local.paper-moves.sqlite');
  const database = new DatabaseSync(path, { readOnly: true });
  const withdrawals = database
    .prepare("SELECT state FROM moves WHERE from_slot = 'USDT@trading' AND to_slot = 'USDT@tron'")
    .all();
  database.close();
  expect(withdrawals[0]).toEqual({ state: 'fulfilled' });
});

test('the example of a paper bot says of its portfolio what that of a backtest says', () => {
  const { portfolio } = parse(readFileSync('config/inventory-bot.yaml', 'utf8')) as {
    readonly portfolio: { readonly paper: object };
  };
  expect(PORTFOLIO_CONFIG.safeParse(portfolio.paper).error).toBeUndefined();
});
