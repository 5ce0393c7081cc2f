import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lastJson, millrace } from '../kit/command.ts';

const SAMPLE = resolve('config/sample/BTCUSDT.arrow');

let folder = '';
let truncated = '';
let damaged = '';
let stranger = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-failures-'));
  const bytes = readFileSync(SAMPLE);
  truncated = join(folder, 'truncated.arrow');
  writeFileSync(truncated, bytes.subarray(0, bytes.length / 2));
  damaged = join(folder, 'damaged.arrow');
  const flipped = Buffer.from(bytes);
  flipped.fill(0xff, 100_000, 100_064);
  writeFileSync(damaged, flipped);
  stranger = join(folder, 'notes.arrow');
  writeFileSync(stranger, 'these are not candles\n');
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
  writeFileSync(
    join(folder, 'bad.csv'),
    'timestamp,open,high,low,close,volume\n2024-01-01T00:00:00Z,1,2,0.5,1.5,10\n2024-01-01T00:01:00Z,1,2,x,1.5,10\n',
  );
  writeFileSync(join(folder, 'no-strategy.ts'), 'export const nothing = 1;\n');
  writeFileSync(join(folder, 'broken.ts'), 'export default {{{\n');
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const here = (name: string): string => join(folder, name);

interface Case {
  readonly args: () => readonly string[];
  readonly code: 1 | 2;
  readonly error: string;
  readonly says: RegExp;
}

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
  'inspecting a recording that is not there': {
    args: () => ['feed', 'inspect', here('none.arrow')],
    code: 1,
    error: 'file-missing',
    says: /none\.arrow/,
  },
  'checking a truncated recording': {
    args: () => ['feed', 'check', truncated],
    code: 1,
    error: 'recording-truncated',
    says: /truncated\.arrow/,
  },
  'checking a damaged recording': {
    args: () => ['feed', 'check', damaged],
    code: 1,
    error: 'recording-invalid',
    says: /damaged\.arrow/,
  },
  'an unknown format': {
    args: () => ['feed', 'import', 'csv', 'x', '-o', here('out')],
    code: 2,
    error: 'usage',
    says: /Allowed choices are binance-raw/,
  },
  'importing a file that is not there': {
    args: () => ['feed', 'import', 'ohlcv-csv', here('none.csv'), '-o', here('out')],
    code: 1,
    error: 'file-missing',
    says: /none\.csv/,
  },
  'importing a file with a bad line': {
    args: () => [
      'feed',
      'import',
      'ohlcv-csv',
      here('bad.csv'),
      '--symbol',
      'BTCUSDT',
      '-o',
      here('out'),
    ],
    code: 1,
    error: 'import-invalid',
    says: /bad\.csv:3/,
  },
  'importing without a place to go': {
    args: () => ['feed', 'import', 'ohlcv-csv', here('bad.csv')],
    code: 2,
    error: 'usage',
    says: /required option '-o, --out <folder>' not specified/,
  },
  'generating over a file that is there': {
    args: () => ['feed', 'generate', '-o', stranger],
    code: 2,
    error: 'file-exists',
    says: /is there already\. Add --force/,
  },
  'generating with an unknown shape': {
    args: () => ['feed', 'generate', '-o', here('g.arrow'), '-p', 'levls=3'],
    code: 2,
    error: 'usage',
    says: /no "levls"\. Did you mean "levels"\?/,
  },
  'telling of an unknown strategy': {
    args: () => ['strategies', 'nobody'],
    code: 2,
    error: 'strategy-unknown',
    says: /no strategy "nobody"/,
  },
};

describe.concurrent(
  'a command ends in one sentence, without a stack trace and with nothing left behind, for',
  () => {
    test.each(Object.entries(CASES))('%s', async (_, { args, code, error, says }) => {
      const work = mkdtempSync(join(folder, 'work-'));
      copyFileSync('config/backtest.yaml', join(work, 'run.yaml'));
      const given = args();
      const out = given[0] === 'backtest' ? ['--out', join(work, 'runs')] : [];
      const ended = await millrace([...given, ...out]);
      expect(ended.err).toMatch(says);
      expect(ended.err).toContain(`[${error}`);
      expect(ended.err).not.toMatch(/^\s+at /m);
      expect(ended.code).toBe(code);
      expect(ended.out).toBe('');
      expect(readdirSync(work)).toEqual(['run.yaml']);
      expect(readdirSync(folder).filter((name) => /^out$|^g\.arrow|\.part$/.test(name))).toEqual(
        [],
      );
    });
  },
);

test('with --json a failure is one JSON line on the output too', async () => {
  const ended = await millrace(['backtest', '--json', '-s', 'nobody']);
  expect(lastJson(ended)).toMatchObject({ error: { code: 'strategy-unknown' } });
  expect(ended.code).toBe(2);
});
