import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseConfig, readConfig } from '../../src/config/document.ts';
import { MillraceError } from '../../src/model/errors.ts';

const schema = z.strictObject({
  seed: z.int().min(0).default(1),
  latency: z.strictObject({ orderUs: z.int(), reportUs: z.int() }).optional(),
  recordings: z.array(z.string().min(1)).min(1),
  fees: z.record(z.string(), z.strictObject({ takeRate: z.number().optional() })).optional(),
  steps: z.array(z.strictObject({ wait: z.number().optional() })).optional(),
  mode: z.enum(['live', 'paper']).default('paper'),
});

const complaint = (text: string): MillraceError => {
  try {
    parseConfig(text, 'run.yaml', schema);
  } catch (error) {
    if (error instanceof MillraceError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

describe('a configuration file', () => {
  test('gives its values, with defaults where it is silent', () => {
    expect(parseConfig('recordings: [a.arrow]\n', 'run.yaml', schema)).toEqual({
      seed: 1,
      recordings: ['a.arrow'],
      mode: 'paper',
    });
  });

  test.each([
    [
      'a key that is not known',
      'recordings: [a]\nsead: 3\n',
      'run.yaml:2:1: "sead" is not a key here. Did you mean "seed"? Expected: seed, latency, recordings, fees, steps, mode.',
    ],
    [
      'a key that is not known, deeper down',
      'recordings: [a]\nlatency:\n  orderUs: 1\n  reportUs: 2\n  zebra: 1\n',
      'run.yaml:5:3: "zebra" is not a key here. Expected: orderUs, reportUs.',
    ],
    [
      'a value of the wrong type',
      'recordings: [a]\nseed: many\n',
      'run.yaml:2:7: seed is "many"; expected a number.',
    ],
    [
      'a value out of range',
      'seed: -1\nrecordings: [a]\n',
      'run.yaml:1:7: seed is -1; expected at least 0.',
    ],
    [
      'a value that is none of the possible ones',
      'recordings: [a]\nmode: real\n',
      'run.yaml:2:7: mode is "real"; expected one of "live", "paper".',
    ],
    ['a missing key', 'seed: 2\n', 'run.yaml:1:1: recordings is missing; expected a list.'],
    [
      'an entry of a list',
      'recordings:\n  - a\n  - 7\n',
      'run.yaml:3:5: recordings.1 is 7; expected text.',
    ],
    [
      'an empty list',
      'recordings: []\n',
      'run.yaml:1:13: recordings is []; expected at least 1 entry.',
    ],
    [
      'a number too long to be held exactly',
      'recordings: [a]\nseed: 0.12345678901234567\n',
      'run.yaml:2:7: 0.12345678901234567 has more than 15 digits; write it in quotes so that it is kept exactly.',
    ],
    [
      'a hexadecimal number',
      'recordings: [a]\nseed: 0x10\n',
      'run.yaml:2:7: 0x10 is no number here; write digits, such as 16 or 0.001.',
    ],
    [
      'an octal number',
      'recordings: [a]\nseed: 0o7\n',
      'run.yaml:2:7: 0o7 is no number here; write digits, such as 16 or 0.001.',
    ],
    [
      'infinity',
      'recordings: [a]\nseed: -.inf\n',
      'run.yaml:2:7: -.inf is no number here; write digits, such as 16 or 0.001.',
    ],
    [
      'what is no number',
      'recordings: [a]\nseed: .nan\n',
      'run.yaml:2:7: .nan is no number here; write digits, such as 16 or 0.001.',
    ],
    [
      'a number beyond all bounds',
      'recordings: [a]\nseed: 1e400\n',
      'run.yaml:2:7: 1e400 is no number here; write digits, such as 16 or 0.001.',
    ],
    [
      'a number where a whole one belongs',
      'recordings: [a]\nseed: 1.5\n',
      'run.yaml:2:7: seed is 1.5; expected a whole number.',
    ],
    [
      'a prototype',
      'recordings: [a]\nlatency:\n  __proto__: { orderUs: 1 }\n',
      'run.yaml:3:3: "__proto__" is not a key here.',
    ],
    [
      'a key that is a mapping',
      'recordings: [a]\n{ a: 1 }: 2\n',
      'run.yaml:2:1: a key is plain text here.',
    ],
    [
      'an alias of nothing',
      'recordings: [a]\nseed: *nope\n',
      'run.yaml:2:7: nothing before here is named &nope.',
    ],
    ['an alias that holds itself', 'recordings: &a [*a]\n', 'run.yaml:1:17: *a would hold itself.'],
    [
      'a misspelt key of a mapping whose own keys are free',
      'recordings: [a]\nfees:\n  BTCUSDT: { takerate: 1 }\n',
      'run.yaml:3:14: "takerate" is not a key here. Did you mean "takeRate"? Expected: takeRate.',
    ],
    [
      'a misspelt key in a list',
      'recordings: [a]\nsteps:\n  - { wiat: 1 }\n',
      'run.yaml:3:7: "wiat" is not a key here. Did you mean "wait"? Expected: wait.',
    ],
    [
      'a long value',
      `recordings: [a]\nseed: ${'x'.repeat(500)}\n`,
      `run.yaml:2:7: seed is "${'x'.repeat(79)}…; expected a number.`,
    ],
  ])('with %s is refused with file, line, what was read and what is expected', (_, text, says) => {
    const error = complaint(text);
    expect(error.message).toBe(says);
    expect(error.code).toBe('config-invalid');
    expect(error.exitCode).toBe(2);
  });

  test('that is not YAML is refused at the place where it breaks', () => {
    expect(complaint('recordings: [a\nseed: 1\n').message).toMatch(
      /^run\.yaml:\d+:\d+: this is not YAML: /,
    );
  });

  test('with aliases that would grow without end is refused where the first stands', () => {
    const nines = (name: string): string => Array.from({ length: 9 }, () => name).join(', ');
    const bomb = `a: &a [${nines('x')}]\nb: &b [${nines('*a')}]\nc: &c [${nines('*b')}]\nrecordings: [${nines('*c')}]\n`;
    expect(complaint(bomb).message).toMatch(/^run\.yaml:2:8: aliases cannot be followed: /);
  });

  test('with aliases of its own values is read', () => {
    const text = 'seed: &n 3\nrecordings: [a]\nlatency: { orderUs: *n, reportUs: *n }\n';
    expect(parseConfig(text, 'run.yaml', schema)).toMatchObject({
      latency: { orderUs: 3, reportUs: 3 },
    });
  });

  test('with a tag that nobody knows is refused, without a warning beside', () => {
    expect(complaint('recordings: [a]\nseed: !odd 3\n').message).toMatch(
      /^run\.yaml:2:7: this is not YAML: Unresolved tag: !odd/,
    );
  });

  test('with several mistakes reports the first and counts the rest', () => {
    expect(complaint('seed: x\nmode: y\nrecordings: [a]\n').message).toContain(
      '(1 more like this)',
    );
  });

  test('with a misspelt key reports that and not the key that is missing for it', () => {
    expect(complaint('recordigns: [a]\n').message).toContain(
      '"recordigns" is not a key here. Did you mean "recordings"?',
    );
  });

  test('that is not there is refused with its path', () => {
    expect(() => readConfig('no/such.yaml', schema)).toThrow(
      /no\/such\.yaml cannot be read\. Give/,
    );
  });

  test('that is no file is refused with the reason', () => {
    expect(() => readConfig('config', schema)).toThrow(
      /cannot be read \(it is not a regular file\)/,
    );
  });

  test('that is far too large for one is refused unread', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'millrace-config-')), 'large.yaml');
    try {
      writeFileSync(path, 'x'.repeat(2_000_000));
      expect(() => readConfig(path, schema)).toThrow(
        /is no configuration: it has more than 1048576 bytes/,
      );
    } finally {
      rmSync(path);
    }
  });
});
