import type { Decimal } from '../../model/decimal.ts';
import { hasEnded } from '../../model/portfolio.ts';
import { plainWords } from '../../model/plain-words.ts';
import { isRejection, type RejectionCode } from '../../model/rejections.ts';
import { micros } from '../../platform/time.ts';
import { objection } from './acceptance.ts';
import type { Carrier, MoveChange, MoveRecord, Offer, Step } from './carrier.ts';
import { changed, givenUp, requoted } from './move.ts';
import type { PlannedMove } from './plan.ts';
import { lateAt } from './report.ts';
import type { RunningPlan } from './running-plan.ts';

/** Another offer for the same amount is refused for the same reason. */
const REJECTED_FOR_GOOD: ReadonlySet<RejectionCode> = new Set([
  ...(['token-unknown', 'amount-below-minimum', 'amount-above-maximum'] as const),
  ...(['address-invalid', 'public-key-missing', 'currency-disabled'] as const),
]);

/** Asking again at once would bring another such offer. */
const EXPIRED_EARLY =
  'Its offers have expired when they come: the clock here may be ahead of that of the service.';

/**
 * Leads one move to its end. It never does a step that is not in the journal, and after a step of
 * which it does not know what became it asks before it does another.
 */
export class MoveLead {
  readonly #planned: PlannedMove;
  readonly #carrier: Carrier;
  readonly #plan: RunningPlan;
  readonly #id: string;
  /** How long the next wait is. */
  #waitUs: number;
  /** When the move was last told of as late: once for each state. */
  #reportedLate: MoveRecord['state'] | undefined;

  constructor(planned: PlannedMove, carrier: Carrier, plan: RunningPlan) {
    this.#planned = planned;
    this.#carrier = carrier;
    this.#plan = plan;
    this.#id = plan.recordId(planned.id);
    this.#waitUs = plan.limits.pollUs;
  }

  /** Goes on until the move has ended or the plan is left. */
  async lead(): Promise<void> {
    while (!this.#plan.isLeft && !hasEnded(this.#move.state)) {
      try {
        await this.#turn();
      } catch (error) {
        this.#plan.trouble(this.#id, sentenceOf(error));
        await this.#wait();
      }
    }
  }

  get #move(): MoveRecord {
    return this.#plan.move(this.#id).record;
  }

  async #turn(): Promise<void> {
    this.#emitLate();
    const { step } = this.#plan.move(this.#id);
    if (step !== undefined && !this.#isLetGo()) return this.#recall(step);
    if (!this.#move.paying && (await this.#prepare())) return;
    const next = this.#carrier.next(this.#move, this.#plan.now());
    if (next !== undefined) return this.#perform(next);
    await this.#take(await this.#carrier.observe(this.#move));
  }

  /** What became of a step that paid nothing is of no interest once its move is given up. */
  #isLetGo(): boolean {
    const { paying, payBy = Infinity } = this.#move;
    return !paying && (this.#plan.superseded !== undefined || this.#plan.now() >= payBy);
  }

  /** Whatever comes before a move may be paid; true where that is all for this turn. */
  async #prepare(): Promise<boolean> {
    const move = this.#move;
    const { now, limits, superseded } = this.#plan;
    if (superseded !== undefined) {
      await this.#write(givenUp(move, superseded, now()));
      return true;
    }
    const send = this.#sends();
    if (send === undefined) {
      await this.#plan.news();
      return true;
    }
    const payBy = move.payBy ?? micros(now() + limits.unpaidUs);
    if (move.payBy === undefined) await this.#write({ ...move, payBy });
    if (now() >= payBy) {
      const why = move.reason === undefined ? '' : ` ${move.reason}`;
      await this.#write(givenUp(move, `It was not paid in time.${why}`, now()));
    } else if (!send.greaterThan(0)) {
      await this.#write(givenUp(move, 'Nothing arrived of what it sends.', now()));
    } else if (move.state === 'planned' || now() >= move.expiresAt) {
      await this.#quote(send);
    } else return false;
    return true;
  }

  /** What there is to send once all sources have ended; nothing before. */
  #sends(): Decimal | undefined {
    let send = this.#planned.offer.send;
    for (const { move, amount } of this.#planned.after) {
      const { state, arrived } = this.#plan.move(this.#plan.recordId(move)).record;
      if (!hasEnded(state)) return undefined;
      const missing = arrived === undefined ? amount : amount.minus(arrived);
      if (missing.greaterThan(0)) send = send.minus(missing);
    }
    return send;
  }

  async #quote(send: Decimal): Promise<void> {
    const { from, to } = this.#planned.offer;
    const offer = await this.#carrier.offer(from, to, send);
    if (!isRejection(offer) && offer.expiresAt > this.#plan.now()) {
      return this.#consider(offer, send);
    }
    const why = isRejection(offer) ? plainWords(offer.message) : EXPIRED_EARLY;
    if (isRejection(offer) && REJECTED_FOR_GOOD.has(offer.code)) {
      await this.#write(givenUp(this.#move, why, this.#plan.now()));
      return;
    }
    if (this.#move.reason !== why) {
      await this.#write({ ...this.#move, state: 'planned', reason: why });
    }
    await this.#wait();
  }

  async #consider(offer: Offer, send: Decimal): Promise<void> {
    const why = objection(this.#plan.present, this.#planned, offer, send);
    const now = this.#plan.now();
    await this.#write(
      why === undefined ? requoted(this.#move, offer, now) : givenUp(this.#move, why, now),
    );
  }

  /** Writes a step down and does it; where the journal cannot be written, nothing is done. */
  async #perform(step: Step): Promise<void> {
    const record = { ...this.#move, paying: this.#move.paying || step.pays };
    if (!this.#plan.tryWrite({ record, step })) return this.#wait();
    await this.#settle(await this.#carrier.perform(record, step));
  }

  async #recall(step: Step): Promise<void> {
    const found = await this.#carrier.recall(this.#move, step);
    if (found !== 'undone') return this.#settle(found);
    await this.#write(this.#move);
    await this.#wait();
  }

  /**
   * Takes what became of a step, which is settled by it. A service that takes up none of its own
   * offers is asked less and less often.
   */
  async #settle(change: MoveChange): Promise<void> {
    await this.#write(changed(this.#move, change, this.#plan.now()));
    if (this.#move.state === 'planned') await this.#wait();
    else this.#waitUs = this.#plan.limits.pollUs;
  }

  /** Takes what was seen, and waits where that was nothing. */
  async #take(change: MoveChange | undefined): Promise<void> {
    if (change !== undefined) return this.#settle(change);
    await this.#wait();
  }

  /** Writes how the move stands, without a step, as often as it takes. */
  async #write(record: MoveRecord): Promise<void> {
    while (!this.#plan.tryWrite({ record }) && !this.#plan.isLeft) await this.#wait();
  }

  async #wait(): Promise<void> {
    const us = this.#waitUs;
    this.#waitUs = Math.min(this.#plan.limits.pollMostUs, us + Math.ceil(us / 2));
    await this.#plan.wait(us);
  }

  #emitLate(): void {
    const move = this.#move;
    const at = lateAt(move, this.#plan.limits);
    if (at === undefined || this.#plan.now() < at || this.#reportedLate === move.state) return;
    this.#reportedLate = move.state;
    this.#plan.late(move);
  }
}

const sentenceOf = (error: unknown): string =>
  plainWords(error instanceof Error ? error.message : String(error));
