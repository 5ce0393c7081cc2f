import { brief, Decimal, ZERO } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import { valuesOf } from '../../risk/values.ts';
import { US_PER_MINUTE, type Micros } from '../../platform/time.ts';
import type { RiskSettings } from '../settings/settings.ts';
import type { Breach, PassingCause } from '../../risk/guards/breach.ts';
import { EquityGuard, type EquityMemory } from '../../risk/guards/equity.ts';
import { LiquidationGuard, type NearLiquidation } from '../../risk/guards/liquidation.ts';
import { RateWindow } from '../../risk/rate-window.ts';
import type { MarginView } from '../../risk/view.ts';

export type { Breach, PassingCause } from '../../risk/guards/breach.ts';

/**
 * Watches a strategy, or a whole account, while it trades. Each method processes one event and returns the
 * breach that it causes, once: after a breach, a guard is disarmed until its figure is back at half its
 * limit or better, or `resumed` is called.
 */
export class Guards {
  readonly #limits: RiskSettings;
  readonly #equity: EquityGuard;
  readonly #liquidation: LiquidationGuard;
  readonly #rejects = new RateWindow(US_PER_MINUTE);
  readonly #receivedAt = new Map<string, Micros>();
  readonly #staleSymbols = new Set<string>();
  /** Markets without data, as their connection is lost. */
  readonly #lost = new Set<string>();
  #isSkewed = false;

  /** `memory` is what `memory` of a previous run gave. */
  constructor(limits: RiskSettings, memory?: EquityMemory) {
    this.#limits = limits;
    this.#equity = new EquityGuard(limits, memory);
    this.#liquidation = new LiquidationGuard(limits);
  }

  /** Equity baselines, stored across restarts. */
  get memory(): EquityMemory {
    return this.#equity.memory;
  }

  /** Checks the value of all holdings, in a quote currency. */
  equity(currency: string, value: Decimal, at: Micros): Breach | undefined {
    const breach = this.#equity.mark(currency, value, at);
    return breach && { ...breach, why: `${breach.why} ${HINT}` };
  }

  /**
   * Checks an unexplained change of a balance, positive or negative, by no fill and no known transfer: a
   * breach if it exceeds a fraction of the account's earlier value, or while a price for that value is
   * missing.
   */
  unexplained(
    [currency, amount]: readonly [currency: string, amount: Decimal],
    { instruments, priceOf, holding, margin }: AccountView,
  ): Breach | undefined {
    const { maxUnexplained: limit, onBreach } = this.#limits;
    if (limit === undefined) return undefined;
    const ofThis = (by: Decimal) => (one: string) => (one === currency ? by : ZERO);
    const values = valuesOf(instruments, ofThis(amount), priceOf);
    const totals = valuesOf(instruments, holding, priceOf, margin);
    const shares = [...values].flatMap(([quote, value]) => {
      const before = totals.get(quote)?.minus(value);
      return before === undefined || value.isZero() || !before.isPositive() || before.isZero()
        ? []
        : [value.abs().div(before)];
    });
    const had = holding(currency).minus(amount);
    if (shares.length === 0 && had.greaterThan(0)) shares.push(amount.abs().div(had));
    const share = Decimal.max(ZERO, ...shares);
    if (shares.length > 0 && share.lessThanOrEqualTo(limit)) return undefined;
    const how = amount.isNegative() ? 'left' : 'came to';
    const part = shares.length === 0 ? 'all that it has' : `${percent(share)} of its value`;
    return {
      limit: 'unexplained',
      to: onBreach,
      why: `${brief(amount.abs())} ${currency} ${how} the account without a fill: ${part}; the limit is ${percent(limit)}. Look at its transfers and at who else trades on it; "millrace resume" lets trading go on.`,
    };
  }

  /** Checks margin positions for their distance to liquidation: returns a breach, or only a warning. */
  liquidation(margin: MarginView): readonly NearLiquidation[] {
    return this.#liquidation.check(margin);
  }

  /** The reduction failed: the position is reported again. */
  retryLiquidation(symbol: string, mode: MarginMode): void {
    this.#liquidation.again(symbol, mode);
  }

  /** Money that came (positive) or went without a trade is neither profit nor loss. */
  transferred(currency: string, value: Decimal): void {
    this.#equity.transferred(currency, value);
  }

  /** From now on the symbol's market should send data. */
  watch(symbol: string, at: Micros): void {
    if (!this.#receivedAt.has(symbol)) this.#receivedAt.set(symbol, at);
  }

  /** Sets when a market last sent data; the same time again is nothing new. */
  received(symbol: string, at: Micros): void {
    this.#lost.delete(symbol);
    if (at <= (this.#receivedAt.get(symbol) ?? Number.NEGATIVE_INFINITY)) return;
    this.#receivedAt.set(symbol, at);
    this.#staleSymbols.delete(symbol);
  }

  /** The connection to a market is lost, until `received` is called for it. */
  lost(symbol: string): void {
    this.#lost.add(symbol);
  }

  /** Whether what led to a breach of a passing cause is over. */
  isOver(cause: PassingCause): boolean {
    if (cause === 'clock') return !this.#isSkewed;
    return this.#staleSymbols.size === 0 && (cause === 'data' || this.#lost.size === 0);
  }

  /** Checks for markets without data for too long; called about every second. */
  check(now: Micros): Breach | undefined {
    const { staleAfterUs, onBreach } = this.#limits;
    if (staleAfterUs === undefined) return undefined;
    const fresh: string[] = [];
    for (const [symbol, at] of this.#receivedAt) {
      if (now - at <= staleAfterUs || this.#staleSymbols.has(symbol)) continue;
      this.#staleSymbols.add(symbol);
      fresh.push(symbol);
    }
    if (fresh.length === 0) return undefined;
    const isLost = fresh.every((symbol) => this.#lost.has(symbol));
    return {
      limit: 'stale-data',
      to: onBreach,
      passing: this.#passing(isLost ? 'connection' : 'data'),
      why: `Nothing was received of ${fresh.join(', ')} for more than ${seconds(staleAfterUs)}${isLost ? ', as the connection is lost' : ''}.`,
    };
  }

  /** A request was refused by the venue. */
  rejected(at: Micros): Breach | undefined {
    const { maxRejectsPerMinute: limit, onBreach } = this.#limits;
    if (limit === undefined) return undefined;
    this.#rejects.add(at);
    const count = this.#rejects.count(at);
    if (count <= limit) return undefined;
    // The next breach takes as many rejections again.
    this.#rejects.clear();
    return {
      limit: 'rejects',
      to: onBreach,
      why: `${count} requests were refused within a minute, more than ${limit}.`,
    };
  }

  /** By how much the venue's clock is ahead of ours. */
  clockSkew(us: number): Breach | undefined {
    const { maxClockSkewUs: limit, onBreach } = this.#limits;
    if (limit === undefined) return undefined;
    const distance = Math.abs(us);
    if (distance * 2 <= limit) this.#isSkewed = false;
    if (distance <= limit || this.#isSkewed) return undefined;
    this.#isSkewed = true;
    return {
      limit: 'clock-skew',
      to: onBreach,
      passing: this.#passing('clock'),
      why: `The venue's clock is ${seconds(distance)} ${us > 0 ? 'ahead of' : 'behind'} ours, more than ${seconds(limit)}.`,
    };
  }

  /** Resets the loss baselines on an operator's request. */
  resetLoss(): void {
    this.#equity.reset();
  }

  /** A person resumes trading: every guard is armed again, and losses are not reset. */
  resumed(now: Micros): void {
    this.#equity.resumed();
    this.#liquidation.resumed();
    this.#rejects.clear();
    this.#isSkewed = false;
    this.#staleSymbols.clear();
    for (const symbol of this.#receivedAt.keys()) this.#receivedAt.set(symbol, now);
  }

  /** The cause if trading resumes by itself when it passes; a killed strategy never does. */
  #passing(cause: PassingCause): PassingCause | undefined {
    const { autoResume, onBreach } = this.#limits;
    return onBreach !== 'killed' && autoResume?.has(cause) === true ? cause : undefined;
  }
}

/** The balances and prices of an account. */
interface AccountView {
  readonly instruments: readonly Instrument[];
  readonly priceOf: (symbol: string) => Decimal | undefined;
  readonly holding: (currency: string) => Decimal;
  /** Its margin accounts, if there are any. */
  readonly margin?: MarginView | undefined;
}

const percent = (share: Decimal): string => `${brief(share.times(100).toDecimalPlaces(2))} %`;

/** A loss does not pass by itself, and `resume` does not forget it. */
const HINT =
  'A higher limit lets trading go on, or "millrace reset-loss" before "millrace resume".';

const seconds = (us: number): string => `${brief(new Decimal(us).div(1_000_000))} s`;
