import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseConfig, readConfig } from '../../src/config/document.ts';
import { MillraceError } from '../../src/model/errors.ts';

const schema = z.strictObject({
  seed: z.int().min(0).default(1),
  latency: z.strictObject({ orderUs: z.int(), reportUs: z.int() }).optional(),
  recordings: z.array(z.string().min(1)).min(1),
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
      'run.yaml:2:1: "sead" is not a key here. Did you mean "seed"? Expected: seed, latency, recordings, mode.',
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
    ['a missing key', 'seed: 2\n', 'run.yaml:1:1: recordings is missing; expected an array.'],
    [
      'an entry of a list',
      'recordings:\n  - a\n  - 7\n',
      'run.yaml:3:5: recordings.1 is 7; expected a string.',
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

  test('with several mistakes tells the first and counts the rest', () => {
    expect(complaint('seed: x\nmode: y\nrecordings: [a]\n').message).toContain(
      '(1 more like this)',
    );
  });

  test('with a misspelt key tells that before the key that is missing for it', () => {
    expect(complaint('recordigns: [a]\n').message).toContain(
      '"recordigns" is not a key here. Did you mean "recordings"?',
    );
  });

  test('that is not there is refused with its path', () => {
    expect(() => readConfig('no/such.yaml', schema)).toThrow(/no\/such\.yaml cannot be read/);
  });
});
