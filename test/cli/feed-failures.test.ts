import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breakRecordings, SAMPLE } from './broken-recordings.ts';
import { millraceHere } from './command.ts';
import { expectToFail, type Case } from './failing.ts';

let folder = '';
let truncated = '';
let damaged = '';
let stranger = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-failures-'));
  ({ truncated, damaged, stranger } = breakRecordings(folder));
  writeFileSync(
    join(folder, 'bad.csv'),
    'timestamp,open,high,low,close,volume\n2024-01-01T00:00:00Z,1,2,0.5,1.5,10\n2024-01-01T00:01:00Z,1,2,x,1.5,10\n',
  );
  mkdirSync(join(folder, 'empty'));
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(folder, 'pipe')]);
  if (process.platform !== 'win32') execFileSync('mkfifo', [here('begun.arrow.part')]);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const here = (name: string): string => join(folder, name);

const CASES: Readonly<Record<string, Case>> = {
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
    args: () => ['feed', 'import', '--format', 'csv', 'x', '-o', here('out')],
    code: 2,
    error: 'usage',
    says: /There is no format "csv"\. There are binance-raw/,
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
  'inspecting a folder without recordings': {
    args: () => ['feed', 'inspect', here('empty')],
    code: 1,
    error: 'file-missing',
    says: /There are no recordings in .*empty/,
  },
  'checking a folder without recordings': {
    args: () => ['feed', 'check', here('empty')],
    code: 1,
    error: 'file-missing',
    says: /There are no recordings in .*empty/,
  },
  'checking with a silence that is none': {
    args: () => ['feed', 'check', SAMPLE, '--silence', 'long'],
    code: 2,
    error: 'usage',
    says: /--silence takes a span/,
  },
  'generating to an empty name': {
    args: () => ['feed', 'generate', '-o', ''],
    code: 2,
    error: 'usage',
    says: /--out takes a path/,
  },
  'generating over a folder, even by force': {
    args: () => ['feed', 'generate', '--force', '-o', here('empty')],
    code: 2,
    error: 'file-exists',
    says: /empty is a folder/,
  },
  'generating to a folder that is not there': {
    args: () => ['feed', 'generate', '-o', `${here('nowhere')}/`],
    code: 2,
    error: 'file-exists',
    says: /nowhere\/ names a folder/,
  },
  'generating for no time': {
    args: () => ['feed', 'generate', '-o', here('g.arrow'), '--duration', '0s'],
    code: 2,
    error: 'usage',
    says: /--duration takes a span/,
  },
  'generating from a time that is none': {
    args: () => ['feed', 'generate', '-o', here('g.arrow'), '--start', 'noon'],
    code: 2,
    error: 'usage',
    says: /--start takes a time/,
  },
  'generating no candles': {
    args: () => ['feed', 'generate', '-o', here('g.arrow'), '--bars', '0'],
    code: 2,
    error: 'usage',
    says: /--bars takes a number of candles above 0/,
  },
  'generating with a shape of the wrong type': {
    args: () => ['feed', 'generate', '-o', here('g.arrow'), '-p', 'levels=many'],
    code: 2,
    error: 'usage',
    says: /--set levels takes a number, not "many"/,
  },
  'generating with a shape that is no number': {
    args: () => ['feed', 'generate', '-o', here('g.arrow'), '-p', 'levels=.nan'],
    code: 2,
    error: 'parameter-invalid',
    says: /levels is NaN and must be a whole number from 1 to 1000/,
  },
  'generating candles beyond measure': {
    args: () => ['feed', 'generate', '-o', here('g.arrow'), '--bars', '9', '-p', 'stepTicks=1e308'],
    code: 2,
    error: 'parameter-invalid',
    says: /stepTicks is 1e\+308/,
  },
  'importing under a name that leads elsewhere': {
    args: () => ['feed', 'import', 'ohlcv-csv', here('bad.csv'), '-o', here('out'), '-n', '../x'],
    code: 2,
    error: 'usage',
    says: /--name takes the name of a file without folders, not "\.\.\/x"/,
  },
};

/** To open one of these that nobody writes to would wait for ever. */
const PIPES: Readonly<Record<string, Case>> = {
  'inspecting a named pipe': {
    args: () => ['feed', 'inspect', here('pipe')],
    code: 1,
    error: 'file-missing',
    says: /pipe cannot be read \(it is not a regular file\)/,
  },
  'checking a named pipe': {
    args: () => ['feed', 'check', here('pipe')],
    code: 1,
    error: 'file-missing',
    says: /pipe cannot be read \(it is not a regular file\)/,
  },
  'generating over a named pipe, even by force': {
    args: () => ['feed', 'generate', '--force', '-o', here('pipe')],
    code: 2,
    error: 'file-exists',
    says: /pipe is not a regular file/,
  },
  'generating where an unfinished file is a named pipe': {
    args: () => ['feed', 'generate', '-o', here('begun.arrow')],
    code: 2,
    error: 'file-exists',
    says: /begun\.arrow\.part is not a regular file/,
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

test('inspecting reports every folder without recordings', async () => {
  mkdirSync(here('bare'));
  const ended = await millraceHere(['feed', 'inspect', here('empty'), here('bare')]);
  expect(ended.err.match(/There are no recordings in/g)).toHaveLength(2);
});

test('checking goes on after a damaged file and gives a verdict for each', async () => {
  const paths = [damaged, here('none.arrow'), SAMPLE, truncated];
  const { code, out, err } = await millraceHere(['feed', 'check', ...paths]);
  expect(code).toBe(1);
  expect(out.split('\n').filter((line) => line.includes('.arrow: '))).toEqual([
    expect.stringContaining('damaged.arrow: not read (recording-invalid)'),
    expect.stringContaining('none.arrow: not read (file-missing)'),
    expect.stringContaining('BTCUSDT.arrow: '),
    expect.stringContaining('truncated.arrow: not read (recording-truncated)'),
  ]);
  expect(err.match(/^error \[/gm)).toHaveLength(3);
  expect(err).not.toContain('BTCUSDT.arrow');
});

test('checking a folder reads the sound recordings beside the bad ones', async () => {
  mkdirSync(here('mixed'));
  const { truncated: bad } = breakRecordings(here('mixed'));
  copyFileSync(SAMPLE, join(here('mixed'), 'sound.arrow'));
  const { code, out } = await millraceHere(['feed', 'check', '--json', here('mixed')]);
  expect(code).toBe(1);
  const lines = out.trimEnd().split('\n');
  const found = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(found).toContainEqual(
    expect.objectContaining({
      path: bad,
      error: expect.objectContaining({ code: 'recording-truncated' }) as unknown,
    }),
  );
  expect(found).toContainEqual(
    expect.objectContaining({ path: join(here('mixed'), 'sound.arrow'), faults: 0 }),
  );
});

test('inspecting goes on after a bad file too', async () => {
  const { code, out } = await millraceHere(['feed', 'inspect', truncated, SAMPLE]);
  expect(code).toBe(1);
  expect(out).toContain('BTCUSDT');
});
