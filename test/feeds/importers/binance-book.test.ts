import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BinanceSession } from '../../../src/feeds/importers/binance-session.ts';
import type { RawDiff, RawFrame } from '../../../src/feeds/importers/binance-frame.ts';
import { RowPosition } from '../../../src/feeds/importers/row-position.ts';
import { eventColumns } from '../../../src/model/events.ts';
import { DepthFeed } from '../../../src/model/depth-feed.ts';
import { instrumentOf } from '../../kit/instruments.ts';

/**
 * A made-up venue: update id n sets one bid level. Its stream packs ids into messages; a snapshot
 * shows the book at some id and arrives at some place of the stream.
 */
interface Script {
  /** Update n + 1 sets the level of this price to this size. */
  readonly updates: readonly (readonly [price: number, size: number])[];
  /** How many ids each message holds, in turn. */
  readonly packing: readonly number[];
  readonly snapshots: readonly { readonly id: number; readonly before: number }[];
  /** Messages that were not received. */
  readonly lost: ReadonlySet<number>;
  readonly futures: boolean;
}

const bookAt = (script: Script, id: number): Map<number, number> => {
  const book = new Map<number, number>();
  for (const [price, size] of script.updates.slice(0, id)) {
    if (size === 0) book.delete(price);
    else book.set(price, size);
  }
  return book;
};

const levels = (entries: Iterable<readonly [number, number]>): [string, string][] =>
  [...entries].map(([price, size]) => [String(price), String(size)]);

/** All messages of the stream. */
function messagesOf(script: Script): RawDiff[] {
  const messages: RawDiff[] = [];
  for (let before = 0; before < script.updates.length;) {
    const ids = script.packing[messages.length % script.packing.length];
    const last = Math.min(before + ids, script.updates.length);
    const changed = new Map(script.updates.slice(before, last));
    const bids = levels(changed);
    const { futures } = script;
    const common = { kind: 'diff', symbol: 'BTCUSDT', stampedAt: 0, asks: [] } as const;
    messages.push({ ...common, before, last, futures, bids });
    before = last;
  }
  return messages;
}

function framesOf(script: Script): { frame: RawFrame; missedBefore: boolean }[] {
  const frames: { frame: RawFrame; missedBefore: boolean }[] = [];
  let missed = false;
  messagesOf(script).forEach((frame, index) => {
    for (const { id, before } of script.snapshots) {
      if (before !== index) continue;
      const bids = levels(bookAt(script, id));
      const snapshot: RawFrame = {
        kind: 'snapshot',
        lastUpdateId: id,
        stampedAt: undefined,
        bids,
        asks: [],
      };
      frames.push({ frame: snapshot, missedBefore: false });
    }
    if (script.lost.has(index)) missed = true;
    else {
      frames.push({ frame, missedBefore: missed });
      missed = false;
    }
  });
  return frames;
}

const scripts: fc.Arbitrary<Script> = fc
  .record({
    updates: fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 3 })), {
      minLength: 1,
      maxLength: 40,
    }),
    packing: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }),
    snapshots: fc.array(fc.record({ id: fc.nat(40), before: fc.nat(30) }), { maxLength: 3 }),
    lost: fc.array(fc.nat(30), { maxLength: 3 }).map((list) => new Set(list)),
    futures: fc.boolean(),
  })
  .map((script) => {
    // Brought into the stream, so that nearly every script says something.
    const count = messagesOf({ ...script, lost: new Set() }).length;
    return {
      ...script,
      lost: new Set([...script.lost].map((index) => index % count)),
      snapshots: script.snapshots.map(({ id, before }) => ({
        id: id % (script.updates.length + 1),
        before: before % count,
      })),
    };
  });

/** Plays the frames through the importer into the book that feeds keep. */
class Player {
  readonly feed = new DepthFeed();
  readonly position = new RowPosition();
  readonly #columns = eventColumns(1);
  readonly #terms = instrumentOf({ tickSize: '1', quantityIncrement: '1' }).terms;
  readonly session = new BinanceSession(
    'BTCUSDT',
    this.#terms,
    {
      row: (receivedAt, stampedAt, kind, flags, sequence, price, size) => {
        const columns = this.#columns;
        columns.length = 1;
        columns.receivedAt[0] = receivedAt;
        columns.stampedAt[0] = stampedAt;
        columns.kind[0] = kind;
        columns.flags[0] = flags;
        columns.sequence[0] = sequence;
        columns.price[0] = price;
        columns.size[0] = size;
        this.feed.apply(columns, 0);
      },
    },
    this.position,
  );

  book(): Map<number, number> {
    const { bids } = this.feed.depth;
    return new Map(
      Array.from({ length: bids.length }, (_, rank) => [bids.ticksAt(rank), bids.lotsAt(rank)]),
    );
  }
}

const sorted = (book: Map<number, number>): [number, number][] =>
  [...book].sort(([a], [b]) => b - a);

describe('the book of a captured session', () => {
  test('is at every moment either stale or what the venue had at its sequence', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const player = new Player();
        for (const { frame } of framesOf(script)) {
          player.session.take(0, frame);
          const { stale, sequence } = player.feed.depth;
          if (!stale) expect(sorted(player.book())).toEqual(sorted(bookAt(script, sequence)));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('has a gap exactly where messages were lost that no snapshot made up for', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const player = new Player();
        const expected: number[] = [];
        /** Up to where the ids are known, by messages in a row or by a snapshot of use; -1 before. */
        let known = -1;
        framesOf(script).forEach(({ frame, missedBefore }, line) => {
          player.position.line = line;
          const taken = player.session.counts().snapshots ?? 0;
          player.session.take(0, frame);
          if (frame.kind === 'snapshot') {
            if ((player.session.counts().snapshots ?? 0) > taken && frame.lastUpdateId > known) {
              known = frame.lastUpdateId;
            }
          } else if (frame.kind === 'diff') {
            if (missedBefore && known >= 0 && frame.before > known) expected.push(line);
            known = Math.max(known, frame.last);
          }
        });
        expect(player.session.counts().gaps?.map(({ line }) => line)).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  test('is whole after the snapshot of a stream without loss, whenever it comes', () => {
    fc.assert(
      fc.property(scripts, fc.nat(40), (script, id) => {
        const whole = { ...script, lost: new Set<number>() };
        const before = messagesOf(whole).findIndex(({ last }) => last >= id);
        fc.pre(before >= 0);
        const player = new Player();
        const snapshots = [{ id, before: Math.min(before + 1, messagesOf(whole).length - 1) }];
        for (const { frame } of framesOf({ ...whole, snapshots })) player.session.take(0, frame);
        expect(player.feed.depth.stale).toBe(false);
        expect(player.session.counts().gaps).toEqual([]);
        expect(sorted(player.book())).toEqual(sorted(bookAt(whole, whole.updates.length)));
      }),
    );
  });
});
