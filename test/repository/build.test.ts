import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUNDLED } from '../../.dependency-cruiser.mjs';
import { ROOT } from './rules/tree.ts';

interface Manifest {
  readonly version: string;
  readonly files: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
/** What the build and the packing read; the working tree itself stays as it is. */
const STAGED = [
  ...['package.json', 'tsconfig.json', 'tsconfig.build.json', 'rolldown.config.ts'],
  ...['README.md', 'LICENSE', 'create-millrace'],
  ...MANIFEST.files.filter((path) => path !== 'dist' && !path.startsWith('!')),
];

/** A project that depends on Millrace: a strategy of its own, and what tests it. */
const STRATEGY = `
import { map, take } from 'rxjs';
import { defineStrategy, target, z } from 'millrace';

export default defineStrategy({
  name: 'own',
  summary: 'Holds half of its equity once there is a trade.',
  parameters: z.object({ symbol: z.string().default('BTCUSDT') }),
  run: ({ market, parameters: p }) =>
    market.trades(p.symbol).pipe(take(1), map(() => target(p.symbol, 0.5))),
});
`;
const STRATEGY_TEST = `
import * as testing from 'millrace/testing';
import own from './own.ts';

export const name: string = own.name;
export { testing };
`;
const TSCONFIG = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2024',
    strict: true,
    noEmit: true,
    types: ['node'],
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  },
  include: ['*.ts'],
};

/** Every declaration that the package exports, checked without the types of Node. */
const DOORS = `
export * as strategies from 'millrace';
export * as testing from 'millrace/testing';
export * as clients from 'millrace/clients';
export * as backtests from 'millrace/backtest';
export * as feeds from 'millrace/feeds';
export * as gateways from 'millrace/gateway';
`;
const DOORS_TSCONFIG = {
  compilerOptions: { ...TSCONFIG.compilerOptions, types: [], skipLibCheck: false },
  include: ['*.ts'],
};

let folder: string;
let stage: string;
let user: string;
let installed: string;
let creator: string;

/** The coverage of compilers and of what they built is nobody's business. */
const { NODE_V8_COVERAGE: _, ...OUTSIDE } = process.env;

/** Runs a program and gives what it printed; what a failing one printed is the error. */
function run(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: OUTSIDE,
  });
  if (status === 0) return stdout;
  throw new Error(
    `${command} ${args.join(' ')} ended with ${status ?? 'a signal'}:\n${stdout}${stderr}`,
  );
}

/** Runs the built command as a user would, in the project that depends on Millrace. */
const millrace = (...args: string[]): string =>
  run(process.execPath, [join(installed, 'bin/millrace.js'), ...args], user);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-build-'));
  stage = join(folder, 'stage');
  for (const path of STAGED) cpSync(join(ROOT, path), join(stage, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(stage, 'node_modules'));
  // What an earlier build left, and the reference of the interface, are not to be published.
  for (const leftover of ['dist/src/stale.js', 'docs/api/index.html']) {
    mkdirSync(dirname(join(stage, leftover)), { recursive: true });
    writeFileSync(join(stage, leftover), '');
  }
  user = join(folder, 'user');
  installed = join(user, 'node_modules/millrace');
  mkdirSync(installed, { recursive: true });
  run('npm', ['pack', '--pack-destination', folder], stage);
  const archive = join(folder, `millrace-${MANIFEST.version}.tgz`);
  run('tar', ['-xzf', archive, '-C', installed, '--strip-components=1'], folder);
  creator = join(user, 'node_modules/create-millrace');
  mkdirSync(creator);
  run('npm', ['pack', '--pack-destination', folder], join(stage, 'create-millrace'));
  const created = join(folder, `create-millrace-${MANIFEST.version}.tgz`);
  run('tar', ['-xzf', created, '-C', creator, '--strip-components=1'], folder);
  mkdirSync(join(user, 'node_modules/.bin'));
  symlinkSync(join(installed, 'bin/millrace.js'), join(user, 'node_modules/.bin/millrace'));
  const packages = { ...MANIFEST.dependencies, ...MANIFEST.peerDependencies };
  for (const name of [...Object.keys(packages), '@types/node']) {
    const place = join(user, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), place);
  }
  writeFileSync(join(user, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(user, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  writeFileSync(join(user, 'own.ts'), STRATEGY);
  writeFileSync(join(user, 'own-test.ts'), STRATEGY_TEST);
  mkdirSync(join(user, 'doors'));
  writeFileSync(join(user, 'doors/tsconfig.json'), JSON.stringify(DOORS_TSCONFIG));
  writeFileSync(join(user, 'doors/doors.ts'), DOORS);
}, 400_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the package', () => {
  test('passes publint, warnings and suggestions included', async () => {
    const { messages, pkg } = await publint({ pkgDir: stage, strict: true, pack: 'npm' });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test.each([
    'dist/src/index.js',
    'dist/src/index.d.ts',
    'dist/src/testing.js',
    'dist/src/clients.js',
    'dist/src/backtest.js',
    'dist/src/research/sweep/worker.js',
    'dist/src/cli/watch/thread.js',
    'templates/project/_gitignore',
    'templates/completion/millrace.fish',
    'dist/strategies/ema-cross.js',
    'dist/licenses.txt',
    'bin/millrace.js',
    'dist/chart-library.js',
    'src/index.ts',
    'config/backtest.yaml',
    'docs/architecture.md',
    'README.md',
    'LICENSE',
    'NOTICE',
    'CHANGELOG.md',
  ])('holds %s', (path) => {
    expect(existsSync(join(installed, path))).toBe(true);
  });

  test.each(['test', 'dist/test', 'bench', 'dist/bench', 'docs/api', 'dist/src/stale.js', '.ci'])(
    'does not hold %s',
    (path) => {
      expect(existsSync(join(installed, path))).toBe(false);
    },
  );

  test('has a command that the system can start', () => {
    const main = join(stage, 'bin/millrace.js');
    expect(readFileSync(main, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(statSync(main).mode & 0o111).toBe(0o111);
  });
});

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** A map that leads from a built file to its sources. */
interface SourceMap {
  readonly sources: readonly string[];
}

describe('its built files', () => {
  const built = (ending: string): readonly string[] =>
    readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith(ending))
      .map((path) => join(installed, 'dist', path));

  test('import nothing but each other, Node and the packages that are installed with them', () => {
    const { dependencies, peerDependencies } = MANIFEST;
    const known = new Set(Object.keys({ ...dependencies, ...peerDependencies }));
    const named = built('.js').flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/^(?:import|export) .*?["']([^"'.][^"']*)["'];?$/gm)]
        .map(([, specifier = '']) => specifier)
        .filter((specifier) => !isBuiltin(specifier)),
    );
    expect(named).toContain('rxjs');
    const foreign = named.filter((specifier) => !known.has(packageOf(specifier)));
    expect([...new Set(foreign)]).toEqual([]);
  });

  test('hold each source once, so that a strategy and a command see the same classes', () => {
    const places = new Map<string, string[]>();
    for (const path of built('.js.map')) {
      const { sources } = JSON.parse(readFileSync(path, 'utf8')) as SourceMap;
      for (const source of new Set(sources)) {
        const place = resolve(dirname(path), source);
        places.set(place, [...(places.get(place) ?? []), path]);
      }
    }
    expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([]);
    const own = [...places.keys()].filter((path) =>
      ['src', 'strategies'].some((name) => path.startsWith(join(installed, name))),
    );
    expect(own.length).toBeGreaterThan(places.size / 2);
    expect(own.filter((path) => !existsSync(path))).toEqual([]);
  });

  test('show the help with no package and few files', () => {
    const list = join(folder, 'loaded');
    const preload = new URL('../cli/loaded-modules.ts', import.meta.url).href;
    run(
      'env',
      [
        ...[`LOADED_MODULES=${list}`, process.execPath, `--import=${preload}`],
        ...[join(installed, 'bin/millrace.js'), '--help'],
      ],
      user,
    );
    const files = readFileSync(list, 'utf8')
      .split('\n')
      .filter((url) => url.startsWith('file:'));
    expect(files.length).toBeLessThanOrEqual(25);
    expect(files.filter((url) => !url.includes('/node_modules/millrace/'))).toEqual([]);
  });

  test('come with the licenses of the packages that are part of them', () => {
    const text = readFileSync(join(installed, 'dist/licenses.txt'), 'utf8');
    const named = [...text.matchAll(/^(\S+) \d+\.\d+\.\d+$/gm)].map(([, name = '']) => name);
    expect(named).toEqual(expect.arrayContaining([...BUNDLED]));
    expect(text.match(/permission|permitted/gi)?.length).toBeGreaterThanOrEqual(named.length);
  });
});

describe('the package of npm create', () => {
  test('passes publint, and has the version and the license of the other', async () => {
    const pkgDir = join(stage, 'create-millrace');
    const { messages, pkg } = await publint({ pkgDir, strict: true, pack: 'npm' });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
    const { version } = MANIFEST;
    expect(JSON.parse(readFileSync(join(creator, 'package.json'), 'utf8'))).toMatchObject({
      version,
      dependencies: { millrace: version },
    });
    expect(readdirSync(creator).sort()).toEqual(['LICENSE', 'README.md', 'bin', 'package.json']);
  });
});

describe('a project that depends on it', () => {
  test('gets types for strategies and their tests', () => {
    expect(run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc')], user)).toBe('');
  });

  test('needs no types of Node for what it exports', () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    expect(run(process.execPath, [tsc], join(user, 'doors'))).toBe('');
  });

  test('imports it by its name', () => {
    const script = "import('./own-test.ts').then(({ name }) => { process.stdout.write(name); });";
    expect(run(process.execPath, ['--eval', script], user)).toBe('own');
  });

  test('runs its command', () => {
    expect(millrace('--version')).toBe(`${MANIFEST.version}\n`);
  });

  test('finds the strategies that come with it, and its own by the path', () => {
    const listed = millrace('strategies', '--json')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string; error?: string });
    expect(listed.map(({ name, error }) => [name, error])).toEqual([
      ['algo-orders', undefined],
      ['book-imbalance', undefined],
      ['breakout-bracket', undefined],
      ['ema-cross', undefined],
      ['funding-carry', undefined],
      ['inventory-rebalancer', undefined],
      ['market-maker', undefined],
      ['pairs', undefined],
      ['rsi-reversal', undefined],
      ['trend-trail', undefined],
    ]);
    expect(JSON.parse(millrace('strategies', './own.ts', '--json'))).toMatchObject({ name: 'own' });
  });

  test('runs what the README says of a strategy of its own', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const [strategy = ''] = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, ts]) => ts);
    mkdirSync(join(user, 'strategies'));
    writeFileSync(join(user, 'strategies/my-cross.ts'), strategy);
    const start = 'npm run -s millrace -- ';
    const [line = ''] = readme.split('\n').filter((one) => one.startsWith(start) && one.includes('my-cross')); // prettier-ignore
    expect(millrace(...line.slice(start.length).split(' '))).toContain('report.html');
  });

  test('is one that npm creates, whose tests, types, backtest and bot are sound as they are', () => {
    // Options of `npm create` follow the name.
    run(process.execPath, [join(creator, 'bin/create-millrace.js'), 'my-bot'], user);
    const bot = join(user, 'my-bot');
    for (const part of ['strategy', 'indicator', 'importer']) {
      run('npx', ['--no', 'millrace', 'new', part, `a-${part}`], bot);
    }
    expect(run('npm', ['test'], bot)).toMatch(/^ℹ pass 10$|^# pass 10$/m);
    expect(run('npm', ['run', 'backtest'], bot)).toContain('report.html');
    expect(run('npm', ['run', '-s', 'start', '--', '--check'], bot)).toContain('is sound');
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    expect(run(process.execPath, [tsc], bot)).toBe('');
  });

  test.each([
    ['a strategy of its own', './own.ts'],
    ['one that comes with it', 'ema-cross'],
  ])('runs %s on the sample, just as the sources run it', (_, strategy) => {
    const ask = ['backtest', '--strategy', strategy, '--json', '--out'];
    const built = JSON.parse(millrace(...ask, 'built')) as { hash: string; report: string };
    const source = ['--conditions=millrace-source', join(ROOT, 'bin/millrace.js'), ...ask];
    const reported = JSON.parse(run(process.execPath, [...source, 'source'], user)) as typeof built;
    expect(built.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(built.hash).toBe(reported.hash);
    expect(existsSync(join(user, built.report))).toBe(true);
  });
});
