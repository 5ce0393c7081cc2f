import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { proseFaults } from './rules.ts';

/** `npm run prose [FILE …]`: judges the prose of the pages named, or of all. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

const named = process.argv.slice(2);
const pages = named.length > 0 ? named : [...pagesIn('.'), ...pagesIn('docs')];
const faults = pages.flatMap((path) =>
  proseFaults(readFileSync(join(ROOT, path), 'utf8')).map(
    ({ line, message }) => `${path}:${line}  ${message}`,
  ),
);
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exitCode = 1;
}
