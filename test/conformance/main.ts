import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import rows from './rows.json' with { type: 'json' };
import { conformancePage, missingFrom, shownBy, strangersIn, type TestResult } from './table.ts';

// Writes docs/conformance.md from the results of a whole run of the tests, and ends with 1 where a
// row is not shown, a tag names none, or (with --check) the page was out of date.

interface Results {
  readonly testResults: readonly { readonly assertionResults: readonly TestResult[] }[];
}

/** A page without what a formatter does to its tables. */
const words = (markdown: string): string => markdown.replaceAll(/[\s-]+/g, ' ');

const [path, option] = process.argv.slice(2);
if (path === undefined || (option !== undefined && option !== '--check')) {
  process.stderr.write('Usage: node test/conformance/main.ts RESULTS.json [--check]\n');
  process.exit(2);
}

const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as Results;
const shown = shownBy(testResults.flatMap(({ assertionResults }) => assertionResults));
const missing = missingFrom(rows, shown);
const strangers = strangersIn(rows, shown);
const faults = [
  ...missing.map((tag) => `No passing test shows ${tag}.`),
  ...strangers.map((tag) => `${tag} is no row.`),
];

const page = fileURLToPath(new URL('../../docs/conformance.md', import.meta.url));
const text = conformancePage(rows, shown);
if (option !== '--check') writeFileSync(page, text);
else if (words(readFileSync(page, 'utf8')) !== words(text)) {
  faults.push('docs/conformance.md is out of date.');
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
const bound = rows.reduce((count, { sides }) => count + sides.length, 0);
process.stdout.write(`${bound - missing.length} of ${bound} rows are shown.\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
