import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { writeCsv } from '../../src/backtest/csv.ts';
import { writeRunParquet } from '../../src/backtest/parquet.ts';
import { tablesOf, writeTables } from '../../src/backtest/run-tables.ts';
import { FillColumns, FillTable } from '../../src/backtest/tables/fill-table.ts';
import { Amount } from '../../src/model/amount.ts';
import { lots, ticks } from '../../src/model/units.ts';
import { micros } from '../../src/platform/time.ts';
import { walkedResult } from '../kit/backtest-result.ts';
import { instrumentOf } from '../kit/instruments.ts';

/** Writes the tables of a run of so many fills into a folder, and prints what they held in memory. */
const [, , folder, count] = process.argv;

const START = Date.UTC(2024, 0, 1) * 1_000;
const columns = new FillColumns([instrumentOf()]);
for (let id = 0; id < Number(count); id += 1) {
  columns.add(
    {
      id,
      clientOrderId: `market-maker-${String(id).padStart(9, '0')}`,
      symbol: 'BTCUSDT',
      side: id % 2 === 0 ? 'buy' : 'sell',
      ticks: ticks(100 + (id % 999)),
      lots: lots(3),
      fee: Amount.units(id, 4),
      feeCurrency: 'USDT',
      taker: id % 3 === 0,
      at: micros(START + id * 1_000),
    },
    0,
  );
}
setFlagsFromString('--expose-gc');
(runInNewContext('gc') as () => void)();
const { heapUsed, arrayBuffers } = process.memoryUsage();
const result = { ...walkedResult({ minutes: 60 }), fills: new FillTable(columns, 10_000) };
for (const [ending, write] of [['csv', writeCsv] as const, ['parquet', writeRunParquet] as const]) {
  writeTables(tablesOf(result), (name) => join(folder, `${name}.${ending}`), write);
}
process.stdout.write(JSON.stringify({ heapUsed, arrayBuffers }));
