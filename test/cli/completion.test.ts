import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { program } from '../../src/cli/program.ts';
import { terminal } from '../../src/cli/terminal.ts';
import { project } from '../kit/project.ts';
import { suiteFolder } from '../kit/recordings.ts';
import { millraceHere } from './command.ts';

const cwd = suiteFolder();
/** Where shells find `millrace`. */
const bin = join(cwd, 'bin');

const STRATEGY = readFileSync('templates/strategy/strategies/my-strategy.ts', 'utf8');

beforeAll(() => {
  project(cwd);
  mkdirSync(join(cwd, 'strategies'));
  mkdirSync(join(cwd, 'a folder'));
  writeFileSync(join(cwd, 'strategies/my-strategy.ts'), STRATEGY);
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

/** Values of which nothing is known: numbers, times, names that are yet to be given. */
const FREE = [
  '--ack-wait span',
  '--balance currency=amount',
  '--bars count',
  '--base-currency currency',
  '--base-url url',
  '--ccxt exchange',
  '--ccxt-config json',
  '--column field=name',
  '--confirm id',
  '--constraint conditions',
  '--contract-size decimal',
  '--duration span',
  '--examples count',
  '--fee-currency currency',
  '--flush span',
  '--from day',
  '--from time',
  '--gap span',
  '--host address',
  '--interval interval',
  '--keys list',
  '--make-rate fraction',
  '--min-notional decimal',
  '--name name',
  '--nats url',
  '--order id',
  '--order-latency span',
  '--parallel count',
  '--passphrase-env name',
  '--port number',
  '--quantity-increment decimal',
  '--quote-currency currency',
  '--quote-size decimal',
  '--report-latency span',
  '--rotate span|size',
  '--secret name',
  '--seed number',
  '--silence span',
  '--since when',
  '--start time',
  '--step span',
  '--symbol symbol',
  '--symbols symbol',
  '--take-rate fraction',
  '--test span',
  '--threads number',
  '--tick-size decimal',
  '--till day',
  '--till time',
  '--top number',
  '--train span',
  '--trials number',
  '--type type',
  '--url address',
  '--url origin',
  '--venue name',
  '--warm-up span',
  '--workers number',
  '--ws-url url',
  '--zone zone',
  'exchange',
  'name',
  'symbol',
  'words',
];

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
  expect(free).toEqual(FREE);
});

/** Gives shells a terminal. */
const hasTerminals = existsSync('/usr/bin/script');

describe('a real shell', () => {
  const BASH = ['bash --norc --noprofile -i', 'source <(millrace completion bash)'] as const;

  /**
   * Types into an interactive shell, TAB among it, and waits each time until the terminal shows what is
   * expected. Fails where it does not.
   */
  async function typed(
    [command, setup]: readonly [command: string, setup: string],
    ...steps: readonly (readonly [keys: string, expected: string | RegExp])[]
  ): Promise<void> {
    const env = { ...process.env, PATH: PATH(), HOME: cwd, TERM: 'dumb' };
    const child = spawn('script', ['-qec', command, '/dev/null'], { cwd, env });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    let shown = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
    });
    const READY = ['echo re""ady', /^ready\r?$/m] as const;
    for (const [keys, expected] of [[`${setup}; ${READY[0]}\n`, READY[1]] as const, ...steps]) {
      shown = shown.slice(-LINE);
      child.stdin.write(keys);
      // What a terminal shows has spaces that are taken back.
      await expect
        .poll(() => shown.replaceAll(' \b', '').replaceAll('\b', ''), POLL)
        .toMatch(expected);
    }
  }
  /** Characters of a line that stand before what is typed next. */
  const LINE = 200;
  const POLL = { timeout: 60_000, interval: 50 };
  const PATH = (): string => [bin, process.env['PATH']].join(delimiter);

  const COMMANDS = [
    ['millrace backt\t', /millrace backtest ?$/],
    ['--strat\t', /--strategy ?$/],
    ['my-\t', /my-strategy ?$/],
    ['--set per\t', /--set period=$/],
    ['M5 \t\t', /fast= +period= +share= +slow= +symbol=/],
  ] as const;

  test.skipIf(!hasTerminals)(
    'bash completes commands, options, strategies and parameters',
    async () => {
      await typed(BASH, ...COMMANDS);
    },
  );

  test.skipIf(!hasTerminals)('bash completes paths, behind = too', async () => {
    await typed(BASH, ['millrace backtest --out=a\t', '--out=a\\ folder/']);
    await typed(BASH, ['millrace run pack\t', 'millrace run package.json ']);
  });

  test.skipIf(!hasTerminals)('bash completes the command by its path too', async () => {
    await typed(BASH, ['./bin/millrace doct\t', './bin/millrace doctor ']);
  });

  const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

  /** What the function of the script hands to zsh, whose own commands print their arguments here. */
  const ZSH = `
compdef() { : }
compset() { : }
compadd() { print -rl -- "\${(@P)@[-1]}" }
_files() { print -r -- files "$@" }
source <(millrace completion zsh)
words=("$@")
CURRENT=$#
_millrace
`;

  test.skipIf(!has('zsh'))('zsh completes the same', () => {
    const ask = (...words: readonly string[]): readonly string[] => {
      const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', ZSH, 'zsh', 'millrace', ...words], {
        cwd,
        encoding: 'utf8',
        env: { ...process.env, PATH: PATH(), HOME: cwd },
      });
      expect(stderr).toBe('');
      return stdout.trimEnd().split('\n');
    };
    expect(ask('backt')).toEqual(['backtest']);
    expect(ask('backtest', '--strategy', 'my')).toEqual(['my-strategy', 'files']);
    expect(ask('backtest', '-s', 'my-strategy', '--set', 'per')).toEqual(['period=']);
    expect(ask('backtest', '--out', '')).toEqual(['files -/']);
  });

  test.skipIf(!has('fish'))('fish completes the same', () => {
    const ask = (line: string): string =>
      spawnSync(
        'fish',
        ['--no-config', '-c', `millrace completion fish | source; complete -C'${line}'`],
        {
          cwd,
          encoding: 'utf8',
          env: { ...process.env, PATH: PATH(), HOME: cwd },
        },
      ).stdout;
    expect(ask('millrace backt')).toMatch(/^backtest\t/);
    expect(ask('millrace backtest --strategy my')).toMatch(/^my-strategy$/m);
    expect(ask('millrace backtest -s my-strategy --set per')).toMatch(/^period=\t/);
    expect(ask('millrace backtest --out=a')).toMatch(/^--out=a folder\//);
  });
});
