import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';
import { program } from '../../src/cli/program.ts';
import { terminal } from '../../src/cli/terminal.ts';
import { pause } from '../../src/platform/pause.ts';
import { SystemScheduler } from '../../src/platform/system-scheduler.ts';
import { project } from '../kit/project.ts';
import { millraceHere } from './command.ts';

let cwd = '';
/** Where shells find `millrace`. */
let bin = '';

const STRATEGY = readFileSync('templates/strategy/strategies/my-strategy.ts', 'utf8');

beforeAll(() => {
  cwd = project();
  mkdirSync(join(cwd, 'strategies'));
  mkdirSync(join(cwd, 'a folder'));
  writeFileSync(join(cwd, 'strategies/my-strategy.ts'), STRATEGY);
  bin = join(cwd, 'bin');
  mkdirSync(bin);
  const command = `'${process.execPath}' --conditions=millrace-source '${resolve('bin/millrace.js')}'`;
  writeFileSync(join(bin, 'millrace'), `#!/bin/sh\nexec ${command} "$@"\n`);
  chmodSync(join(bin, 'millrace'), 0o755);
});

/** What the last word of a line can be; a line that ends with a space has an empty one. */
async function candidates(line: string): Promise<readonly string[]> {
  const words = line.split(' ');
  const { code, out, err } = await millraceHere(['completion', 'bash', '--', ...words], { cwd });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out.split('\n').flatMap((each) => (each === '' ? [] : [each.split('\t')[0] ?? '']));
}

describe('a line', () => {
  test.each([
    ['back', ['backtest']],
    ['feed re', ['recover']],
    ['help fe', ['feed']],
    ['backtest --str', ['--strategy']],
    ['backtest --strategy my', ['my-strategy', ':files']],
    ['backtest --strategy=my', ['--strategy=my-strategy', ':files']],
    ['backtest -s my-strategy --set ', ['symbol=', 'period=', 'fast=', 'slow=', 'share=']],
    ['backtest -s my-strategy --set fast=3 sl', ['slow=']],
    ['backtest --strategy=my-strategy -p period=M1', ['period=M1', 'period=M15']],
    ['init my-strategy --set sh', ['share=']],
    ['sweep -s my-strategy --vary fa', ['fast=']],
    ['sweep --search ha', ['halton']],
    ['sweep --objective calm', ['calmar']],
    ['feed import --format kuc', ['kucoin-trades']],
    ['feed import --period=D', ['--period=D1', '--period=D7']],
    ['feed download b', ['binance']],
    ['feed generate --set perp', []],
    ['new str', ['strategy']],
    ['new strategy ', []],
    ['orders --config config/bot.yaml ma', ['maker']],
    ['run ', [':files']],
    ['feed check a.arrow ', [':files']],
    ['backtest --out ', [':folders']],
    ['backtest --out=', [':folders']],
    ['feed inspect -- --j', [':files']],
    ['completion ', ['bash', 'zsh', 'fish']],
    ['no-such ', []],
    ['backtest -s no-such --set ', []],
    ['backtest --no-such=', []],
    ['keys ', ['create', 'show', 'help']],
  ])('%s', async (line, expected) => {
    expect(await candidates(line)).toEqual(expected);
  });

  test('offers no option twice, but those that take several values', async () => {
    const offered = await candidates('backtest --seed 1 --set a=1 --');
    expect(offered).not.toContain('--seed');
    expect(offered).toEqual(expect.arrayContaining(['--set', '--strategy', '--help']));
  });

  test('has a description beside each value', async () => {
    const { out } = await millraceHere(['completion', 'fish', '--', 'doc'], { cwd });
    expect(out).toMatch(/^doctor\tCheck what a bot needs/);
  });
});

/** Every option and argument of the tree that takes a value, as `command option <name>`. */
function valuesIn(command: Command, path: readonly string[] = []): readonly string[] {
  const options = command.options.flatMap(({ flags, long, argChoices }) => {
    const name = /[<[]([^>\].]+)/.exec(flags)?.[1];
    return name === undefined || argChoices !== undefined ? [] : [`${long ?? ''} ${name}`];
  });
  const args = command.registeredArguments.flatMap((one) =>
    one.argChoices === undefined ? [one.name()] : [],
  );
  return [
    ...options,
    ...args,
    ...command.commands.flatMap((one) => valuesIn(one, [...path, one.name()])),
  ];
}

test('every value that a command takes is completed, or is known to be free text', async () => {
  const values = [...new Set(valuesIn(program(terminal)))].sort();
  const { SOURCES } = await import('../../src/cli/completion/values.ts');
  const free = values.filter((value) => {
    const [option = '', name = option] = value.split(' ');
    return SOURCES[option] === undefined && SOURCES[name] === undefined;
  });
  expect(free).toMatchInlineSnapshot();
});

describe.skipIf(!existsSync('/usr/bin/script'))('a real shell', () => {
  const scheduler = new SystemScheduler();

  /** Types lines into an interactive shell, TAB among them, and gives what its terminal shows. */
  async function typed(
    command: string,
    setup: string,
    ...keys: readonly string[]
  ): Promise<string> {
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      cwd,
      env: {
        ...process.env,
        PATH: [bin, process.env['PATH']].join(delimiter),
        HOME: cwd,
        TERM: 'dumb',
      },
    });
    let shown = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
    });
    /** Until nothing more is shown: completion takes the time of a start. */
    const quiet = async (): Promise<void> => {
      for (let before = ''; before !== shown || shown === '';) {
        before = shown;
        await pause(scheduler, 1_500_000);
      }
    };
    await quiet();
    child.stdin.write(`${setup}\n`);
    await quiet();
    shown = '';
    for (const each of keys) {
      child.stdin.write(each);
      await quiet();
    }
    child.kill('SIGKILL');
    return shown;
  }

  const COMMANDS = ['millrace backt\t', '--strat\t', 'my-\t', '--set per\t', 'M5 \t\t'];
  const COMPLETED =
    /millrace backtest \x08*(?: \x08)? ?--strategy \x08*.*my-strategy .*--set .*period=.*M5/s;

  test('bash completes commands, options, strategies and parameters', async () => {
    const setup = 'source <(millrace completion bash)';
    const shown = await typed('bash --norc --noprofile -i', setup, ...COMMANDS);
    expect(shown).toContain('millrace backtest --strategy my-strategy --set period=M5 ');
    expect(shown).toMatch(/fast= +period= +share= +slow= +symbol=/);
  });

  test('bash completes paths, behind = too', async () => {
    const setup = 'source <(millrace completion bash)';
    const shown = await typed('bash --norc --noprofile -i', setup, 'millrace backtest --out=a\t');
    expect(shown).toContain('millrace backtest --out=a\\ folder/');
    const other = await typed('bash --norc --noprofile -i', setup, 'millrace run pack\t');
    expect(other).toContain('millrace run package.json ');
  });

  test('bash completes the command by its path too', async () => {
    const shown = await typed(
      'bash --norc --noprofile -i',
      'source <(millrace completion bash)',
      './bin/millrace doct\t',
    );
    expect(shown).toContain('./bin/millrace doctor ');
  });

  const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

  test.skipIf(!has('zsh'))('zsh completes the same', async () => {
    const setup = 'autoload -Uz compinit; compinit -u -D; source <(millrace completion zsh)';
    const shown = await typed('zsh -f -i', setup, ...COMMANDS);
    expect(shown).toMatch(COMPLETED);
  });

  test.skipIf(!has('fish'))('fish completes the same', () => {
    const ask = (line: string): string =>
      spawnSync(
        'fish',
        ['--no-config', '-c', `millrace completion fish | source; complete -C'${line}'`],
        {
          cwd,
          encoding: 'utf8',
          env: { ...process.env, PATH: [bin, process.env['PATH']].join(delimiter), HOME: cwd },
        },
      ).stdout;
    expect(ask('millrace backt')).toMatch(/^backtest\t/);
    expect(ask('millrace backtest --strategy my')).toMatch(/^my-strategy$/m);
    expect(ask('millrace backtest -s my-strategy --set per')).toMatch(/^period=\t/);
    expect(ask('millrace backtest --out=a')).toMatch(/^--out=a folder\//);
  });
});
