import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Lots, Ticks } from '../../../src/model/units.ts';
import { micros } from '../../../src/platform/time.ts';
import {
  desk,
  fill,
  intent,
  place,
  reported,
  START,
  trade,
  venueOrder,
} from '../../bot/journal/kit.ts';
import { suiteFolder } from '../../kit/recordings.ts';
import { millraceHere } from '../command.ts';
import { query } from '../../kit/reading.ts';

const folder = suiteFolder();

const exported = async (...args: readonly string[]): Promise<string> => {
  const ended = await millraceHere(['export', ...args]);
  expect(ended).toMatchObject({ code: 0, err: '' });
  return ended.out;
};

const A = 'ema-abcd-0000001';
const B = 'ema-abcd-0000002';

describe('the journal of a bot', () => {
  /** A bot that has traded and replaced an order, and is still at its journal. */
  function traded(): string {
    const { journal, path } = desk();
    journal.intend([intent(place(A))]);
    journal.sent([A]);
    journal.received(reported('new', venueOrder(A)), START);
    journal.received(trade(fill(A, 77, 4), 4), micros(START + 1_000));
    const replace = { kind: 'replace', clientOrderId: A, newClientOrderId: B, symbol: 'BTCUSDT' };
    journal.intend([
      intent({ ...replace, kind: 'replace', lots: 20 as Lots, ticks: 900 as Ticks }),
    ]);
    const order = { originalClientOrderId: A, lots: 20 as Lots, filledLots: 4 as Lots };
    journal.received(reported('replaced', venueOrder(B, order)), START);
    journal.flush();
    return path;
  }

  test('gives orders, fills and holdings, the same from CSV and Parquet', async () => {
    const path = traded();
    const out = join(folder, 'bot');
    const said = await exported(path, '--as', 'parquet', '--out', out);
    expect(said).toMatch(/note: A journal keeps ended orders as long as journal\.retention says/);
    await exported(path, '--as', 'csv', '--out', out);
    const read = (name: string, columns: string, from = `'${out}/${name}.parquet'`) =>
      query(`SELECT ${columns} FROM ${from}`);
    const fills = await read(
      'fills',
      'account, strategy, symbol, side, price_exact, size_exact, fee_exact, "order", epoch_us("at") AS at',
    );
    expect(fills).toEqual([
      {
        ...{ account: 'main', strategy: 'ema', symbol: 'BTCUSDT', side: 'buy' },
        ...{ price_exact: '10', size_exact: '0.00004', fee_exact: '0.0001', order: A },
        at: BigInt(START),
      },
    ]);
    const orders = await read('orders', '"order", replaces, status, size_exact, filled_exact');
    expect(orders).toMatchObject([
      { order: A, replaces: null, status: 'replaced' },
      { order: B, replaces: A, size_exact: '0.0002', filled_exact: '0.00004' },
    ]);
    const holdings = await read('holdings', 'currency, change_exact');
    expect(holdings).toContainEqual({ currency: 'BTC', change_exact: '0.00004' });
    for (const [name, texts, decimals] of [
      ['orders', ['order', 'status', 'account', 'strategy'], ['size', 'filled']],
      ['fills', ['order', 'account', 'strategy'], ['price', 'size', 'fee']],
      ['holdings', ['strategy', 'currency'], ['change']],
    ] as const) {
      const columns = [...texts, ...decimals].map((column) => `"${column}"`);
      const exact = decimals.map((column) => `${column}_exact AS ${column}`);
      const csv = `read_csv('${out}/${name}.csv', all_varchar = true)`;
      expect(await read(name, columns.join(', '), csv), name).toEqual(
        await read(name, [...columns.slice(0, texts.length), ...exact].join(', ')),
      );
    }
  });

  test('has no form of round trips or of equity', async () => {
    for (const form of ['freqtrade', 'quantstats']) {
      const ended = await millraceHere(['export', traded(), '--as', form]);
      expect(ended).toMatchObject({ code: 2, out: '' });
      expect(ended.err).toMatch(
        /\[export-unsupported\].*neither round trips nor equity\. Use --as parquet or csv/,
      );
    }
  });

  test('is named itself, as its folder may have those of paper and of real orders', async () => {
    const path = traded();
    const ended = await millraceHere(['export', dirname(path), '--as', 'csv']);
    expect(await exported(path, '--as', 'csv')).toContain('main-csv/orders.csv');
    expect(ended.err).toContain(`one journal, such as ${path}, and not the folder of a bot`);
    expect(ended.code).toBe(2);
  });
});

describe('a sweep', () => {
  const sweep = join(folder, 'sweep');

  beforeAll(async () => {
    const ended = await millraceHere([
      ...['sweep', 'config/backtest.yaml', '--vary', 'fast=3,5', '--objective', 'profit'],
      ...['--workers', '1', '--out', sweep],
    ]);
    expect(ended).toMatchObject({ code: 0 });
  }, 120_000);

  test('gives the tables that it has written', async () => {
    await exported(sweep, '--as', 'parquet');
    const rows = await query(`SELECT p_fast, state FROM '${sweep}-parquet/results.parquet'`);
    expect(rows).toEqual([
      { p_fast: 3n, state: 'done' },
      { p_fast: 5n, state: 'done' },
    ]);
  });

  test('of many runs has no form of one, and says how to get it', async () => {
    const ended = await millraceHere(['export', sweep, '--as', 'freqtrade']);
    expect(ended.err).toMatch(/\[export-unsupported\].*run one set as a backtest and export it/);
    expect(ended.code).toBe(2);
  });

  test('that did not come to its end says to run it again', async () => {
    rmSync(join(sweep, 'equity.csv'));
    const ended = await millraceHere(['export', sweep, '--as', 'csv']);
    expect(ended.err).toMatch(/\[file-missing\].*equity\.csv.*run the same command again/);
    expect(ended.code).toBe(1);
  });
});
