import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { spawnSync } from 'node:child_process';
import { afterAll, expect } from 'vitest';

const PYTHON = '/usr/bin/python3';
export const hasPandas = spawnSync(PYTHON, ['-c', 'import pandas']).status === 0;
if (!hasPandas) process.stdout.write(`skipped: nothing is read by pandas, ${PYTHON} has none\n`);

export type Cells = Readonly<Record<string, unknown>>;

/** What a script prints, in a folder. */
export function python(script: string, cwd: string): string {
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', script], { cwd, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

/** What a script prints as JSON. */
export const pythonJson = (script: string, cwd: string): unknown => JSON.parse(python(script, cwd));

let connection: Promise<DuckDBConnection> | undefined;

/** Asks DuckDB; times come as whole microseconds. */
export async function query(sql: string): Promise<readonly Cells[]> {
  connection ??= DuckDBInstance.create(':memory:').then((database) => database.connect());
  const reader = await (await connection).runAndReadAll(sql);
  return reader.getRowObjects();
}

afterAll(async () => {
  (await connection)?.closeSync();
  connection = undefined;
});
