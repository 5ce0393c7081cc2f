import type { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { holdingName, type HoldingKey, type PriceOf } from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { TransferRoute, Offer } from '../../swaps/execution/transfer-route.ts';
import { checkedData } from '../../swaps/execution/transfer-data.ts';
import { isAnswer } from '../../swaps/planner/inquiry.ts';
import type { OfferingRoute } from '../../swaps/planner/request.ts';
import { inTime, LateAnswer, whyOf, type LeftOut } from './answers.ts';

/** Requests of an amount. */
const ATTEMPTS = 2;
/** Failures in a row, of any amounts, after which a route is left out. */
const FAILURES = 4;
/** An offer of more than this many times the value that it takes is wrong. */
const TOO_GOOD = 2;

/**
 * A route for one plan. A route that does not answer in time, fails again and again, or makes an
 * impossible offer is left out for the rest of the plan.
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

  /** Why the plan goes without it; `undefined` where it is not left out. */
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

  /** Throws for an offer that does not answer the request, or is better than any can be. */
  #check(offer: Offer, from: HoldingKey, to: HoldingKey, send: Decimal): void {
    if (!isAnswer(offer, from, to, send)) {
      throw invalid(
        `It offers what it was not asked for, for ${send.toFixed()} ${holdingName(from)}.`,
      );
    }
    checkedData(offer.terms);
    const [paid, got] = [this.#priceOf(from.asset), this.#priceOf(to.asset)];
    if (paid === undefined || got === undefined) return;
    const most = offer.send.times(paid).times(TOO_GOOD);
    if (!offer.expected.times(got).greaterThan(most)) return;
    throw invalid(
      `It offers ${offer.expected.toFixed()} ${holdingName(to)} for ${offer.send.toFixed()} ${holdingName(from)}, more than ${TOO_GOOD} times what that is worth.`,
    );
  }
}

const invalid = (sentence: string): MillraceError => new MillraceError('answer-invalid', sentence);
