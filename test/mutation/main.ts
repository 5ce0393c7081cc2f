import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process, { argv, exit, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SystemScheduler } from '../../src/platform/system-scheduler.ts';
import { filesOf, mutatedSources } from './mutants.ts';
import { judged, remarks, score, survivors, table } from './report.ts';
import { verdictsOf } from './session.ts';

// `npm run mutation -- [FOLDER …]`: changes the sources of folders of src one place at a time; each
// change has to make a test fail. It ends with 1 where too few do, and with 2 where it cannot tell.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** What decides whether money is right. */
const FOLDERS = ['rules', 'model', 'risk', 'exchange/orders', 'swaps/planner'];

const { values, positionals } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: {
    tests: { type: 'string' },
    threshold: { type: 'string', default: '85' },
    slow: { type: 'string', default: '400' },
    survivors: { type: 'boolean', default: false },
    report: { type: 'string', default: 'reports/mutation/report.json' },
  },
});

const folders = positionals.length > 0 ? positionals : FOLDERS;
const groups = folders.map((folder) => {
  const name = existsSync(join(ROOT, 'src', folder)) ? `src/${folder}` : folder;
  if (!existsSync(join(ROOT, name))) fail(`${folder} is no folder of src.`);
  return { name, files: filesOf(ROOT, name) };
});
const tests = new Set(
  (values.tests?.split(',') ?? folders.map(mirror)).flatMap((path) => {
    if (!existsSync(join(ROOT, path))) fail(`--tests names ${path}, which is not there.`);
    return filesOf(ROOT, path, '.test.ts');
  }),
);
const threshold = numberOf('threshold');
const sources = await mutatedSources(
  ROOT,
  groups.flatMap(({ files }) => files),
);
const working = mkdtempSync(join(tmpdir(), 'millrace-mutation-'));
let shown = '';
const verdicts = await verdictsOf({
  root: ROOT,
  sources,
  tests: [...tests],
  journal: join(working, 'journal.jsonl'),
  slowMs: numberOf('slow'),
  scheduler: new SystemScheduler(),
  onProgress: ({ killed, done }) => {
    const text = `${done.size} of ${tests.size} files of tests, ${killed.size} of ${sources.mutants.length} mutants killed\n`;
    if (text !== shown) stderr.write(text);
    shown = text;
  },
}).finally(() => rmSync(working, { recursive: true, force: true }));

const mutants = judged(sources.mutants, verdicts);
const report = resolve(ROOT, values.report);
mkdirSync(dirname(report), { recursive: true });
writeFileSync(report, `${JSON.stringify(mutants, undefined, 1)}\n`);
if (values.survivors) stdout.write(`${survivors(mutants)}\n`);
stdout.write(`${table(mutants, groups)}\n${remarks(verdicts)}`);
if (verdicts.failing.size > 0) process.exitCode = 2;
else if (score(mutants) < threshold) process.exitCode = 1;

/** The folder of tests that mirrors a folder of src, or the first above it that is there. */
function mirror(folder: string): string {
  const path = join('test', folder);
  return existsSync(join(ROOT, path)) ? path : mirror(dirname(folder));
}

function numberOf(name: 'threshold' | 'slow'): number {
  const value = Number(values[name]);
  if (Number.isFinite(value) && value >= 0) return value;
  return fail(`--${name} is ${values[name]} and must be a number, 0 or more.`);
}

function fail(message: string): never {
  stderr.write(`${message}\n`);
  exit(2);
}
