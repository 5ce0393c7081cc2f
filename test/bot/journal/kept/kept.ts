import { readFileSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { MIGRATIONS } from '../../../../src/bot/journal/migrations.ts';

type Rows = readonly Readonly<Record<string, SQLInputValue>>[];

/**
 * Writes a journal that the release of version 5 made, row for row with its checksums; as an older one
 * would have it where a version is given: without the tables and columns that came later.
 */
export function keptJournal(path: string, version = 5): void {
  const text = readFileSync(new URL('version-5.json', import.meta.url), 'utf8');
  const database = new DatabaseSync(path);
  for (const step of MIGRATIONS.slice(0, version)) database.exec(step);
  database.exec(`PRAGMA application_id = 1298754668; PRAGMA user_version = ${version}`);
  for (const [table, rows] of Object.entries(JSON.parse(text) as Record<string, Rows>)) {
    const columns = database.prepare(`SELECT name FROM pragma_table_info(?)`).all(table);
    const names = columns.map(({ name }) => String(name));
    const places = names.map(() => '?').join(', ');
    for (const row of rows) {
      database
        .prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`)
        .run(...names.map((name) => row[name] ?? null));
    }
  }
  database.close();
}
