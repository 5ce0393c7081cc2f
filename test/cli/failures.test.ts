import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breakRecordings, SAMPLE } from './broken-recordings.ts';
import { lastJson, millraceHere } from './command.ts';
import { expectToFail, type Case } from './failing.ts';

let folder = '';
let truncated = '';
let damaged = '';
let stranger = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-failures-'));
  ({ truncated, damaged, stranger } = breakRecordings(folder));
  writeFileSync(
    join(folder, 'bad-key.yaml'),
    `stratgey: ema-cross\nrecordings: [${SAMPLE}]\nbalances: { USDT: 1 }\n`,
  );
  writeFileSync(
    join(folder, 'bad-value.yaml'),
    `strategy: ema-cross\nrecordings: [${SAMPLE}]\nbalances:\n  USDT: lots\n`,
  );
  writeFileSync(
    join(folder, 'bad-span.yaml'),
    `strategy: ema-cross\nrecordings: [${SAMPLE}]\nbalances: { USDT: 1 }\nlatency:\n  order: soon\n`,
  );
  const head = `strategy: ema-cross\nrecordings: [${SAMPLE}]\n`;
  writeFileSync(join(folder, 'no-balance.yaml'), `${head}balances: {}\n`);
  writeFileSync(
    join(folder, 'bad-fee.yaml'),
    `${head}balances: { USDT: 1 }\nfees:\n  BTCUSDT: { takerate: 0.1 }\n`,
  );
  writeFileSync(join(folder, 'bad-step.yaml'), `${head}balances: { USDT: 1 }\nsampleEvery: 1us\n`);
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(folder, 'pipe')]);
  writeFileSync(join(folder, 'lacks.ts'), "import 'no-such-package';\n");
  writeFileSync(join(folder, 'odd.ts'), "export default { name: 'Odd One' };\n");
  writeFileSync(join(folder, 'no-strategy.ts'), 'export const nothing = 1;\n');
  writeFileSync(join(folder, 'broken.ts'), 'export default {{{\n');
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const here = (name: string): string => join(folder, name);

const CASES: Readonly<Record<string, Case>> = {
  'a command that is none': {
    args: () => ['backtset'],
    code: 2,
    error: 'usage',
    says: /unknown command 'backtset'[\s\S]*Did you mean backtest/,
  },
  'an option that is none': {
    args: () => ['backtest', '--sed', '3'],
    code: 2,
    error: 'usage',
    says: /unknown option '--sed'[\s\S]*Did you mean one of --seed, --set/,
  },
  'a configuration that is not there': {
    args: () => ['backtest', here('none.yaml')],
    code: 2,
    error: 'config-missing',
    says: /none\.yaml cannot be read/,
  },
  'a wrong key in a configuration': {
    args: () => ['backtest', here('bad-key.yaml')],
    code: 2,
    error: 'config-invalid',
    says: /bad-key\.yaml:1:1: "stratgey" is not a key here\. Did you mean "strategy"\?/,
  },
  'a wrong value in a configuration': {
    args: () => ['backtest', here('bad-value.yaml')],
    code: 2,
    error: 'config-invalid',
    says: /bad-value\.yaml:4:9: balances\.USDT is "lots"; expected a decimal number/,
  },
  'a wrong span in a configuration': {
    args: () => ['backtest', here('bad-span.yaml')],
    code: 2,
    error: 'config-invalid',
    says: /bad-span\.yaml:5:10: latency\.order is "soon"; expected a span such as/,
  },
  'an unknown strategy': {
    args: () => ['backtest', '-s', 'ema-cros'],
    code: 2,
    error: 'strategy-unknown',
    says: /no strategy "ema-cros"\. Did you mean "ema-cross"\?/,
  },
  'a strategy file that is not there': {
    args: () => ['backtest', '-s', here('none.ts')],
    code: 2,
    error: 'strategy-unknown',
    says: /no strategy file .*none\.ts/,
  },
  'a file without a strategy': {
    args: () => ['backtest', '-s', here('no-strategy.ts')],
    code: 2,
    error: 'strategy-invalid',
    says: /has no strategy to run/,
  },
  'a strategy file that does not load': {
    args: () => ['backtest', '-s', here('broken.ts')],
    code: 2,
    error: 'strategy-invalid',
    says: /cannot be loaded/,
  },
  'an unknown parameter': {
    args: () => ['backtest', '-p', 'fsat=3'],
    code: 2,
    error: 'parameter-invalid',
    says: /no parameter "fsat"\. Did you mean "fast"\?/,
  },
  'a parameter out of range': {
    args: () => ['backtest', '-p', 'fast=1'],
    code: 2,
    error: 'parameter-invalid',
    says: /parameter fast is 1; expected a whole number, 2 to 500 \(candles\)/,
  },
  'a parameter without a value': {
    args: () => ['backtest', '-p', 'fast'],
    code: 2,
    error: 'usage',
    says: /--set takes key=value, not "fast"/,
  },
  'an unknown symbol': {
    args: () => ['backtest', '-p', 'symbol=ETHUSDT'],
    code: 2,
    error: 'symbol-unknown',
    says: /ETHUSDT/,
  },
  'a balance that is no number': {
    args: () => ['backtest', '-b', 'USDT=0x10'],
    code: 2,
    error: 'decimal-invalid',
    says: /"0x10" is not a decimal number/,
  },
  'a negative balance': {
    args: () => ['backtest', '-b', 'USDT=-1'],
    code: 2,
    error: 'out-of-range',
    says: /balance of USDT is -1/,
  },
  'a seed that is no whole number': {
    args: () => ['backtest', '--seed', '1.5'],
    code: 2,
    error: 'usage',
    says: /--seed takes a whole number, not "1\.5"/,
  },
  'a fee that is no fraction': {
    args: () => ['backtest', '--take-rate', '2'],
    code: 2,
    error: 'instrument-invalid',
    says: /takeRate is "2" and must be a fraction/,
  },
  'a time that is none': {
    args: () => ['backtest', '--from', 'noon'],
    code: 2,
    error: 'usage',
    says: /--from takes a time such as/,
  },
  'a recording that is not there': {
    args: () => ['backtest', '-r', here('none.arrow')],
    code: 1,
    error: 'file-missing',
    says: /none\.arrow/,
  },
  'a truncated recording': {
    args: () => ['backtest', '-r', truncated],
    code: 1,
    error: 'recording-truncated',
    says: /truncated\.arrow/,
  },
  'a damaged recording': {
    args: () => ['backtest', '-r', damaged],
    code: 1,
    error: 'recording-invalid',
    says: /damaged\.arrow/,
  },
  'a file that is no recording': {
    args: () => ['backtest', '-r', stranger],
    code: 1,
    error: 'recording-',
    says: /notes\.arrow/,
  },
  'an account with nothing in it': {
    args: () => ['backtest', here('no-balance.yaml')],
    code: 2,
    error: 'config-invalid',
    says: /no-balance\.yaml:3:11: balances is \{\}; expected at least one currency/,
  },
  'a misspelt fee of a symbol': {
    args: () => ['backtest', here('bad-fee.yaml')],
    code: 2,
    error: 'config-invalid',
    says: /:5:14: "takerate" is not a key here\. Did you mean "takeRate"\?/,
  },
  'samples too near each other': {
    args: () => ['backtest', here('bad-step.yaml')],
    code: 2,
    error: 'config-invalid',
    says: /:4:14: sampleEvery is "1us"; expected a span of a second or more/,
  },
  'a configuration that is a folder': {
    args: () => ['backtest', folder],
    code: 2,
    error: 'config-missing',
    says: /cannot be read \(it is not a regular file\)/,
  },
  'a parameter said twice': {
    args: () => ['backtest', '-p', 'fast=1', '-p', 'fast=5'],
    code: 2,
    error: 'usage',
    says: /--set takes one value for each key; fast is given twice/,
  },
  'a balance said twice': {
    args: () => ['backtest', '-b', 'USDT=1', 'USDT=2'],
    code: 2,
    error: 'usage',
    says: /--balance takes one value for each key; USDT is given twice/,
  },
  'a strategy that lacks a package': {
    args: () => ['backtest', '-s', here('lacks.ts')],
    code: 2,
    error: 'strategy-invalid',
    says: /no-such-package/,
  },
  'a strategy with a name that is none': {
    args: () => ['backtest', '-s', here('odd.ts')],
    code: 2,
    error: 'strategy-invalid',
    says: /odd\.ts has no strategy to run\. "Odd One" is no name for a strategy/,
  },
  'results that go to an empty name': {
    args: () => ['backtest', '--out', ''],
    code: 2,
    error: 'usage',
    says: /--out takes a path, and was given an empty one/,
  },
  'results that go where a file is': {
    args: () => ['backtest', '--out', stranger],
    code: 1,
    error: 'file-unwritable',
    says: /No results can be written to .*notes\.arrow/,
  },
  'results that go below a file': {
    args: () => ['backtest', '--out', join(stranger, 'runs')],
    code: 1,
    error: 'file-unwritable',
    says: /No results can be written to .*notes\.arrow/,
  },
  'telling of an unknown strategy': {
    args: () => ['strategies', 'nobody'],
    code: 2,
    error: 'strategy-unknown',
    says: /no strategy "nobody"/,
  },
};

/** To open one of these that nobody writes to would wait for ever. */
const PIPES: Readonly<Record<string, Case>> = {
  'a recording that is a named pipe': {
    args: () => ['backtest', '-r', here('pipe')],
    code: 1,
    error: 'file-missing',
    says: /pipe cannot be read \(it is not a regular file\)/,
  },
  'a configuration that is a named pipe': {
    args: () => ['backtest', here('pipe')],
    code: 2,
    error: 'config-missing',
    says: /pipe cannot be read \(it is not a regular file\)/,
  },
};

describe('a command ends in one sentence, without a stack trace and with nothing left behind, for', () => {
  test.each(Object.entries(CASES))('%s', async (_, each) => {
    await expectToFail(each, folder);
  });

  test.skipIf(process.platform === 'win32').each(Object.entries(PIPES))('%s', async (_, each) => {
    await expectToFail(each, folder);
  });
});

test.each([
  [['backtest', '--json', '-s', 'nobody'], { code: 'strategy-unknown' }],
  [['backtset', '--json'], { code: 'usage', message: expect.stringMatching(/^unknown command/) }],
])('with --json the failure of %j is one JSON line on the output too', async (args, error) => {
  const ended = await millraceHere(args);
  expect(lastJson(ended)).toMatchObject({ error });
  expect(ended.code).toBe(2);
});
