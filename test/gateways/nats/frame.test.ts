import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFrame, encodeFrame } from '../../../src/gateways/nats/frame.ts';
import { EventRows } from '../../../src/gateways/rows.ts';
import type { EventColumns } from '../../../src/model/events.ts';
import { MillraceError } from '../../../src/model/errors.ts';

/** Whole numbers mostly, and what must come through all the same. */
const number = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer({ min: 1_700_000_000_000_000, max: 1_700_000_000_100_000 }),
  fc.integer({ min: -300, max: 300 }),
  fc.double(),
);
const row = fc.tuple(
  ...([number, number] as const),
  ...([fc.nat(255), fc.nat(255)] as const),
  ...([number, number, number, number, number, number] as const),
);
const rowsOf = fc.array(row, { maxLength: 40 }).map((all) => {
  const rows = new EventRows();
  for (const one of all) rows.add(...one);
  return rows.columns;
});

const table = (columns: EventColumns, from: number, till: number): readonly number[][] =>
  Object.entries(columns).flatMap(([name, column]) =>
    name === 'length' ? [] : [[...(column as Float64Array).subarray(from, till)]],
  );

describe('a message of a market', () => {
  it('gives the rows back as they were, and any part of them', () => {
    fc.assert(
      fc.property(
        rowsOf,
        fc.nat(),
        fc.nat(),
        fc.maxSafeNat(),
        fc.string(),
        (rows, a, b, n, text) => {
          const [from = 0, till = 0] = [a, b]
            .map((each) => each % (rows.length + 1))
            .toSorted((one, other) => one - other);
          const bytes = encodeFrame({ kind: 'rows', run: n, sequence: n, text, rows }, from, till);
          const read = decodeFrame(bytes);
          expect(read).toMatchObject({ kind: 'rows', run: n, sequence: n });
          expect(read.text).toBe(Buffer.from(text).toString());
          const length = read.rows?.length ?? -1;
          expect(length).toBe(till - from);
          expect(read.rows && table(read.rows, 0, length)).toEqual(table(rows, from, till));
        },
      ),
    );
  });

  it('takes fewer than 64 bytes for a trade', () => {
    const rows = new EventRows();
    rows.add(1_767_225_600_000_250, 1_767_225_600_000_000, 1, 3, 4_711_000, 9_812_345, 20, 0, 0, 0);
    const { length } = encodeFrame({ kind: 'rows', run: 5, sequence: 9, rows: rows.columns });
    expect(length).toBeLessThan(64);
  });

  it('is refused, or read as another message, where its bytes are not what was sent', () => {
    fc.assert(
      fc.property(rowsOf, fc.nat(), fc.nat(255), fc.boolean(), (rows, at, byte, isCut) => {
        const bytes = encodeFrame({ kind: 'rows', run: 1, sequence: 1, rows });
        bytes[at % bytes.length] = byte;
        const broken = isCut ? bytes.subarray(0, at % bytes.length) : bytes;
        try {
          decodeFrame(broken);
        } catch (error) {
          expect(error).toBeInstanceOf(MillraceError);
        }
      }),
    );
    expect(() => decodeFrame(Uint8Array.of(2, 0))).toThrow(/version 1 of this form/);
    expect(() => decodeFrame(new Uint8Array())).toThrow(MillraceError);
  });
});
