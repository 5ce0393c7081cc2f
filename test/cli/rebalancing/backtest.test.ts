import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { BacktestResult } from '../../../src/backtest/result.ts';
import { PORTFOLIO_CONFIG } from '../../../src/backtest/config/portfolio.ts';
import { millraceHere } from '../command.ts';
import { Companion } from '../companion.ts';

const out = mkdtempSync(join(tmpdir(), 'millrace-inventory-'));

const companion = new Companion(process.cwd());

afterAll(async () => {
  await companion.close();
  rmSync(out, { recursive: true });
});

const SHORT = ['--till', '2024-03-04T00:20:00Z'];

/** The last command that the page tells to paste, as its arguments. */
function reported(): readonly string[] {
  const page = readFileSync('docs/rebalancing.md', 'utf8');
  const section = page.slice(page.indexOf('## In a backtest'));
  const [, line = ''] = /^```sh\n(.*)\n```$/m.exec(section) ?? [];
  return line.split(' ').slice(5);
}

async function run(args: readonly string[]) {
  const { code, out: printed, err } = await companion.run([...args, '--out', out, '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const { result } = JSON.parse(printed) as { readonly result: string };
  return JSON.parse(readFileSync(resolve(result), 'utf8')) as BacktestResult;
}

test('the command of docs/rebalancing.md transfers by the route that the page describes', async () => {
  const first = await run(reported());
  expect(first.portfolio?.rebalances.done).toBeGreaterThan(0);
  const transfers = first.portfolio?.transfers.rows.slice(0, 2);
  expect(transfers).toMatchObject([
    { route: 'trading', from: 'USDT@trading', to: 'USDT@tron', state: 'fulfilled' },
    { route: 'swaps', from: 'USDT@tron', to: 'USDT@ethereum', state: 'fulfilled' },
  ]);
  expect(first.assumptions.join('\n')).toContain('A withdrawal to tron costs 1 USDT');
});

test('a seed gives the same bytes each time, and another one others', async () => {
  const [one, again, other] = [
    await run([...reported(), ...SHORT]),
    await run([...reported(), ...SHORT]),
    await run([...reported(), ...SHORT, '--seed', '2']),
  ];
  expect(again).toEqual(one);
  expect(other?.portfolio?.transfers.rows).not.toEqual(one?.portfolio?.transfers.rows);
});

test('status and page show rebalances, transfers and inventory', async () => {
  const { out: printed } = await millraceHere([...reported(), ...SHORT, '--out', out]);
  expect(printed).toMatch(/rebalances +\d+ done/);
  expect(printed).toMatch(/inventory .*USDT@ethereum/);
  const [, report = ''] = /^report +(.*)$/m.exec(printed) ?? [];
  expect(readFileSync(resolve(report), 'utf8')).toContain('<h2>Inventory</h2>');
});

test('docs/backtest.md names every key of a portfolio and of a service', () => {
  const page = readFileSync('docs/backtest.md', 'utf8');
  const { shape } = PORTFOLIO_CONFIG;
  const service = shape.services.unwrap().valueType.in as z.ZodObject;
  const keys = [...Object.keys(shape), ...Object.keys(service.shape)];
  expect(keys.length).toBeGreaterThan(15);
  expect(keys.filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
});

test.each([
  ['wallets: { trading: { USDT: 1 } }', 'another name than trading'],
  ['services: { trading: { holdings: [USDT@a, USDT@b] } }', 'another name than trading'],
  ['services: { s: { holdings: [USDT@a, USDT@a] } }', 'named once'],
  ['services: { s: { holdings: [USDT@a, USDT@b], minimum: 5, maximum: 1 } }', 'below the minimum'],
  ['services: { s: { holdings: [USDT@a, USDT@b], decimals: 6 } }', 'portfolio.decimals, by asset'],
  ['services: { s: { holdings: [USDT@a, USDT@b], slippage: 0.00001 } }', 'whole basis points'],
  ['services: { s: { holdings: [USDT@a, USDT@b], networkFees: { USDT: 1 } } }', 'costs its fee'],
  ['services: { s: { kind: exchangeOrder, holdings: [USDT@a, USDT@b], fee: 1 } }', 'networkFees'],
  ['services: { s: { kind: exchangeOrder, holdings: [USDT@a, USDT@b], impact: 0.1 } }', 'one rate'],
  ['networks: { a: { withdrawal: {}, deposit: { fees: { USDT: 1 } } } }', 'no fee of a deposit'],
])('a portfolio that says %s is refused', async (mistake, expected) => {
  const path = join(out, 'contradictory.yaml');
  const wallets = mistake.startsWith('wallets') ? '' : '\n  wallets: {}';
  writeFileSync(
    path,
    `strategy: inventory-rebalancer
recordings: [${resolve('config/sample/BTCUSDT.arrow')}]
balances: { USDT: 1000 }
portfolio:
  prices: { USDT: 1 }${wallets}
  ${mistake}
`,
  );
  const { code, err } = await millraceHere(['backtest', path]);
  expect(code).toBe(2);
  expect(err).toContain(expected);
});

test.each([
  ['takes: { from: 4m, to: 1m }', 'the shorter first'],
  ['fails: 1.5', '1'],
  ['takes: soon', 'a span such as 30s'],
])('a network with %s is refused with its line', async (mistake, expected) => {
  const path = join(out, 'mistaken.yaml');
  writeFileSync(
    path,
    `strategy: inventory-rebalancer
recordings: [${resolve('config/sample/BTCUSDT.arrow')}]
balances: { USDT: 1000 }
portfolio:
  prices: { USDT: 1 }
  wallets: { ethereum: { USDT: 1 } }
  networks:
    ethereum:
      withdrawal: { ${mistake} }
      deposit: {}
`,
  );
  const { code, err } = await millraceHere(['backtest', path]);
  expect(code).toBe(2);
  expect(err).toContain('mistaken.yaml:9');
  expect(err).toContain(expected);
});
