import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { merge } from '../../src/feeds/merge.ts';
import { eventColumns, type EventColumns } from '../../src/model/events.ts';
import { micros, type Micros } from '../../src/platform/time.ts';

/** Batches of times of receipt; the price of a row is its number in its recording. */
type Batches = readonly (readonly number[])[];

/** Stands for a recording: the columns are refilled for each batch, as a reader does. */
const recordingOf = (
  batches: Batches,
): { batches(): Generator<EventColumns, void, undefined>; closed: boolean } => ({
  closed: false,
  *batches() {
    const columns = eventColumns(Math.max(0, ...batches.map((batch) => batch.length)));
    let number = 0;
    try {
      for (const batch of batches) {
        columns.length = batch.length;
        columns.receivedAt.set(batch);
        for (let row = 0; row < batch.length; row += 1) columns.price[row] = number++;
        yield columns;
      }
    } finally {
      this.closed = true;
    }
  },
});

interface Span {
  readonly from?: Micros;
  readonly till?: Micros;
}

type Taken = readonly [source: number, number: number];

function merged(sources: readonly Batches[], span?: Span): Taken[] {
  const taken: Taken[] = [];
  for (const segment of merge(sources.map(recordingOf), span)) {
    expect(segment.end).toBeGreaterThan(segment.start);
    for (let row = segment.start; row < segment.end; row += 1) {
      taken.push([segment.source, segment.columns.price[row]]);
    }
  }
  return taken;
}

/** The definition: each row counts as received with the latest before it, then a stable sort. */
function sorted(sources: readonly Batches[], span: Span = {}): Taken[] {
  const rows = sources.flatMap((batches, source) => {
    let latest = Number.NEGATIVE_INFINITY;
    return batches.flat().map((at, number) => {
      latest = Math.max(latest, at);
      return { source, number, at: latest };
    });
  });
  return rows
    .filter(({ at }) => at >= (span.from ?? at) && at < (span.till ?? Number.POSITIVE_INFINITY))
    .sort((a, b) => a.at - b.at || a.source - b.source || a.number - b.number)
    .map(({ source, number }) => [source, number]);
}

const batches = fc.array(fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 5 }), {
  maxLength: 4,
});
const rising = batches.map((list): Batches => {
  const times = list.flat().sort((a, b) => a - b);
  return list.map((batch) => times.splice(0, batch.length));
});
const bound = fc.option(fc.integer({ min: -1, max: 14 }).map(micros), { nil: undefined });

describe('a merge', () => {
  test('gives what a stable sort by time of receipt gives, within its span', () => {
    const sources = fc.array(fc.oneof(rising, batches), { maxLength: 4 });
    fc.assert(
      fc.property(sources, bound, bound, (lists, from, till) => {
        const span = {
          from,
          till,
        };
        expect(merged(lists, span)).toEqual(sorted(lists, span));
      }),
      { numRuns: 2_000 },
    );
  });

  test('never reorders rows of one recording whose time runs backwards', () => {
    expect(merged([[[5, 3, 6]], [[4, 5]]])).toEqual([
      [1, 0],
      [0, 0],
      [0, 1],
      [1, 1],
      [0, 2],
    ]);
  });

  test('of one recording is its batches as they are', () => {
    const recording = recordingOf([[1, 2], [], [9, 3, 4]]);
    const seen = [...merge([recording])].map((segment) => segment.source);
    const runs = [];
    for (const { start, end } of merge([recording])) runs.push([start, end]);
    expect(seen).toEqual([0, 0]);
    expect(runs).toEqual([
      [0, 2],
      [0, 3],
    ]);
  });

  test('makes runs as long as the other recordings and its own batches allow', () => {
    const runs: unknown[] = [];
    for (const { source, start, end } of merge([
      recordingOf([[1, 2, 5], [6]]),
      recordingOf([[2, 3, 4, 7]]),
    ])) {
      runs.push([source, start, end]);
    }
    expect(runs).toEqual([
      [0, 0, 2],
      [1, 0, 3],
      [0, 2, 3],
      [0, 0, 1],
      [1, 3, 4],
    ]);
  });

  test('of nothing is empty', () => {
    expect(merged([])).toEqual([]);
    expect(merged([[], [[]]])).toEqual([]);
  });

  test('closes its recordings when it is left early', () => {
    const recordings = [recordingOf([[1], [2]]), recordingOf([[1]])];
    for (const segment of merge(recordings)) {
      if (segment.source === 0) break;
    }
    expect(recordings.map((recording) => recording.closed)).toEqual([true, true]);
  });
});
