import type { Cancel } from '../../../../platform/scheduler.ts';
import { Frame } from '../../../socket/frame.ts';
import type { IntervalScheduler } from './interval-scheduler.ts';
import type { Broadcast, Follower } from './broadcast.ts';

/** State of a key at a moment. */
export interface Reading {
  /** The record as JSON. */
  readonly text: string;
  /** The same without its time: an equal content is not sent again. */
  readonly content: string;
}

/** A record as a reading; `timeMembers` change without its being news. */
export function reading(
  record: Readonly<Record<string, unknown>>,
  ...timeMembers: readonly string[]
): Reading {
  const content = Object.entries(record).filter(([name]) => !timeMembers.includes(name));
  return { text: JSON.stringify(record), content: JSON.stringify(content) };
}

export interface TimedSetup {
  readonly beats: IntervalScheduler;
  /** Interval of the reads in milliseconds. */
  readonly everyMs: number;
  /** One frame for all changes, not one for each. */
  readonly batch: boolean;
  /**
   * Present state of a key; undefined if there is none. `sequence` is the number of the message that would
   * carry it: per key it increases by one with each message.
   */
  readonly read: (key: string, sequence: number) => Reading | undefined;
  /**
   * A number that changes when a reading may have changed; NaN if that is unknown. It saves reading books
   * in which nothing has happened. The sequence of a key begins with it.
   */
  readonly mark: (key: string) => number;
  /** Writes a frame of some keys and the texts of their records. */
  readonly write: (records: readonly (readonly [key: string, text: string])[]) => string;
}

/** The subscribers of a key, and the last content sent to them. */
interface Watched {
  readonly followers: Set<Follower>;
  mark: number;
  content: string;
}

/**
 * A channel that reads at intervals and sends changed states whole. A new subscriber gets the present state
 * at once.
 */
export class TimedChannel implements Broadcast {
  readonly #setup: TimedSetup;
  readonly #watched = new Map<string, Watched>();
  readonly #keysOf = new Map<Follower, Set<string>>();
  /** The sequence of the latest message of each key, kept without followers so that it only increases. */
  readonly #sequences = new Map<string, number>();
  #stop: Cancel = () => undefined;

  constructor(setup: TimedSetup) {
    this.#setup = setup;
  }

  join(follower: Follower, keys: readonly string[]): void {
    if (this.#watched.size === 0) {
      this.#stop = this.#setup.beats.every(this.#setup.everyMs, () => {
        this.#poll();
      });
    }
    const own = this.#keysOf.get(follower) ?? new Set();
    this.#keysOf.set(follower, own);
    const records: [string, string][] = [];
    for (const key of keys) {
      own.add(key);
      const now = this.#setup.read(key, this.#sequence(key));
      if (now !== undefined) records.push([key, now.text]);
      this.#watch(key, follower, now?.content ?? '');
    }
    for (const frame of this.#frames(records)) follower.send(frame);
  }

  leave(follower: Follower, keys: readonly string[]): void {
    const own = this.#keysOf.get(follower);
    if (own === undefined) return;
    for (const key of keys) {
      own.delete(key);
      const watched = this.#watched.get(key);
      watched?.followers.delete(follower);
      if (watched?.followers.size === 0) this.#watched.delete(key);
    }
    if (own.size === 0) this.#keysOf.delete(follower);
    if (this.#watched.size === 0) this.#stop();
  }

  /**
   * The sequence of a key's latest message. A new subscriber gets the state under this number, and the next
   * message, for all followers, has the next one.
   */
  #sequence(key: string): number {
    const known = this.#sequences.get(key);
    if (known !== undefined) return known;
    const first = this.#setup.mark(key);
    const sequence = Number.isNaN(first) ? 0 : first;
    this.#sequences.set(key, sequence);
    return sequence;
  }

  #watch(key: string, follower: Follower, content: string): void {
    const watched = this.#watched.get(key);
    if (watched === undefined) {
      const mark = this.#setup.mark(key);
      this.#watched.set(key, { followers: new Set([follower]), mark, content });
      return;
    }
    watched.followers.add(follower);
    if (watched.content === content) return;
    // One subscriber is ahead of the others, so the next read is sent to all.
    watched.content = '';
    watched.mark = Number.NaN;
  }

  #poll(): void {
    const changed = new Map<string, string>();
    for (const [key, watched] of this.#watched) {
      const mark = this.#setup.mark(key);
      if (mark === watched.mark) continue;
      watched.mark = mark;
      const next = this.#sequence(key) + 1;
      const now = this.#setup.read(key, next);
      if (now === undefined || now.content === watched.content) continue;
      watched.content = now.content;
      this.#sequences.set(key, next);
      changed.set(key, now.text);
    }
    if (changed.size === 0) return;
    if (this.#setup.batch) this.#emitBatches(changed);
    else this.#emitEach(changed);
  }

  #emitEach(changed: ReadonlyMap<string, string>): void {
    for (const record of changed) {
      const frame = new Frame(this.#setup.write([record]));
      for (const follower of this.#watched.get(record[0])?.followers ?? []) follower.send(frame);
    }
  }

  /** Followers of the same keys get the same frame, written once. */
  #emitBatches(changed: ReadonlyMap<string, string>): void {
    const frames = new Map<string, Frame>();
    for (const [follower, keys] of this.#keysOf) {
      const records = [...changed].filter(([key]) => keys.has(key));
      if (records.length === 0) continue;
      const name = records.length === changed.size ? '' : records.map(([key]) => key).join(' ');
      let frame = frames.get(name);
      if (frame === undefined) {
        frame = new Frame(this.#setup.write(records));
        frames.set(name, frame);
      }
      follower.send(frame);
    }
  }

  #frames(records: readonly (readonly [string, string])[]): readonly string[] {
    const { batch, write } = this.#setup;
    if (records.length === 0) return [];
    return batch ? [write(records)] : records.map((record) => write([record]));
  }
}
