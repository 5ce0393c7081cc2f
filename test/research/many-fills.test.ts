import { DuckDBInstance } from '@duckdb/node-api';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../kit/recordings.ts';
import { sizeOf } from '../kit/size.ts';

const FILLS = sizeOf('MILLRACE_FILLS', 200_000, 2_000_000);
const MB = 2 ** 20;

test('hundreds of thousands of fills are all in the tables of a run, and few of them in memory', async () => {
  const folder = temporaryFolder();
  const script = fileURLToPath(new URL('./many-fills.ts', import.meta.url));
  const flags = ['--max-old-space-size=96', '--conditions=millrace-source'];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, script, folder, String(FILLS)],
    { encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const held = JSON.parse(stdout) as { readonly heapUsed: number; readonly arrayBuffers: number };
  expect(held.heapUsed / MB).toBeLessThan(20);
  expect(held.arrayBuffers / MB).toBeLessThan(64);

  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  const rows = async (sql: string): Promise<readonly unknown[]> =>
    (await connection.runAndReadAll(sql)).getRowObjects();
  const figures = `count(*) AS rows, count(DISTINCT "order") AS orders, max(id) AS last`;
  const expected = [{ rows: BigInt(FILLS), orders: BigInt(FILLS), last: BigInt(FILLS - 1) }];
  expect(await rows(`SELECT ${figures} FROM '${folder}/fills.parquet'`)).toEqual(expected);
  expect(
    await rows(
      `SELECT "order", id, price_exact, fee_exact FROM '${folder}/fills.parquet'
       EXCEPT ALL
       SELECT "order", id, price, fee FROM read_csv('${folder}/fills.csv', all_varchar = true)`,
    ),
  ).toEqual([]);
  connection.closeSync();
  database.closeSync();
}, 240_000);
