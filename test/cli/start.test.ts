import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../kit/recordings.ts';
import { millrace } from './command.ts';

const PRELOADED = new URL('./loaded-modules.ts', import.meta.url).href;

type Versions = Readonly<Record<string, string>>;

const { dependencies, peerDependencies, devDependencies } = JSON.parse(
  readFileSync('package.json', 'utf8'),
) as Readonly<Record<'dependencies' | 'peerDependencies' | 'devDependencies', Versions>>;
const NAMED = Object.keys({ ...dependencies, ...peerDependencies, ...devDependencies });

/** The files that a command loads from the sources, Node's own modules apart. */
async function filesLoadedBy(args: readonly string[]): Promise<readonly string[]> {
  const list = join(temporaryFolder(), 'modules');
  await millrace(args, {
    env: { NODE_OPTIONS: `--import=${PRELOADED}`, LOADED_MODULES: list },
  });
  return readFileSync(list, 'utf8')
    .split('\n')
    .filter((url) => url.startsWith('file:'));
}

/** The packages of package.json among them, and not those that they bring. */
const packagesOf = (files: readonly string[]): readonly string[] =>
  NAMED.filter((name) => files.some((url) => url.includes(`/node_modules/${name}/`))).sort();

describe('the help', () => {
  test('loads the grammar of the commands, and no package but the one that reads it', async () => {
    const files = await filesLoadedBy(['--help']);
    expect(files.length).toBeGreaterThan(20);
    expect(files.length).toBeLessThanOrEqual(60);
    expect(packagesOf(files)).toEqual(['commander']);
    expect(files.filter((url) => url.includes('/src/cli/actions/'))).toEqual([]);
  });

  test.each(['--version', 'feed import --help', 'feed generate --help'])(
    'of one command loads no more: %s',
    async (line) => {
      expect((await filesLoadedBy(line.split(' '))).length).toBeLessThanOrEqual(60);
    },
  );
});

const COMMAND = ['commander'];
const TABLES = [...COMMAND, 'cli-table3'];
const RECORDINGS = ['decimal.js', 'flatbuffers'];
const STRATEGIES = ['decimal.js', 'rxjs', 'trading-signals', 'zod'];
const CONFIGURATION = ['decimal.js', 'yaml', 'zod'];

/** What each command loads of the packages; one more would only make it slower. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  strategies: [...TABLES, ...STRATEGIES],
  'backtest --strategy ema-cross --json': [
    ...[...TABLES, ...STRATEGIES, ...CONFIGURATION, ...RECORDINGS],
    'simple-statistics',
  ],
  'worker --nats nats://127.0.0.1:1': [
    ...[...COMMAND, ...CONFIGURATION, ...RECORDINGS, 'rxjs', 'simple-statistics'],
    '@nats-io/transport-node',
  ],
  'export nowhere --as parquet': [...COMMAND, ...CONFIGURATION.slice(0, 1)],
  'new indicator some-range --dry-run': COMMAND,
  'init ema-cross --dry-run': [...COMMAND, ...STRATEGIES, ...CONFIGURATION],
  'completion bash': COMMAND,
  'completion bash -- feed import --form': COMMAND,
  'completion bash -- backtest --strategy ema-cross --set f': [...COMMAND, ...STRATEGIES],
  'feed inspect config/sample/BTCUSDT.arrow': [...TABLES, ...RECORDINGS],
  'feed check config/sample/BTCUSDT.arrow': [...TABLES, ...RECORDINGS],
  'feed download binance --symbol X --from 2024-01': [
    ...[...TABLES, ...RECORDINGS, 'undici', 'yauzl'],
  ],
  'journal nowhere.sqlite': [...TABLES, 'decimal.js', 'zod'],
  'status --url http://127.0.0.1:1 --token-file package.json': TABLES,
  'run --check config/bot.yaml': [...TABLES, ...STRATEGIES, ...CONFIGURATION],
  'run --check config/inventory-bot.yaml': [...TABLES, ...STRATEGIES, ...CONFIGURATION],
  mcp: [...COMMAND, ...CONFIGURATION, '@modelcontextprotocol/server'],
  'doctor nowhere.yaml': [...COMMAND, ...CONFIGURATION],
  'venue nowhere.yaml': [...COMMAND, ...CONFIGURATION],
  'rebalance nowhere.yaml --plan': [...TABLES, ...CONFIGURATION],
};

test.each(Object.entries(NEEDED))('millrace %s loads only what it needs', async (line, needed) => {
  const out = line.startsWith('backtest') ? ['--out', temporaryFolder()] : [];
  const found = packagesOf(await filesLoadedBy([...line.split(' '), ...out]));
  expect(found).toEqual([...new Set(needed)].sort());
});

describe('the compile cache', () => {
  const OWN = { NODE_COMPILE_CACHE: undefined, NODE_DISABLE_COMPILE_CACHE: undefined };

  test('is kept among the temporary files', async () => {
    const folder = temporaryFolder();
    const { code } = await millrace(['--version'], { env: { ...OWN, TMPDIR: folder } });
    expect(code).toBe(0);
    expect(readdirSync(folder)).toEqual(['node-compile-cache']);
  });

  test('is done without where it cannot be kept', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { code, err } = await millrace(['--version'], { env: { ...OWN, TMPDIR: file } });
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  test.each([
    ['where Node is told to', (): NodeJS.ProcessEnv => ({ NODE_DISABLE_COMPILE_CACHE: '1' })],
    ['where coverage is measured', () => ({ NODE_V8_COVERAGE: temporaryFolder() })],
  ])('is left alone %s', async (_, env) => {
    const folder = temporaryFolder();
    await millrace(['--version'], { env: { ...OWN, TMPDIR: folder, ...env() } });
    expect(readdirSync(folder)).toEqual([]);
  });
});
