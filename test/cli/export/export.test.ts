import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { BacktestResult } from '../../../src/backtest/result.ts';
import { ZERO } from '../../../src/model/decimal.ts';
import { readJson } from '../../../src/wire/json.ts';
import { suiteFolder } from '../../kit/recordings.ts';
import { lastJson, millraceHere } from '../command.ts';
import { hasPandas, pythonJson, query, type Cells } from '../../kit/reading.ts';

const folder = suiteFolder();
let run = '';
let result: BacktestResult;

const exported = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
  const ended = await millraceHere(['export', ...args, '--json']);
  expect(ended).toMatchObject({ code: 0, err: '' });
  return lastJson(ended);
};

beforeAll(async () => {
  const out = join(folder, 'runs');
  const args = ['backtest', 'config/backtest.yaml', '--out', out, '--json'];
  run = String(lastJson(await millraceHere(args))['folder']);
  result = JSON.parse(readFileSync(join(run, 'result.json'), 'utf8')) as BacktestResult;
}, 120_000);

const sum = (rows: readonly Cells[], column: string): string =>
  rows.reduce((total, row) => total.plus(String(row[column])), ZERO).toFixed();

describe('a backtest as tables', () => {
  test('keeps every row and every digit of the run, in CSV and in Parquet', async () => {
    const { paths } = await exported(run, '--as', 'csv');
    const names = ['orders', 'fills', 'trades', 'equity', 'balances', 'metrics'];
    expect(paths).toEqual(names.map((name) => join(`${run}-csv`, `${name}.csv`)));
    for (const name of names.slice(0, 4)) {
      const [one, other] = [run, `${run}-csv`].map((at) => readFileSync(join(at, `${name}.csv`)));
      expect(other.equals(one), name).toBe(true);
    }
    await exported(run, '--as', 'parquet');
    const parquet = (name: string): Promise<readonly Cells[]> =>
      query(`SELECT * FROM '${run}-parquet/${name}.parquet'`);
    const [fills, trades, balances] = await Promise.all(
      ['fills', 'trades', 'balances'].map(parquet),
    );
    const { metrics, fills: all } = result;
    expect(fills).toHaveLength(all.total);
    expect(sum(fills, 'fee_exact')).toBe(metrics.fees.byCurrency['USDT']);
    // Nothing was open at the end, so that the trips are the profit.
    expect(metrics.trades.unrealized).toBe('0');
    expect(sum(trades, 'net_exact')).toBe(metrics.profit);
    expect(balances.map((row) => row['end_exact'])).toEqual(result.balances.map(({ end }) => end));
    expect(
      await query(
        `SELECT value_exact FROM '${run}-parquet/metrics.parquet' WHERE metric = 'equity.end'`,
      ),
    ).toEqual([{ value_exact: metrics.equity.end }]);
    const [type] = await query(`SELECT typeof("at") AS at FROM '${run}-parquet/fills.parquet'`);
    expect(type).toEqual({ at: 'TIMESTAMP WITH TIME ZONE' });
  });

  test.skipIf(!hasPandas)('sums to the report in pandas', async () => {
    await exported(run, '--as', 'csv', '--force');
    const read = pythonJson(
      `import json, pandas
from decimal import Decimal
trades = pandas.read_csv('trades.csv', dtype=str)
metrics = pandas.read_csv('metrics.csv', dtype=str, index_col='metric')['value']
print(json.dumps([str(sum(map(Decimal, trades.net))), metrics['profit'], metrics['sharpe']]))`,
      `${run}-csv`,
    );
    const { profit, sharpe } = result.metrics;
    expect(read).toEqual([profit, profit, String(sharpe)]);
  });
});

/** What `load_backtest_data` of freqtrade does with a folder, its checks and types. */
const READ_TRADES = `import json, pandas
from pathlib import Path
from decimal import Decimal
name = json.loads(Path('.last_result.json').read_text())['latest_backtest']
text = Path(name).read_text()
strategies = json.loads(text)['strategy']
[strategy] = strategies
trades = pandas.DataFrame(strategies[strategy]['trades'])
for column in ('open_date', 'close_date'):
    trades[column] = pandas.to_datetime(trades[column], utc=True)
trades = trades.sort_values('open_date').reset_index(drop=True)
meta = json.loads((Path(name).parent / f'{Path(name).stem}.meta.json').read_text())
exact = json.loads(text, parse_float=Decimal)['strategy'][strategy]
print(json.dumps({
    'name': name, 'strategy': strategy, 'run': meta[strategy]['run_id'],
    'notes': meta[strategy]['notes'], 'rows': len(trades),
    'types': {column: str(kind) for column, kind in trades.dtypes.items()},
    'profit': str(sum(trade['profit_abs'] for trade in exact['trades'])),
    'total': str(exact['profit_total_abs']),
    'end': str(exact['final_balance']),
    'values': str(sum(o['cost'] for t in exact['trades'] for o in t['orders'])),
    'fees': str(sum(trades.fee_open * trades.stake_amount + trades.fee_close
        * trades.orders.map(lambda orders: orders[1]['cost']))),
    'days': str(sum(Decimal(v) for _, v in exact['daily_profit'])),
    'minutes': [int(minutes) for minutes in trades.trade_duration],
    'inside': bool(((trades.min_rate <= trades.open_rate) & (trades.max_rate >= trades.open_rate)).all()),
}))`;

describe('a backtest for freqtrade', () => {
  test.skipIf(!hasPandas)('is read as its own results are, and keeps the profit', async () => {
    const { notes, paths } = await exported(run, '--as', 'freqtrade');
    expect(readdirSync(`${run}-freqtrade`).sort()).toEqual(
      (paths as string[]).map((path) => basename(path)).sort(),
    );
    const read = pythonJson(READ_TRADES, `${run}-freqtrade`) as Record<string, unknown>;
    const { metrics, hash } = result;
    expect(read).toMatchObject({
      strategy: 'ema-cross',
      run: hash.slice(0, 40),
      rows: metrics.trades.count,
      profit: metrics.profit,
      total: metrics.profit,
      days: metrics.profit,
      end: metrics.equity.end,
      values: metrics.turnover.amount,
      minutes: [191, 11, 48],
      inside: true,
    });
    expect(read['name']).toMatch(/^backtest-result-.*-[0-9][0-9].*\.json$/);
    expect(Number(read['fees'])).toBeCloseTo(Number(metrics.fees.value), 8);
    const dates = 'datetime64[ns, UTC]';
    const floats = ['stake_amount', 'max_stake_amount', 'amount', 'open_rate', 'close_rate'];
    const more = ['fee_open', 'fee_close', 'profit_ratio', 'profit_abs', 'min_rate', 'max_rate'];
    expect(read['types']).toEqual({
      ...{ pair: 'object', open_date: dates, close_date: dates },
      ...Object.fromEntries([...floats, ...more].map((name) => [name, 'float64'])),
      ...{ leverage: 'float64', funding_fees: 'float64', trade_duration: 'int64' },
      ...{ open_timestamp: 'int64', close_timestamp: 'int64', is_open: 'bool', is_short: 'bool' },
      ...{ exit_reason: 'object', enter_tag: 'object', orders: 'object' },
      ...{ initial_stop_loss_abs: 'object', initial_stop_loss_ratio: 'object' },
      ...{ stop_loss_abs: 'object', stop_loss_ratio: 'object' },
    });
    for (const note of notes as string[]) expect(read['notes']).toContain(note);
  });
});

describe('a backtest on margin', () => {
  test('keeps the results of both sides, and says what is open', async () => {
    const out = join(folder, 'margin');
    const args = ['backtest', 'config/margin-backtest.yaml', '--out', out, '--json'];
    const margin = String(lastJson(await millraceHere(args))['folder']);
    const { metrics, margin: sides } = JSON.parse(
      readFileSync(join(margin, 'result.json'), 'utf8'),
    ) as BacktestResult;
    const { paths, notes } = await exported(margin, '--as', 'freqtrade');
    const text = readFileSync((paths as string[])[0], 'utf8');
    const { strategy } = readJson(text) as {
      strategy: Record<string, { trades: { is_short: boolean; profit_abs: unknown }[] }>;
    };
    const { trades } = strategy['breakout-bracket'];
    const net = (isShort: boolean): string =>
      sum(
        trades.filter((each) => each.is_short === isShort),
        'profit_abs',
      );
    expect([net(false), net(true)]).toEqual([sides?.long.net, sides?.short.net]);
    expect(metrics.trades.unrealized).not.toBe('0');
    expect(notes).toContain(
      `Open at the end and in no trade: ${metrics.trades.unrealized} USDT unrealized.`,
    );
    await exported(margin, '--as', 'parquet');
    const columns = 'DESCRIBE SELECT "at", amount_exact, rate_exact, kind FROM';
    expect(await query(`${columns} '${margin}-parquet/payments.parquet'`)).toHaveLength(4);
  });
});

describe('a backtest for QuantStats', () => {
  test.skipIf(!hasPandas)(
    'is a series of floats by days, whose product is the return',
    async () => {
      const { notes } = await exported(run, '--as', 'quantstats');
      expect(String(notes)).toMatch(/last sample up to midnight .* 18 decimals, half to even/);
      const read = pythonJson(
        `import json, pandas
returns = pandas.read_csv('returns.csv', index_col='date', parse_dates=True)['returns']
print(json.dumps([str(returns.index.dtype), str(returns.dtype), (1 + returns).prod() - 1]))`,
        `${run}-quantstats`,
      ) as readonly [string, string, number];
      expect(read.slice(0, 2)).toEqual(['datetime64[ns]', 'float64']);
      expect(read[2]).toBeCloseTo(result.metrics.totalReturn ?? Number.NaN, 12);
    },
  );
});

describe('an export', () => {
  test('replaces no file without --force, and then writes the same bytes', async () => {
    const out = join(folder, 'taken');
    const args = [run, '--as', 'quantstats', '--out', out];
    await exported(...args);
    const path = join(out, 'returns.csv');
    writeFileSync(join(out, 'mine.txt'), 'mine');
    const first = readFileSync(path, 'utf8');
    writeFileSync(path, 'changed');
    const refused = await millraceHere(['export', ...args]);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toMatch(/\[file-exists\].*returns\.csv is there already\. Add --force/);
    expect(readFileSync(path, 'utf8')).toBe('changed');
    await exported(...args, '--force');
    expect(readFileSync(path, 'utf8')).toBe(first);
    expect(readdirSync(out).sort()).toEqual(['mine.txt', 'returns.csv']);
  });

  test('of a run without margin removes the payments of another run, and only with --force', async () => {
    const out = join(folder, 'both');
    mkdirSync(out);
    const payments = join(out, 'payments.csv');
    writeFileSync(payments, 'of another run');
    const refused = await millraceHere(['export', run, '--as', 'csv', '--out', out]);
    expect(refused.err).toMatch(/\[file-exists\].*payments\.csv is there already\. Add --force/);
    expect(readdirSync(out)).toEqual(['payments.csv']);
    await exported(run, '--as', 'csv', '--out', out, '--force');
    expect(existsSync(payments)).toBe(false);
    expect(existsSync(join(out, 'fills.csv'))).toBe(true);
  });

  test('replaces a link that leads nowhere only with --force', async () => {
    const out = join(folder, 'linked');
    mkdirSync(out);
    const link = join(out, 'returns.csv');
    symlinkSync(join(folder, 'nowhere'), link);
    const args = [run, '--as', 'quantstats', '--out', out];
    const refused = await millraceHere(['export', ...args]);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toMatch(/\[file-exists\].*is a link that leads nowhere\. Add --force/);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    await exported(...args, '--force');
    expect(lstatSync(link).isFile()).toBe(true);
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });

  /** A copy of the run with one file changed. */
  function changed(name: string, file: string, change: (text: string) => string): string {
    const copy = join(folder, name, basename(run));
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(run, copy, { recursive: true });
    const path = join(copy, file);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    return copy;
  }

  test.each<readonly [string, string, (text: string) => string, string, RegExp]>([
    [
      'of a result of another format',
      'result.json',
      (text) => text.replace('"format": 3', '"format": 1'),
      'result-invalid',
      /has the format 1, and this release of Millrace reads 3\. Run the backtest again/,
    ],
    [
      'of JSON that is something else',
      'result.json',
      () => '{"name": "x"}',
      'result-invalid',
      /is not the result of a backtest/,
    ],
    [
      'of a strategy whose name leads elsewhere',
      'result.json',
      (text) => text.replace(/"name": "[^"]*"/, '"name": "/../../elsewhere"'),
      'result-invalid',
      /is not the result of a backtest/,
    ],
    [
      'of a run without its hash',
      'result.json',
      (text) => text.replace('"hash"', '"hush"'),
      'result-invalid',
      /is not the result of a backtest/,
    ],
    [
      'of a result whose trading began at no time',
      'result.json',
      (text) => text.replace(/"tradingFrom": "[^"]*"/, '"tradingFrom": "../../x"'),
      'result-invalid',
      /is damaged: plan\.tradingFrom is no time\. Run the backtest again/,
    ],
    [
      'of JSON that is cut off',
      'result.json',
      (text) => text.slice(0, 1_000),
      'result-invalid',
      /is not complete JSON/,
    ],
    [
      'of a table that lacks a row',
      'fills.csv',
      (text) => text.split('\n').toSpliced(3, 1).join('\n'),
      'result-invalid',
      /fills\.csv has 11 rows, and result\.json beside it 12/,
    ],
    [
      'of a table that is cut off within a row',
      'trades.csv',
      (text) => text.slice(0, -5),
      'result-invalid',
      /trades\.csv ends within a row/,
    ],
    [
      'of a price that is no number',
      'fills.csv',
      (text) => text.replace('60877.87', '6O877.87'),
      'result-invalid',
      /Row 2 of .*fills\.csv is damaged: price is "6O877\.87"/,
    ],
    [
      'of an equity that ends otherwise',
      'equity.csv',
      (text) => `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`,
      'result-invalid',
      /equity\.csv has equity to .*, and result\.json beside it/,
    ],
    [
      'of other columns',
      'orders.csv',
      (text) => text.replace('sentAt', 'sent'),
      'result-invalid',
      /orders\.csv has other columns/,
    ],
  ])('%s fails with what to do, and leaves nothing', async (name, file, change, code, says) => {
    const copy = changed(name, file, change);
    const ended = await millraceHere(['export', copy, '--as', 'parquet']);
    expect(ended.err).toContain(`[${code}]`);
    expect(ended.err).toMatch(says);
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(readdirSync(dirname(copy))).toEqual([basename(copy)]);
  });

  test('of a folder that is no result says which folder it takes', async () => {
    const ended = await millraceHere(['export', folder, '--as', 'csv']);
    expect(ended.err).toMatch(/\[file-missing\].*result\.json.*Give the folder of a backtest/);
    expect(ended.code).toBe(1);
    expect(existsSync(`${folder}-csv`)).toBe(false);
  });
});
