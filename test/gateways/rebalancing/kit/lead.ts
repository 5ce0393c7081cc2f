import { expect } from 'vitest';
import { MillraceError } from '../../../../src/model/errors.ts';
import { hasEnded, type HoldingKey } from '../../../../src/model/portfolio.ts';
import { isRejection } from '../../../../src/model/rejections.ts';
import { micros, type Micros } from '../../../../src/platform/time.ts';
import type {
  TransferRoute,
  TransferRecord,
  Offer,
  Step,
} from '../../../../src/swaps/execution/transfer-route.ts';
import { applyChange } from '../../../../src/swaps/execution/transfer.ts';
import { d } from '../../trading/kit/values.ts';

/** An offer, which there must be. */
export async function offerFrom(
  route: TransferRoute,
  from: HoldingKey,
  to: HoldingKey,
  send: string,
): Promise<Offer> {
  const offer = await route.offer(from, to, d(send));
  if (isRejection(offer)) throw new Error(`${offer.code}: ${offer.message}`);
  return offer;
}

/** A transfer that takes up an offer. */
export function transferOf(offer: Offer, now: Micros, id = 'plan-1/1'): TransferRecord {
  const { route, from, to, send, least, expected, expiresAt, durationUs, networkFee, terms } = offer; // prettier-ignore
  return {
    id,
    plan: 'plan-1',
    route,
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

/** One run of an executor over a transfer, which remembers what was done and what was found out. */
export interface Led {
  readonly transfer: TransferRecord;
  /** Steps done, and what came of asking after those of which nothing was known: `withdraw? undone`. */
  readonly log: readonly string[];
}

/**
 * Executes a transfer as the executor does: steps in order, and after one whose outcome is not
 * known what became of it is asked first. `between` is called whenever there is nothing to do but
 * wait; the move is over when it has ended, or after so many waits.
 */
export async function runTransfer(
  route: TransferRoute,
  start: TransferRecord,
  now: () => Micros,
  between: () => Promise<void> | void,
  waitsMax = 40,
): Promise<Led> {
  const log: string[] = [];
  let transfer = start;
  let open: Step | undefined;
  for (let waits = 0; waits <= waitsMax && !hasEnded(transfer.state);) {
    try {
      if (open !== undefined) {
        const found = await route.recall(transfer, open);
        log.push(`${open.name}? ${found === 'undone' ? found : 'done'}`);
        if (found !== 'undone') transfer = applyChange(transfer, found, now());
        open = undefined;
        continue;
      }
      const step = route.next(transfer, now());
      if (step === undefined) {
        const seen = await route.observe(transfer);
        if (seen !== undefined) transfer = applyChange(transfer, seen, now());
        else {
          waits += 1;
          await between();
        }
        continue;
      }
      open = step;
      transfer = { ...transfer, paying: transfer.paying || step.pays };
      log.push(step.name);
      transfer = applyChange(transfer, await route.perform(transfer, step), now());
      open = undefined;
    } catch (error) {
      expect(error).toBeInstanceOf(MillraceError);
      waits += 1;
    }
  }
  return { transfer, log };
}

/** A time later by so much. */
export const later = (at: Micros, us: number): Micros => micros(at + us);
