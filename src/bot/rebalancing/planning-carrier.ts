import type { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { slotName, type Slot, type PriceOf } from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Carrier, Offer } from '../../swaps/execution/carrier.ts';
import { checkedData } from '../../swaps/execution/carrier-data.ts';
import { isSound } from '../../swaps/planner/inquiry.ts';
import type { OfferingCarrier } from '../../swaps/planner/request.ts';
import { inTime, LateAnswer, whyOf, type LeftOut } from './answers.ts';

/** An amount that fails is asked for so often. */
const ATTEMPTS = 2;
/** So many failures in a row, of whatever amounts, and the carrier is left out. */
const FAILURES = 4;
/** Nobody gives so many times the worth of what he gets. */
const TOO_GOOD = 2;

/**
 * A carrier as one plan asks it. One that does not answer in time, that fails again and again, or
 * that says what cannot be, is left out for the rest of that plan, which then goes on without it.
 */
export class PlanningCarrier implements OfferingCarrier {
  readonly name: string;
  readonly #carrier: Carrier;
  readonly #scheduler: Scheduler;
  readonly #priceOf: PriceOf;
  #failures = 0;
  #answers = 0;
  #why: string | undefined;
  #isOut = false;

  constructor(carrier: Carrier, scheduler: Scheduler, priceOf: PriceOf) {
    this.name = carrier.name;
    this.#carrier = carrier;
    this.#scheduler = scheduler;
    this.#priceOf = priceOf;
  }

  /** Why the plan goes without it; nothing where it does not. */
  get leftOut(): LeftOut | undefined {
    const isOut = this.#isOut || this.#answers === 0;
    return this.#why !== undefined && isOut ? { name: this.name, why: this.#why } : undefined;
  }

  pairs(): readonly (readonly [Slot, Slot])[] {
    return this.#carrier.pairs();
  }

  async offer(from: Slot, to: Slot, send: Decimal): Promise<Offer | Rejection> {
    for (let attempt = 1; attempt <= ATTEMPTS && !this.#isOut; attempt += 1) {
      const answer = await this.#ask(from, to, send);
      if (answer !== undefined && !this.#isOut) return answer;
    }
    const message = `${this.name} is left out: ${this.#why ?? 'it does not answer.'}`;
    return { code: 'venue-unreachable', message };
  }

  async #ask(from: Slot, to: Slot, send: Decimal): Promise<Offer | Rejection | undefined> {
    try {
      const asked = this.#carrier.offer(from, to, send);
      const answer = await inTime(this.#scheduler, `The service of ${this.name}`, asked);
      if (!isRejection(answer)) this.#check(answer, from, to, send);
      this.#failures = 0;
      this.#answers += 1;
      return answer;
    } catch (error) {
      this.#failures += error instanceof LateAnswer ? FAILURES : 1;
      this.#isOut ||= this.#failures >= FAILURES;
      this.#why = whyOf(error);
      return undefined;
    }
  }

  /** Throws where an offer is not one to what was asked, or better than any can be. */
  #check(offer: Offer, from: Slot, to: Slot, send: Decimal): void {
    const isAsked = slotName(offer.from) === slotName(from) && slotName(offer.to) === slotName(to);
    if (!isAsked || !isSound(offer, send)) {
      throw lie(`It offers what it was not asked for, for ${send.toFixed()} ${slotName(from)}.`);
    }
    checkedData(offer.terms);
    const [paid, got] = [this.#priceOf(from.asset), this.#priceOf(to.asset)];
    if (paid === undefined || got === undefined) return;
    const most = offer.send.times(paid).times(TOO_GOOD);
    if (!offer.expected.times(got).greaterThan(most)) return;
    throw lie(
      `It offers ${offer.expected.toFixed()} ${slotName(to)} for ${offer.send.toFixed()} ${slotName(from)}, more than ${TOO_GOOD} times what that is worth.`,
    );
  }
}

const lie = (sentence: string): MillraceError => new MillraceError('answer-invalid', sentence);
