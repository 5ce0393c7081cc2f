import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { COLUMNS } from '../../src/feeds/layout.ts';
import { describe as textsOf, KEY } from '../../src/feeds/metadata.ts';
import { CHECKS } from '../../src/feeds/quality/checks.ts';
import { candlesMeta } from '../kit/metas.ts';

const PAGE = readFileSync(
  fileURLToPath(new URL('../../docs/recordings.md', import.meta.url)),
  'utf8',
);

/** Cells of the table whose head begins with these words, white space folded. */
function table(...head: string[]): string[][] {
  const lines = PAGE.split('\n').map((line) =>
    line.startsWith('|')
      ? line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim())
      : [],
  );
  const start = lines.findIndex((cells) => head.every((word, i) => cells.at(i) === word));
  const end = lines.findIndex((cells, i) => i > start && cells.length === 0);
  return start < 0 ? [] : lines.slice(start + 2, end);
}

const code = (text: string): string => text.replaceAll('`', '');

describe('docs/recordings.md', () => {
  test('lists the columns of the file', () => {
    const listed = table('column', 'type').map(([name, type]) => [code(name), type]);
    const types = COLUMNS.events.map((column) => {
      if (column.width === 1) return [column.name, 'uint8'];
      return [column.name, column.time ? 'timestamp[us, UTC]' : 'int64'];
    });
    expect(listed).toEqual(types);
    for (const { name } of COLUMNS.candles) expect(PAGE).toContain(`\`${name}\``);
  });

  test('lists the keys of the metadata', () => {
    expect(table('key').map(([key]) => code(key))).toEqual([
      ...textsOf(candlesMeta()).keys(),
      KEY.summary,
    ]);
  });

  test('lists the kinds of the legend', () => {
    const legend = JSON.parse(textsOf(candlesMeta()).get(KEY.legend) ?? '') as {
      readonly kind: Readonly<Record<string, string>>;
    };
    const listed = table('`kind`', 'name').map(([number, name]) => [number, name]);
    const known = Object.entries(legend.kind).map(([number, text]) => [number, text.split(':')[0]]);
    expect([...listed, ['6', 'candle']]).toEqual(known);
  });

  test('lists the checks with their severity and meaning', () => {
    const listed = table('check').map(([name, severity, means]) => [code(name), severity, means]);
    expect(listed).toEqual(
      Object.entries(CHECKS).map(([name, { severity, means }]) => [name, severity, means]),
    );
  });
});
