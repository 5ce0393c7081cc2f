import type { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { holdingName, type HoldingKey, type PriceOf } from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { TransferRoute, Offer } from '../../swaps/execution/transfer-route.ts';
import { checkedData } from '../../swaps/execution/transfer-data.ts';
import { isSound } from '../../swaps/planner/inquiry.ts';
import type { OfferingRoute } from '../../swaps/planner/request.ts';
import { inTime, LateAnswer, whyOf, type LeftOut } from './answers.ts';

/** An amount that fails is asked for so often. */
const ATTEMPTS = 2;
/** So many failures in a row, of whatever amounts, and the route is left out. */
const FAILURES = 4;
/** Nobody gives so many times the worth of what he gets. */
const TOO_GOOD = 2;

/**
 * A route as one plan asks it. One that does not answer in time, that fails again and again, or
 * that says what cannot be, is left out for the rest of that plan, which then goes on without it.
 */
export class PlanningRoute implements OfferingRoute {
  readonly name: string;
  readonly #route: TransferRoute;
  readonly #scheduler: Scheduler;
  readonly #priceOf: PriceOf;
  #failures = 0;
  #answers = 0;
  #why: string | undefined;
  #isOut = false;

  constructor(route: TransferRoute, scheduler: Scheduler, priceOf: PriceOf) {
    this.name = route.name;
    this.#route = route;
    this.#scheduler = scheduler;
    this.#priceOf = priceOf;
  }

  /** Why the plan goes without it; nothing where it does not. */
  get leftOut(): LeftOut | undefined {
    const isOut = this.#isOut || this.#answers === 0;
    return this.#why !== undefined && isOut ? { name: this.name, why: this.#why } : undefined;
  }

  pairs(): readonly (readonly [HoldingKey, HoldingKey])[] {
    return this.#route.pairs();
  }

  async offer(from: HoldingKey, to: HoldingKey, send: Decimal): Promise<Offer | Rejection> {
    for (let attempt = 1; attempt <= ATTEMPTS && !this.#isOut; attempt += 1) {
      const answer = await this.#ask(from, to, send);
      if (answer !== undefined && !this.#isOut) return answer;
    }
    const message = `${this.name} is left out: ${this.#why ?? 'it does not answer.'}`;
    return { code: 'venue-unreachable', message };
  }

  async #ask(
    from: HoldingKey,
    to: HoldingKey,
    send: Decimal,
  ): Promise<Offer | Rejection | undefined> {
    try {
      const asked = this.#route.offer(from, to, send);
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
  #check(offer: Offer, from: HoldingKey, to: HoldingKey, send: Decimal): void {
    const isAsked =
      holdingName(offer.from) === holdingName(from) && holdingName(offer.to) === holdingName(to);
    if (!isAsked || !isSound(offer, send)) {
      throw lie(`It offers what it was not asked for, for ${send.toFixed()} ${holdingName(from)}.`);
    }
    checkedData(offer.terms);
    const [paid, got] = [this.#priceOf(from.asset), this.#priceOf(to.asset)];
    if (paid === undefined || got === undefined) return;
    const most = offer.send.times(paid).times(TOO_GOOD);
    if (!offer.expected.times(got).greaterThan(most)) return;
    throw lie(
      `It offers ${offer.expected.toFixed()} ${holdingName(to)} for ${offer.send.toFixed()} ${holdingName(from)}, more than ${TOO_GOOD} times what that is worth.`,
    );
  }
}

const lie = (sentence: string): MillraceError => new MillraceError('answer-invalid', sentence);
