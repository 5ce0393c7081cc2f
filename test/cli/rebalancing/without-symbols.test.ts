import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BacktestResult } from '../../../src/backtest/result.ts';
import type { Simulation } from '../../../src/server/simulation/simulation.ts';
import { millraceHere, startedHere } from '../command.ts';
import { openExample, urlOf } from '../venue/example.ts';

const work = mkdtempSync(join(tmpdir(), 'millrace-keeper-'));
let simulation: Simulation;

/** The example that docs/rebalancing.md links: the strategy, and its bot. */
const strategy = readFileSync('examples/rebalancing/keep-on-chain.ts', 'utf8');
const config = readFileSync('examples/rebalancing/bot.yaml', 'utf8');

beforeAll(async () => {
  simulation = await openExample();
  writeFileSync(join(work, 'keep-on-chain.ts'), strategy);
});

afterAll(async () => {
  await simulation.close();
  rmSync(work, { recursive: true, force: true });
});

/** The bot of the page before the venue of the test, with a text of it replaced. */
function bot(name: string, from = '', to = ''): string {
  const path = join(work, `${name}.yaml`);
  expect(config).toContain(from);
  const own = config
    .replace(from, () => to)
    .replace('http://127.0.0.1:8330', urlOf(simulation))
    .replace('data: runs/keeper', `data: ${name}`);
  writeFileSync(path, `${own}control: { port: 0 }\n`);
  return path;
}

describe('a strategy that only rebalances', () => {
  test('runs on paper without symbols, as the example, and goes on after a restart', async () => {
    const path = bot('keeper');
    const checked = await millraceHere(['run', '--check', path, '--json']);
    expect(JSON.parse(checked.out)).toMatchObject({
      warnings: [],
      strategies: [{ name: 'keeper', symbols: [] }],
    });
    const first = startedHere(['run', path]);
    await first.says('USDC@trading to USDC@ethereum is fulfilled.');
    const { out } = await millraceHere(['status', '--config', path]);
    const [, held = ''] = /USDC@ethereum +([\d.]+)/.exec(out) ?? [];
    expect(Math.abs(Number(held) - 5000)).toBeLessThanOrEqual(250);
    first.signal('SIGTERM');
    expect((await first.ended).code).toBe(0);
    const again = startedHere(['run', path]);
    await again.says('trades (paper)');
    expect((await millraceHere(['status', '--config', path])).out).toContain(held);
    again.signal('SIGTERM');
    expect((await again.ended).code).toBe(0);
  });

  test('is found sound by the doctor, which names no market that it lacks', async () => {
    const { out, code } = await millraceHere(['doctor', bot('examined')]);
    expect(out).toContain('None: it only rebalances.');
    expect([code, /limits nothing|There is no \./.test(out)]).toEqual([0, false]);
  });

  test('runs in a backtest without a look at its recording, which gives it its time', async () => {
    const path = join(work, 'backtest.yaml');
    writeFileSync(
      path,
      `strategy: ./keep-on-chain.ts
parameters: { asset: USDT }
recordings: [${resolve('config/sample/BTCUSDT.arrow')}]
balances: { USDT: 9000 }
portfolio:
  prices: { USDT: 1 }
  wallets: { ethereum: { USDT: 1000 } }
  networks: { ethereum: { withdrawal: { fees: { USDT: 2 } }, deposit: {} } }
out: ${join(work, 'out')}
`,
    );
    const ended = await millraceHere(['backtest', path, '--till', '2024-03-04T00:20:00Z', '--json']); // prettier-ignore
    expect([ended.code, ended.err]).toEqual([0, '']);
    const { result } = JSON.parse(ended.out) as { readonly result: string };
    const { portfolio } = JSON.parse(readFileSync(resolve(result), 'utf8')) as BacktestResult;
    expect(portfolio?.transfers.rows).toMatchObject([
      { from: 'USDT@trading', to: 'USDT@ethereum', state: 'fulfilled' },
    ]);
    const held = portfolio?.holdings.find(({ holding }) => holding === 'USDT@ethereum')?.end;
    expect(Math.abs(Number(held) - 5000)).toBeLessThanOrEqual(250);
  });

  test.each([['recordings: []\n'], ['']])('is refused a backtest of no time: %j', async (line) => {
    const path = join(work, 'timeless.yaml');
    writeFileSync(path, `strategy: ./keep-on-chain.ts\n${line}balances: { USDT: 9000 }\n`);
    const { code, err } = await millraceHere(['backtest', path]);
    expect(code).toBe(2);
    expect(err).toMatch(
      /^error \[config-invalid\] .*timeless\.yaml:\d+:\d+: recordings names none, and a backtest takes its time and its prices from them, also where its strategy only rebalances; /,
    );
  });
});

describe('what needs symbols says so', () => {
  const reported = async (from: string, to: string): Promise<string> => {
    const { code, err } = await millraceHere(['run', '--check', bot('mistaken', from, to)]);
    expect(code).toBe(2);
    return err;
  };

  test('a strategy whose the portfolio is not', async () => {
    const keeper = '  keeper: { strategy: ./keep-on-chain.ts }\n';
    const two = `${keeper}${keeper.replace('keeper', 'other')}`;
    const err = await reported(`${keeper}portfolio:\n`, `${two}portfolio:\n  strategy: keeper\n`);
    expect(err).toContain('symbols is missing; keep-on-chain has no parameter symbol or symbols');
    expect(err).toContain('Only the strategy of a portfolio may go without.');
    expect(await reported(config.slice(config.indexOf('portfolio:')), '')).toContain('symbols is missing'); // prettier-ignore
  });

  test('a price by a market', async () => {
    expect(
      await reported('prices: { USDC: 1 }', 'prices: { USDC: { symbol: BTCUSDC } }'),
    ).toContain(
      'symbol is BTCUSDC, and no strategy of account main has symbols, whose prices are known; list it in symbols of the strategy, or give the price as a number.',
    );
  });

  test('a limit by a symbol', async () => {
    const own = '{ strategy: ./keep-on-chain.ts }';
    const limited = '{ strategy: ./keep-on-chain.ts, risk: { maxQuantity: { BTCUSDC: 1 } } }';
    expect(await reported(own, limited)).toContain(
      'BTCUSDC is not among the symbols of the strategy, which has none; list what the transfers of its portfolio trade in symbols to limit it.',
    );
  });

  test('a strategy that looks at a market all the same', async () => {
    const looking = strategy
      .replace('({ parameters: p })', '({ parameters: p, market })')
      .replace('timer(0, seconds(p.everySeconds))', "market.trades('BTCUSDC')");
    writeFileSync(join(work, 'looking.ts'), looking);
    const running = startedHere(['run', bot('looking', './keep-on-chain.ts', './looking.ts')]);
    await running.says(
      'There is no instrument \\"BTCUSDC\\" in this run; it has none, as no symbols are configured.',
    );
    running.signal('SIGTERM');
    await running.ended;
  });
});
