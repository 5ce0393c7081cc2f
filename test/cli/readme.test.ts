import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BACKTEST_CONFIG } from '../../src/backtest/config/config.ts';
import { parseConfig } from '../../src/config/document.ts';
import { Companion } from './companion.ts';
import { argumentsOf, blocks, lines } from './pages.ts';

/** The millrace commands that a page tells to paste, as their arguments. */
const commands = (path: string): readonly (readonly string[])[] =>
  lines(path).flatMap((line) => {
    const args = argumentsOf(line);
    return args === undefined ? [] : [args];
  });

/** The strategies that a page tells to save, by the name in them. */
function save(path: string, folder: string): void {
  for (const code of blocks(path, 'ts')) {
    const name = /^ {2}name: '([\w-]+)',$/m.exec(code)?.[1];
    if (name !== undefined && code.includes('export default')) {
      writeFileSync(join(folder, `${name}.ts`), code);
    }
  }
}

const captures = ['20240808', '20240809'].map((day) =>
  resolve(`../shared/data/spot_btcusdt_${day}.gz`),
);
const there = captures.every((path) => existsSync(path));
if (!there) process.stdout.write('skipped: commands on captures, as there are no real data here\n');

let work = '';
let companion: Companion;

beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'millrace-readme-'));
  mkdirSync(join(work, 'strategies'));
  companion = new Companion(work);
  if (!there) return;
  captures.forEach((path, i) => {
    symlinkSync(path, join(work, `capture-${i + 1}.gz`));
  });
});

afterAll(async () => {
  await companion.close();
  rmSync(work, { recursive: true, force: true });
});

describe.each(['README.md', 'docs/writing-a-strategy.md', 'docs/backtest.md'])('%s', (page) => {
  test('has commands that work when pasted', async () => {
    save(page, join(work, 'strategies'));
    const reported = commands(page);
    expect(reported.length).toBeGreaterThan(0);
    for (const args of reported) {
      const needsCaptures = args.some((arg) => /^capture-|^recordings/.test(arg));
      if (needsCaptures && !there) continue;
      // It runs until it is stopped; venue/pages.test.ts does what the pages tell to do with it.
      if (args[0] === 'venue') continue;
      // They need a venue and a bot; bot/pages.test.ts pastes the page that shows all of them.
      if (/^(doctor|run|status|positions)$/.test(args[0] ?? '')) {
        expect(commands('docs/running-a-bot.md')).toContainEqual(args);
        continue;
      }
      // It needs a venue; rebalancing/pages.test.ts pastes the page that shows it.
      if (args[0] === 'rebalance') {
        expect(commands('docs/rebalancing.md')).toContainEqual(args);
        continue;
      }
      const { code, err } = await companion.run(args);
      expect({ command: args.join(' '), code, err }).toEqual({
        command: args.join(' '),
        code: 0,
        err: '',
      });
    }
  }, 120_000);
});

test('docs/backtest.md names every key of the configuration, and its example is one', () => {
  const page = 'docs/backtest.md';
  const text = readFileSync(page, 'utf8');
  const keys = Object.keys(BACKTEST_CONFIG.shape);
  expect(keys.filter((key) => !text.includes(`\`${key}\``))).toEqual([]);
  const [example = ''] = blocks(page, 'yaml');
  const shown = Object.keys(parseConfig(example, page, BACKTEST_CONFIG));
  // These have examples of their own.
  expect([...shown, 'margin', 'dailyRates', 'otherBalances', 'replenish'].sort()).toEqual(
    keys.sort(),
  );
});
