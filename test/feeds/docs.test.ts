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

/** What the lines of the page's lists that have this form name. */
const listed = (form: RegExp): string[][] =>
  Array.from(PAGE.matchAll(form), ([, ...named]) => named);

function legendOf(meta: RecordingMeta): string[][] {
  const { kind } = JSON.parse(textsOf(meta).get(KEY.legend) ?? '') as {
    readonly kind: Readonly<Record<string, string>>;
  };
  return Object.entries(kind).map(([number, text]) => [number, text.split(':')[0]]);
}

describe('docs/recordings.md', () => {
  test('lists the columns of the file', () => {
    const types = COLUMNS.events.map((column) => {
      if (column.width === 1) return [column.name, 'uint8'];
      return [column.name, column.time ? 'timestamp[us, UTC]' : 'int64'];
    });
    expect(listed(/^- `(\w+)` \((.*?)\): /gm)).toEqual(types);
    for (const { name } of COLUMNS.candles) expect(PAGE).toContain(`\`${name}\``);
  });

  test('lists the keys of the metadata', () => {
    expect(listed(/`(millrace\.\w+)`/g).flat()).toEqual([
      ...textsOf({ ...candlesMeta(), instrument: FUTURES, prices: 'mark' }).keys(),
      KEY.summary,
    ]);
  });

  test('lists the kinds of the legend', () => {
    const kinds = listed(/^- (\d+) ([a-z ]+): /gm);
    const own = legendOf(derivativesMeta()).slice(legendOf(candlesMeta()).length);
    const [events, derivatives] = [kinds.slice(0, -own.length), kinds.slice(-own.length)];
    expect([...events, ['6', 'candle']]).toEqual(legendOf(candlesMeta()));
    expect(derivatives).toEqual(own);
  });
});
