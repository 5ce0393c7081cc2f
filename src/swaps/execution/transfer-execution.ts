import type { Decimal } from '../../model/decimal.ts';
import { hasEnded } from '../../model/portfolio.ts';
import { sanitize } from '../../model/plain-words.ts';
import { isRejection, type RejectionCode } from '../../model/rejections.ts';
import { micros } from '../../platform/time.ts';
import { offerObjection } from './acceptance.ts';
import type {
  TransferRoute,
  TransferChange,
  TransferRecord,
  Offer,
  Step,
} from './transfer-route.ts';
import { applyChange, giveUp, requote } from './transfer.ts';
import type { PlannedTransfer } from './plan.ts';
import { lateAt } from './report.ts';
import type { RunningPlan } from './running-plan.ts';

/** Rejections that another request of the same amount would get again. */
const REJECTED_FOR_GOOD: ReadonlySet<RejectionCode> = new Set([
  ...(['token-unknown', 'amount-below-minimum', 'amount-above-maximum'] as const),
  ...(['address-invalid', 'public-key-missing', 'currency-disabled'] as const),
]);

/** An offer that has expired when it arrives; the next one would too. */
const EXPIRED_EARLY =
  'Its offers have expired when they come: the clock here may be ahead of that of the service.';

/**
 * Executes one transfer to its end. Each step is in the journal before it is done, and after an
 * unknown outcome it is recalled before another step is done.
 */
export class TransferExecution {
  readonly #planned: PlannedTransfer;
  readonly #route: TransferRoute;
  readonly #plan: RunningPlan;
  readonly #id: string;
  /** Duration of the next wait. */
  #waitUs: number;
  /** State in which the transfer was last reported as late: once for each. */
  #reportedLate: TransferRecord['state'] | undefined;

  constructor(planned: PlannedTransfer, route: TransferRoute, plan: RunningPlan) {
    this.#planned = planned;
    this.#route = route;
    this.#plan = plan;
    this.#id = plan.recordId(planned.id);
    this.#waitUs = plan.limits.pollUs;
  }

  /** Runs until the transfer has ended or the plan is closed. */
  async run(): Promise<void> {
    while (!this.#plan.isClosing && !hasEnded(this.#transfer.state)) {
      try {
        await this.#turn();
      } catch (error) {
        this.#plan.trouble(this.#id, sentenceOf(error));
        await this.#wait();
      }
    }
  }

  get #transfer(): TransferRecord {
    return this.#plan.transfer(this.#id).record;
  }

  async #turn(): Promise<void> {
    this.#emitLate();
    const { step } = this.#plan.transfer(this.#id);
    if (step !== undefined && !this.#isGivenUp()) return this.#recall(step);
    if (!this.#transfer.paying && (await this.#prepare())) return;
    const next = this.#route.next(this.#transfer, this.#plan.now());
    if (next !== undefined) return this.#perform(next);
    const change = await this.#route.observe(this.#transfer);
    await (change === undefined ? this.#wait() : this.#settle(change));
  }

  /** True for an unpaid transfer that is given up, so that the outcome of its step does not matter. */
  #isGivenUp(): boolean {
    const { paying, payBy = Infinity } = this.#transfer;
    return !paying && (this.#plan.superseded !== undefined || this.#plan.now() >= payBy);
  }

  /** Does what comes before a transfer may be paid; true where the turn ends with it. */
  async #prepare(): Promise<boolean> {
    const transfer = this.#transfer;
    const { now, limits, superseded } = this.#plan;
    if (superseded !== undefined) {
      await this.#write(giveUp(transfer, superseded, now()));
      return true;
    }
    const send = this.#amountToSend();
    if (send === undefined) {
      await this.#plan.news();
      return true;
    }
    const payBy = transfer.payBy ?? micros(now() + limits.unpaidUs);
    if (transfer.payBy === undefined) await this.#write({ ...transfer, payBy });
    if (now() >= payBy) {
      const why = transfer.reason === undefined ? '' : ` ${transfer.reason}`;
      await this.#write(giveUp(transfer, `It was not paid in time.${why}`, now()));
    } else if (!send.greaterThan(0)) {
      await this.#write(giveUp(transfer, 'Nothing arrived of what it sends.', now()));
    } else if (transfer.state === 'planned' || now() >= transfer.expiresAt) {
      await this.#quote(send);
    } else return false;
    return true;
  }

  /** What there is to send once all sources have ended; `undefined` before. */
  #amountToSend(): Decimal | undefined {
    let send = this.#planned.offer.send;
    for (const { transfer, amount } of this.#planned.after) {
      const { state, arrived } = this.#plan.transfer(this.#plan.recordId(transfer)).record;
      if (!hasEnded(state)) return undefined;
      const missing = arrived === undefined ? amount : amount.minus(arrived);
      if (missing.greaterThan(0)) send = send.minus(missing);
    }
    return send;
  }

  async #quote(send: Decimal): Promise<void> {
    const { from, to } = this.#planned.offer;
    const offer = await this.#route.offer(from, to, send);
    if (!isRejection(offer) && offer.expiresAt > this.#plan.now()) {
      return this.#consider(offer, send);
    }
    const why = isRejection(offer) ? sanitize(offer.message) : EXPIRED_EARLY;
    if (isRejection(offer) && REJECTED_FOR_GOOD.has(offer.code)) {
      await this.#write(giveUp(this.#transfer, why, this.#plan.now()));
      return;
    }
    if (this.#transfer.reason !== why) {
      await this.#write({ ...this.#transfer, state: 'planned', reason: why });
    }
    await this.#wait();
  }

  async #consider(offer: Offer, send: Decimal): Promise<void> {
    const why = offerObjection(this.#plan.present, this.#planned, offer, send);
    const now = this.#plan.now();
    await this.#write(
      why === undefined ? requote(this.#transfer, offer, now) : giveUp(this.#transfer, why, now),
    );
  }

  /** Journals a step and does it; where the journal cannot be written, nothing is done. */
  async #perform(step: Step): Promise<void> {
    const record = { ...this.#transfer, paying: this.#transfer.paying || step.pays };
    if (!this.#plan.tryWrite({ record, step })) return this.#wait();
    await this.#settle(await this.#route.perform(record, step));
  }

  async #recall(step: Step): Promise<void> {
    const found = await this.#route.recall(this.#transfer, step);
    if (found !== 'undone') return this.#settle(found);
    await this.#write(this.#transfer);
    await this.#wait();
  }

  /** Applies the outcome of a step. A service that rejects its own offers is asked less and less often. */
  async #settle(change: TransferChange): Promise<void> {
    await this.#write(applyChange(this.#transfer, change, this.#plan.now()));
    if (this.#transfer.state === 'planned') await this.#wait();
    else this.#waitUs = this.#plan.limits.pollUs;
  }

  /** Writes the transfer without a step, again until the journal takes it. */
  async #write(record: TransferRecord): Promise<void> {
    while (!this.#plan.tryWrite({ record }) && !this.#plan.isClosing) await this.#wait();
  }

  async #wait(): Promise<void> {
    const us = this.#waitUs;
    this.#waitUs = Math.min(this.#plan.limits.pollMostUs, us + Math.ceil(us / 2));
    await this.#plan.wait(us);
  }

  #emitLate(): void {
    const transfer = this.#transfer;
    const at = lateAt(transfer, this.#plan.limits);
    if (at === undefined || this.#plan.now() < at || this.#reportedLate === transfer.state) return;
    this.#reportedLate = transfer.state;
    this.#plan.late(transfer);
  }
}

const sentenceOf = (error: unknown): string =>
  sanitize(error instanceof Error ? error.message : String(error));
