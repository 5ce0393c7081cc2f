import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { COLUMNS } from '../../src/feeds/layout.ts';
import { describe as textsOf, KEY } from '../../src/feeds/metadata.ts';
import type { RecordingMeta } from '../../src/feeds/recording.ts';
import { candlesMeta, derivativesMeta, FUTURES } from '../kit/metas.ts';

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

function legendOf(meta: RecordingMeta): string[][] {
  const { kind } = JSON.parse(textsOf(meta).get(KEY.legend) ?? '') as {
    readonly kind: Readonly<Record<string, string>>;
  };
  return Object.entries(kind).map(([number, text]) => [number, text.split(':')[0]]);
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
      ...textsOf({ ...candlesMeta(), instrument: FUTURES, prices: 'mark' }).keys(),
      KEY.summary,
    ]);
  });

  test('lists the kinds of the legend', () => {
    const known = legendOf(candlesMeta());
    const listed = table('`kind`', 'name', 'meaning').map(([number, name]) => [number, name]);
    expect([...listed, ['6', 'candle']]).toEqual(known);
    const beside = table('`kind`', 'name', '`price`').map(([number, name]) => [number, name]);
    expect([...known, ...beside]).toEqual(legendOf(derivativesMeta()));
  });
});
