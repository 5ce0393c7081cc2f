import { expect } from 'vitest';
import { MillraceError } from '../../../../src/model/errors.ts';
import { hasEnded, type Slot } from '../../../../src/model/portfolio.ts';
import { isRejection } from '../../../../src/model/rejections.ts';
import { micros, type Micros } from '../../../../src/platform/time.ts';
import type { Carrier, MoveRecord, Offer, Step } from '../../../../src/swaps/execution/carrier.ts';
import { changed } from '../../../../src/swaps/execution/move.ts';
import { d } from '../../trading/kit/values.ts';

/** An offer, which there must be. */
export async function offerFrom(
  carrier: Carrier,
  from: Slot,
  to: Slot,
  send: string,
): Promise<Offer> {
  const offer = await carrier.offer(from, to, d(send));
  if (isRejection(offer)) throw new Error(`${offer.code}: ${offer.message}`);
  return offer;
}

/** A move that takes up an offer. */
export function moveOf(offer: Offer, now: Micros, id = 'plan-1/1'): MoveRecord {
  const { carrier, from, to, send, least, expected, expiresAt, durationUs, networkFee, terms } = offer; // prettier-ignore
  return {
    id,
    plan: 'plan-1',
    carrier,
    from,
    to,
    send,
    least,
    expected,
    expiresAt,
    durationUs,
    networkFee,
    state: 'quoted',
    paying: false,
    data: terms,
    createdAt: now,
    changedAt: now,
  };
}

/** One run of an executor over a move, which remembers what was done and what was found out. */
export interface Led {
  readonly move: MoveRecord;
  /** Steps done, and what came of asking after those of which nothing was known: `withdraw? undone`. */
  readonly log: readonly string[];
}

/**
 * Leads a move like the executor does: steps in order, and after one whose outcome is not known what
 * became of it is asked first. `between` is called whenever there is nothing to do but wait; the
 * move is over when it has ended, or after so many waits.
 */
export async function leadMove(
  carrier: Carrier,
  start: MoveRecord,
  now: () => Micros,
  between: () => Promise<void> | void,
  waitsMax = 40,
): Promise<Led> {
  const log: string[] = [];
  let move = start;
  let open: Step | undefined;
  for (let waits = 0; waits <= waitsMax && !hasEnded(move.state);) {
    try {
      if (open !== undefined) {
        const found = await carrier.recall(move, open);
        log.push(`${open.name}? ${found === 'undone' ? found : 'done'}`);
        if (found !== 'undone') move = changed(move, found, now());
        open = undefined;
        continue;
      }
      const step = carrier.next(move, now());
      if (step === undefined) {
        const seen = await carrier.observe(move);
        if (seen !== undefined) move = changed(move, seen, now());
        else {
          waits += 1;
          await between();
        }
        continue;
      }
      open = step;
      move = { ...move, paying: move.paying || step.pays };
      log.push(step.name);
      move = changed(move, await carrier.perform(move, step), now());
      open = undefined;
    } catch (error) {
      expect(error).toBeInstanceOf(MillraceError);
      waits += 1;
    }
  }
  return { move, log };
}

/** A time later by so much. */
export const later = (at: Micros, us: number): Micros => micros(at + us);
