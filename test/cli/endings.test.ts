import {
  existsSync,
  mkdtempSync,
  openSync,
  closeSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateRecording } from '../../src/feeds/generator.ts';
import { SAMPLE } from '../../src/feeds/synthetic/sample.ts';
import { millrace, startedHere } from './command.ts';
import { started } from './process.ts';
import { there } from '../kit/patience.ts';

let folder = '';
let recording = '';

const here = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-endings-'));
  recording = here('short.arrow');
  generateRecording(recording, { ...SAMPLE, durationUs: 60_000_000 });
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const strategy = (name: string, before: string, inRun: string): string => {
  const path = here(`${name}.ts`);
  writeFileSync(
    path,
    `import { NEVER } from 'rxjs';
     import { defineStrategy, z } from 'millrace';
     ${before}
     export default defineStrategy({
       name: '${name}', summary: 'Goes wrong.', parameters: z.object({}),
       run: () => { ${inRun}; return NEVER; },
     });`,
  );
  return path;
};

describe.concurrent('a command ends in one sentence, with nothing left behind, when a strategy', () => {
  test.each([
    [
      'leaves-promise',
      '',
      "Promise.reject(new Error('floating'))",
      1,
      /^error \[strategy-failed\] .* was stopped by leaves-promise\.ts:6: .*: floating$/,
    ],
    [
      'leaves-timer',
      '',
      "setTimeout(() => { throw new Error('late') })",
      1,
      /^error \[strategy-failed\] .* was stopped by leaves-timer\.ts:6: .*: late$/,
    ],
    [
      'waits-for-ever',
      'await new Promise(() => {});',
      '',
      2,
      /^error \[strategy-invalid\] .* an await outside its functions never ends$/,
    ],
    [
      'throws-aside',
      "queueMicrotask(() => { throw new Error('aside') });",
      '',
      2,
      /^error \[strategy-invalid\] .*: aside$/,
    ],
    [
      'lacks-package',
      "import 'no-such-package';",
      '',
      2,
      /no-such-package.* imported from .*lacks-package\.ts$/,
    ],
    [
      'lacks-part',
      "import 'millrace/nothing';",
      '',
      2,
      /\.\/nothing.* imported from .*lacks-part\.ts$/,
    ],
  ] as const)('%s', async (name, before, inRun, code, says) => {
    const out = here(`runs-${name}`);
    const path = strategy(name, before, inRun);
    const ended = await millrace(['backtest', '-r', recording, '-s', path, '-o', out]);
    expect(ended.err.trimEnd()).toMatch(says);
    expect({ code: ended.code, out: ended.out }).toEqual({ code, out: '' });
    expect(existsSync(out)).toBe(false);
  });

  test('leaves a timer that would run for ever', async () => {
    const path = strategy('never-rests', '', 'setInterval(() => undefined, 1000)');
    const ended = await millrace(['backtest', '-r', recording, '-s', path, '-o', here('runs')]);
    expect(ended).toMatchObject({ code: 0, err: '' });
  });
});

describe.skipIf(process.platform === 'win32')('a command', () => {
  test('ends quietly when nobody reads on', async () => {
    const { child, ended, err } = started(['feed', 'inspect', recording]);
    child.stdout?.destroy();
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(err()).toBe('');
  });

  test.skipIf(!existsSync('/dev/full'))('says that its output is lost', async () => {
    const full = openSync('/dev/full', 'w');
    const { ended, err } = started(['feed', 'inspect', recording], { stdout: full });
    closeSync(full);
    expect((await ended).code).toBe(1);
    expect(err()).toMatch(/^error \[file-unwritable\] The output cannot be written \(ENOSPC.*\n$/);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('that generates ends at %s and removes what it began', async (signal, code) => {
    const work = mkdtempSync(here('generate-'));
    const path = join(work, 'long.arrow');
    const generating = startedHere(['feed', 'generate', '-o', path, '--duration', '9999d']);
    await there(() => existsSync(`${path}.part`));
    generating.signal(signal);
    const err = `Stopped by ${signal}; nothing was kept.\n`;
    expect(await generating.ended).toEqual({ code, out: '', err });
    expect(readdirSync(work)).toEqual([]);
  });

  test('that imports ends at SIGTERM and removes what it began', async () => {
    const work = mkdtempSync(here('import-'));
    const csv = here('many.csv');
    const rows = Array.from(
      { length: 400_000 },
      (_, i) => `${1_699_999_980 + 60 * i},1,2,0.5,1.5,10`,
    );
    writeFileSync(csv, `timestamp,open,high,low,close,volume\n${rows.join('\n')}\n`);
    const args = ['feed', 'import', 'ohlcv-csv', csv, '--symbol', 'BTCUSDT', '-o', work];
    const importing = startedHere(args);
    await there(() => existsSync(join(work, 'BTCUSDT.arrow.part')));
    importing.signal('SIGTERM');
    expect(await importing.ended).toMatchObject({ code: 143 });
    expect(readdirSync(work)).toEqual([]);
  });
});
