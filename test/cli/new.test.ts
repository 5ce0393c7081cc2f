import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { linkPackages, node } from '../kit/project.ts';
import { suiteFolder, temporaryFolder } from '../kit/recordings.ts';
import { lastJson, millraceHere } from './command.ts';

const { version, peerDependencies, devDependencies, engines } = JSON.parse(
  readFileSync('package.json', 'utf8'),
) as Readonly<
  Record<'peerDependencies' | 'devDependencies' | 'engines', Record<string, string>>
> & {
  readonly version: string;
};

/** Every file below a folder, packages apart. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('node_modules'))
    .sort();

const PROJECT = [
  ...['.gitignore', 'README.md', 'config/backtest.yaml', 'config/bot.yaml', 'package.json'],
  ...['recordings/BTCUSDT.arrow', 'strategies/trend.ts', 'test/strategies/trend.test.ts'],
  'tsconfig.json',
];

describe('a new project', () => {
  const folder = suiteFolder();
  const bot = join(folder, 'my-bot');

  beforeAll(async () => {
    const { code, out, err } = await millraceHere(['new', 'project', 'my-bot'], { cwd: folder });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^created my-bot\/config\/bot\.yaml$/m);
    expect(out).toMatch(/^ {2}npm run backtest$/m);
    linkPackages(bot);
  });

  test('is a folder with all that a strategy and a paper bot need', () => {
    expect(filesIn(bot)).toEqual(PROJECT);
    const texts = PROJECT.filter((path) => !path.endsWith('.arrow')).map((path) =>
      readFileSync(join(bot, path), 'utf8'),
    );
    expect(texts.filter((text) => /my-?(project|strategy)/i.test(text))).toEqual([]);
  });

  test('depends on this Millrace and on the packages that it is tested with', () => {
    const manifest: unknown = JSON.parse(readFileSync(join(bot, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      name: 'my-bot',
      private: true,
      type: 'module',
      engines,
      dependencies: { millrace: version, rxjs: peerDependencies['rxjs'] },
      devDependencies: {
        '@types/node': devDependencies['@types/node'],
        typescript: devDependencies['typescript'],
      },
    });
  });

  test('backtests on its recording, and its strategy trades', async () => {
    const { code, out } = await millraceHere(['backtest', '--json'], { cwd: bot });
    const result = JSON.parse(out) as { metrics: { trades: { count: number } }; report: string };
    expect(code).toBe(0);
    expect(result.metrics.trades.count).toBeGreaterThan(3);
    expect(existsSync(join(bot, result.report))).toBe(true);
  });

  test('has a paper bot whose configuration is sound', async () => {
    const { code, out } = await millraceHere(['run', '--check', '--json'], { cwd: bot });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      name: 'my-bot',
      mode: 'paper',
      data: join(bot, 'runs/bot'),
      strategies: [{ name: 'trend', strategy: 'trend', symbols: ['BTCUSDT'] }],
      warnings: [],
    });
  });

  test('takes strategies, indicators and importers, each with a test that passes', async () => {
    for (const part of ['strategy', 'indicator', 'importer']) {
      const { code } = await millraceHere(['new', part, `a-${part}`], { cwd: bot });
      expect(code, part).toBe(0);
    }
    expect(filesIn(bot)).toEqual(
      expect.arrayContaining([
        ...['strategies/a-strategy.ts', 'test/strategies/a-strategy.test.ts'],
        ...['indicators/a-indicator.ts', 'test/indicators/a-indicator.test.ts'],
        ...['importers/a-importer.ts', 'test/importers/a-importer.test.ts'],
      ]),
    );
    const out = node(['--test', '--test-reporter=tap', 'test/**/*.test.ts'], bot);
    expect(out).toMatch(/^# tests 10$/m);
    expect(out).toMatch(/^# pass 10$/m);
    const { out: listed } = await millraceHere(['strategies', 'a-strategy', '--json'], {
      cwd: bot,
    });
    expect(JSON.parse(listed)).toMatchObject({ name: 'a-strategy' });
    // An importer is a program too.
    writeFileSync(join(bot, 'ETHUSDT.txt'), '1767225600000;B;3000.5;0.25\n');
    const run = ['importers/a-importer.ts', 'recordings/ETHUSDT.arrow', 'ETHUSDT.txt'];
    expect(node(run, bot)).toBe('recordings/ETHUSDT.arrow: 1 trades of ETHUSDT\n');
  });
});

describe('millrace new', () => {
  test('writes nothing over, names the file and leaves no trace', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'my-bot/test'), { recursive: true });
    mkdirSync(join(cwd, 'my-bot/config'));
    writeFileSync(join(cwd, 'my-bot/config/bot.yaml'), 'mine');
    const { code, out, err } = await millraceHere(['new', 'project', 'my-bot'], { cwd });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^error \[file-exists\] my-bot\/config\/bot\.yaml exists, and nothing was/);
    expect(filesIn(cwd)).toEqual(['my-bot/config/bot.yaml']);
    expect(readFileSync(join(cwd, 'my-bot/config/bot.yaml'), 'utf8')).toBe('mine');
    expect(readdirSync(join(cwd, 'my-bot/test'))).toEqual([]);
  });

  test('fills a folder that has other files', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'my-bot/.git'), { recursive: true });
    writeFileSync(join(cwd, 'my-bot/.git/HEAD'), 'ref: refs/heads/main\n');
    const { code } = await millraceHere(['new', 'project', 'my-bot'], { cwd });
    expect(code).toBe(0);
    expect(filesIn(join(cwd, 'my-bot'))).toEqual(['.git/HEAD', ...PROJECT].sort());
  });

  test('makes a project of the current folder', async () => {
    const cwd = join(temporaryFolder(), 'own-bot');
    mkdirSync(cwd);
    const { code, out } = await millraceHere(['new', 'project', '.'], { cwd });
    expect(code).toBe(0);
    expect(out).not.toContain('cd ');
    expect(filesIn(cwd)).toEqual(PROJECT);
    const text = readFileSync(join(cwd, 'config/bot.yaml'), 'utf8');
    expect(text).toContain('\nname: own-bot\n');
  });

  test('takes a link that leads nowhere for a file', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'package.json'), '{}');
    mkdirSync(join(cwd, 'strategies'));
    symlinkSync('elsewhere.ts', join(cwd, 'strategies/mine.ts'));
    const { code, err } = await millraceHere(['new', 'strategy', 'mine'], { cwd });
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('file-exists') });
    expect(existsSync(join(cwd, 'strategies/elsewhere.ts'))).toBe(false);
  });

  test('takes away what it made where a later file cannot be written', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'package.json'), '{}');
    // In place of the folder of the test.
    writeFileSync(join(cwd, 'test'), '');
    const { code, err } = await millraceHere(['new', 'strategy', 'mine'], { cwd });
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining('file-unwritable'),
    });
    expect(filesIn(cwd)).toEqual(['package.json', 'test']);
    expect(existsSync(join(cwd, 'strategies'))).toBe(false);
  });

  test.skipIf(process.getuid?.() === 0)('says of a folder that takes no files why', async () => {
    const cwd = temporaryFolder();
    chmodSync(cwd, 0o500);
    const { code, err } = await millraceHere(['new', 'project', 'my-bot'], { cwd });
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining('file-unwritable'),
    });
  });

  test.each([
    ['project', 'My-Bot'],
    ['project', '../my-bot'],
    ['project', 'my--bot'],
    ['project', 'my-bot.'],
    ['project', 'a'.repeat(33)],
    ['project', 'millrace'],
    ['strategy', '1st'],
    ['indicator', 'class'],
    ['indicator', 'test'],
    ['importer', ''],
  ])('refuses the name of the %s "%s"', async (kind, name) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'package.json'), '{}');
    const { code, err } = await millraceHere(['new', kind, name], { cwd });
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('[usage]') });
    expect(filesIn(cwd)).toEqual(['package.json']);
  });

  test('refuses to add to a folder that is no project', async () => {
    const cwd = temporaryFolder();
    const { code, err } = await millraceHere(['new', 'strategy', 'mine'], { cwd });
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringContaining('project-missing'),
    });
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('lists with --dry-run the files that it writes without', async () => {
    const cwd = temporaryFolder();
    const dry = await millraceHere(['new', 'project', 'my-bot', '--dry-run', '--json'], { cwd });
    expect(readdirSync(cwd)).toEqual([]);
    const wet = await millraceHere(['new', 'project', 'my-bot', '--json'], { cwd });
    const { planned } = lastJson(dry);
    expect(planned).toEqual(lastJson(wet)['created']);
    expect([...(planned as string[])].sort()).toEqual(filesIn(cwd));
    const again = await millraceHere(['new', 'project', 'my-bot', '--dry-run'], { cwd });
    expect(again.err).toContain('file-exists');
  });

  test('lets the project depend on another Millrace, a package of this machine too', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'millrace-0.1.0.tgz'), '');
    for (const [name, given, depends] of [
      ['one', 'next', 'next'],
      ['two', 'millrace-0.1.0.tgz', 'file:../millrace-0.1.0.tgz'],
    ] as const) {
      await millraceHere(['new', 'project', name, '--millrace', given], { cwd });
      const text = readFileSync(join(cwd, name, 'package.json'), 'utf8');
      expect(JSON.parse(text)).toMatchObject({ dependencies: { millrace: depends } });
    }
  });
});
