import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseDocument } from 'yaml';
import { botConfig } from '../../src/cli/bot-config.ts';
import { parseConfig } from '../../src/config/document.ts';
import { listStrategies } from '../../src/modules/strategy-files.ts';
import { project } from '../kit/project.ts';
import { temporaryFolder } from '../kit/recordings.ts';
import { millraceHere } from './command.ts';

const TEMPLATE = 'templates/bot.yaml';

/** A strategy whose parameters are of every kind. */
const ODD = `
import { EMPTY } from 'rxjs';
import { defineStrategy, z } from 'millrace';

export default defineStrategy({
  name: 'many-kinds-of-parameters',
  summary: 'Does nothing.',
  parameters: z.object({
    text: z.string().default('1e3'),
    empty: z.string().default(''),
    yes: z.boolean().default(true),
    list: z.array(z.string()).default(['a: b', '#c']).describe('with a\\nline # and a sign'),
    nested: z.object({ one: z.number() }).default({ one: 0.5 }),
    nothing: z.number().nullable().default(null),
    unset: z.int().min(1).optional().describe('may stay away'),
  }),
  run: () => EMPTY,
});
`;

describe('millrace init', () => {
  test('writes a configuration that is sound for every strategy that comes with Millrace', async () => {
    const cwd = project();
    for (const { name } of listStrategies()) {
      const path = `bots/${name}.yaml`;
      const { code, err } = await millraceHere(['init', name, '--out', path], { cwd });
      expect({ name, code, err }).toEqual({ name, code: 0, err: '' });
      const checked = await millraceHere(['run', '--check', path, '--json'], { cwd });
      expect(JSON.parse(checked.out), name).toMatchObject({
        mode: 'paper',
        data: join(cwd, 'runs', name),
        strategies: [{ strategy: name }],
        warnings: [],
      });
    }
  });

  test('shows each parameter with its value and what it takes', async () => {
    const cwd = project();
    const args = ['init', 'ema-cross', '--set', 'fast=7', 'symbol=ETHBTC', '--dry-run'];
    const { out } = await millraceHere(args, { cwd });
    expect(out).toContain('      fast: 7 # whole number, 2 to 500: candles\n');
    expect(out).toContain('      period: M1 # M1, M5, M15, H1\n');
    // The money of the bot is that of its symbol.
    expect(parse(out)).toMatchObject({
      accounts: { local: { paper: { balances: { BTC: 10000 } } } },
      strategies: { 'ema-cross': { risk: { maxDailyLoss: { BTC: 500 } } } },
    });
    expect(existsSync(join(cwd, 'bots'))).toBe(false);
  });

  test('keeps parameters of every kind as they are', async () => {
    const cwd = project();
    mkdirSync(join(cwd, 'strategies'));
    writeFileSync(join(cwd, 'strategies/odd.ts'), ODD);
    const { code, err } = await millraceHere(
      ['init', 'strategies/odd.ts', '--out', 'bots/odd.yaml', '--url', 'http://10.0.0.5:1'],
      { cwd },
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const text = readFileSync(join(cwd, 'bots/odd.yaml'), 'utf8');
    expect(text).toContain('# unset: whole number, at least 1: may stay away\n');
    const { accounts, strategies } = parse(text) as Record<string, Record<string, unknown>>;
    expect(accounts).toMatchObject({ local: { url: 'http://10.0.0.5:1' } });
    expect(strategies).toMatchObject({
      'many-kinds': {
        strategy: '../strategies/odd.ts',
        symbols: ['BTCUSDT'],
        parameters: {
          text: '1e3',
          empty: '',
          yes: true,
          list: ['a: b', '#c'],
          nested: { one: 0.5 },
          nothing: null,
        },
      },
    });
  });

  test('leads editors to the schema of the installed package', async () => {
    const cwd = project();
    const { out } = await millraceHere(['init', 'ema-cross', '--dry-run', '-o', 'a/b/c.yml'], {
      cwd,
    });
    expect(out.split('\n')[0]).toBe(
      '# yaml-language-server: $schema=../../node_modules/millrace/config/schema/bot.json',
    );
  });

  test('writes nothing over and leaves nothing that is not sound', async () => {
    const cwd = project();
    writeFileSync(join(cwd, 'bot.yaml'), 'mine');
    for (const [args, says] of [
      [['ema-cross', '--out', 'bot.yaml'], '[file-exists] bot.yaml'],
      [['ema-cross', '--out', 'bots/a.yaml', '--set', 'fast=99', 'slow=9'], 'parameter-invalid'],
      [['ema-cross', '--out', 'bots/a.yaml', '--set', 'quick=9'], 'parameter-invalid'],
      [['ema-cross', '--out', 'bots/a.yaml', '--url', 'nowhere'], 'config-invalid'],
      [['no-such', '--out', 'bots/a.yaml'], 'strategy-unknown'],
    ] as const) {
      const { code, err } = await millraceHere(['init', ...args], { cwd });
      expect(code, says).toBe(2);
      expect(err).toContain(says);
    }
    expect(readFileSync(join(cwd, 'bot.yaml'), 'utf8')).toBe('mine');
    expect(existsSync(join(cwd, 'bots'))).toBe(false);
  });
});

describe('the template of bots', () => {
  test('is a sound configuration', () => {
    const text = readFileSync(TEMPLATE, 'utf8');
    expect(parseConfig(text, TEMPLATE, botConfig(temporaryFolder()))).toMatchObject({
      mode: 'paper',
    });
    expect(text).toContain(`$schema=../config/schema/bot.json`);
    expect(existsSync(resolve('config/schema/bot.json'))).toBe(true);
  });

  test('is written by the writer of YAML as it is read, so that its comments stay in place', () => {
    const text = readFileSync(TEMPLATE, 'utf8');
    expect(parseDocument(text).toString({ lineWidth: 0 })).toBe(text);
  });
});
