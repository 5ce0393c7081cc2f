import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import CoverageTable, { folderOf, percent } from './coverage-table.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('a file counts for its folder of src, however deep it lies', () => {
  expect(folderOf('src/engine/orders/order-manager.ts')).toBe('src/engine/');
  expect(folderOf('src/engine/desk.ts')).toBe('src/engine/');
  expect(folderOf('src/index.ts')).toBe('src/');
});

test('a percentage is rounded down, so that only everything is 100', () => {
  expect(percent({ covered: 9_999, total: 10_000 })).toBe('99.9');
  expect(percent({ covered: 10_000, total: 10_000 })).toBe('100.0');
  expect(percent({ covered: 0, total: 0 })).toBe('100.0');
});

test('the table adds up the files of each folder and sorts the folders', () => {
  const leaf = (path: string, covered: number, total: number) => ({
    isSummary: () => false,
    getChildren: () => [],
    getFileCoverage: () => ({
      path: join(process.cwd(), path),
      toSummary: () => ({
        lines: { covered, total },
        branches: { covered: 0, total: 1 },
        functions: { covered: 1, total: 1 },
      }),
    }),
  });
  const leaves = [
    leaf('src/rules/a.ts', 1, 1),
    leaf('src/model/a.ts', 1, 4),
    leaf('src/model/b/c.ts', 2, 4),
  ];
  const root = { ...leaf('', 0, 0), isSummary: () => true, getChildren: () => leaves };
  let printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  new CoverageTable().execute({ getTree: () => ({ getRoot: () => root }) });
  expect(printed.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
    ['folder', '% lines', '% branches', '% functions'],
    ['src/model/', '37.5', '0.0', '100.0'],
    ['src/rules/', '100.0', '0.0', '100.0'],
    [''],
  ]);
});
