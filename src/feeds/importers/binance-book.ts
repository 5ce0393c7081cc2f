import type { RawDiff } from './binance-frame.ts';

/** Depth updates kept for an older snapshot; 100 s of a 100 ms stream. */
const KEPT_MAX = 1_024;

/** The expected update id, and the received one. */
export interface Break {
  readonly expected: number;
  readonly found: number;
}

/**
 * Follows the update ids of a book as Binance documents it. An update message holds the ids after
 * `before` (on spot U - 1, on futures pu) up to u. A message follows when nothing lies between it
 * and what came before; after a snapshot it has to reach back to the snapshot's id. A message
 * that is wholly old follows too: sizes are absolute, and its rows carry their old id.
 *
 * https://developers.binance.com/docs/binance-spot-api-docs/web-socket-streams
 * https://developers.binance.com/docs/derivatives/usds-margined-futures/websocket-market-streams
 * (both: "How to manage a local order book correctly")
 */
export class UpdateIds {
  /** The highest id reached by updates or the snapshot; NaN before both. */
  #reached = Number.NaN;
  #kept: RawDiff[] = [];

  /** Processes the next message; returns the break if something is missing before it. */
  diff(diff: RawDiff): Break | undefined {
    const reached = this.#reached;
    const broken = diff.before > reached;
    if (broken) {
      this.#kept = [];
    } else if (diff.last <= reached) {
      return undefined;
    }
    this.#reached = diff.last;
    this.#kept.push(diff);
    if (this.#kept.length > 2 * KEPT_MAX) this.#kept = this.#kept.slice(-KEPT_MAX);
    return broken ? { expected: reached + 1, found: diff.before + 1 } : undefined;
  }

  /**
   * Processes a snapshot; returns the earlier messages that are newer than it and must be applied after it,
   * or `undefined` if they do not reach back to it, which makes it useless.
   */
  snapshot(lastUpdateId: number): readonly RawDiff[] | undefined {
    const newer = this.#kept.filter((diff) => diff.last > lastUpdateId);
    const first = newer.at(0);
    if (first === undefined) {
      if (lastUpdateId < this.#reached) return undefined;
      this.#reached = lastUpdateId;
    } else if (first.before > lastUpdateId) {
      return undefined;
    }
    this.#kept = newer;
    return newer;
  }
}
