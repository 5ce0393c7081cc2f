import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ERRORS, MillraceError, type ErrorCode } from '../../src/model/errors.ts';
import { REJECTIONS } from '../../src/model/rejections.ts';

const PAGE = new URL('../../docs/errors.md', import.meta.url);

/** The lines of a list under a heading of the page. */
function linesUnder(heading: string, index = 0): string[] {
  const page = readFileSync(PAGE, 'utf8').split(/^## /m);
  const section = page.find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const lists = section.match(/(?:^- .*\n)+/gm) ?? [];
  return (lists[index] ?? '').trimEnd().split('\n');
}

/** The lines of a list: codes of one meaning stand together. */
function listOf(meanings: readonly (readonly [string, string])[]): string[] {
  const codes = Map.groupBy(meanings, ([, means]) => means);
  return Array.from(codes, ([means, rows]) => {
    return `- ${rows.map(([code]) => `\`${code}\``).join(', ')}: ${means}`;
  });
}

describe('docs/errors.md', () => {
  test.each([2, 1])('lists every error of exit code %i with its meaning, and no other', (exit) => {
    const list = listOf(
      Object.entries(ERRORS)
        .filter(([, error]) => error.exit === exit)
        .map(([code, { means }]) => [code, means] as const),
    );
    expect(
      linesUnder('Errors', exit === 2 ? 0 : 1),
      'the page must have the rows of src/model/errors.ts',
    ).toEqual(list);
  });

  test('lists every rejection of the table with its meaning, and no other', () => {
    const list = listOf(Object.entries(REJECTIONS));
    expect(
      linesUnder('Rejections'),
      'the page must have the rows of src/model/rejections.ts',
    ).toEqual(list);
  });

  test('has kebab-case codes and sentences as meanings', () => {
    for (const [code, meaning] of [
      ...Object.entries(ERRORS).map(([name, { means }]) => [name, means] as const),
      ...Object.entries(REJECTIONS),
    ]) {
      expect(code).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
      expect(meaning, code).toMatch(/^[A-Z].*[^.]\.$/);
    }
  });
});

describe('an error', () => {
  test('carries its code, field, place, cause and exit code', () => {
    const cause = new Error('ENOENT');
    const error = new MillraceError('config-missing', 'There is no file x.yaml; name one.', {
      field: 'config',
      where: 'x.yaml:1',
      cause,
    });
    expect(error).toMatchObject({
      name: 'MillraceError',
      code: 'config-missing',
      message: 'There is no file x.yaml; name one.',
      field: 'config',
      where: 'x.yaml:1',
      cause,
      exitCode: 2,
    });
  });

  test('has no field, place or cause unless given', () => {
    const error = new MillraceError('recording-truncated', 'Record it again.');
    expect(error.field).toBeUndefined();
    expect(error.where).toBeUndefined();
    expect('cause' in error).toBe(false);
    expect(error.exitCode).toBe(1);
  });

  test.each<[ErrorCode, 1 | 2]>([
    ['usage', 2],
    ['strategy-unknown', 2],
    ['symbol-unknown', 2],
    ['config-invalid', 2],
    ['file-missing', 1],
    ['recording-truncated', 1],
    ['import-invalid', 1],
    ['strategy-failed', 1],
    ['internal', 1],
  ])('%s ends a command with exit code %d', (code, exit) => {
    expect(new MillraceError(code, 'Mend it.').exitCode).toBe(exit);
  });
});
