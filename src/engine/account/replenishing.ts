import { brief, Decimal, decimal, ZERO } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import {
  marginAccountKey,
  marginAccountId,
  type MarginReport,
} from '../../model/margin-account.ts';
import { dayOf, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import { AMOUNT_PLACES, rounded } from '../../rules/margin/quotient.ts';
import type { MarginRequest } from '../../model/order-request.ts';
import type { Replenish } from '../../strategy/commands.ts';
import type { Log } from '../../strategy/context.ts';
import type { StrategyMarginAccounts, MarginMarket } from './margin-accounts.ts';

/** Delay before a rejected request is repeated, as its cause seldom passes fast. */
const RETRY_US = 10 * US_PER_SECOND;

/** Stores what was replenished across restarts, in one commit with the request that follows. */
export interface ReplenishingMemory {
  kept(): string | undefined;
  save(text: string): void;
}

/** Replenishing of an account by the configuration. */
export interface ConfiguredReplenish {
  /** Any symbol of a cross account. */
  readonly symbol: string;
  readonly mode: MarginMarket['mode'];
  readonly replenish: Replenish;
}

export interface ReplenishingSetup {
  readonly configured: readonly ConfiguredReplenish[];
  readonly accounts: StrategyMarginAccounts;
  readonly log: Log;
  readonly now: () => Micros;
  /** Spot funds of a currency that may be moved; `undefined` while unknown. */
  readonly available: (currency: string) => Decimal | undefined;
  /** Sends a request for an account. */
  readonly ask: (market: MarginMarket, request: MarginRequest) => void;
  readonly memory: ReplenishingMemory | undefined;
  /** The margin market of a symbol; `undefined` if it is no longer traded. */
  readonly marketOf: (symbol: string, mode: MarginMarket['mode']) => MarginMarket | undefined;
}

/** A replenished account. */
interface Replenished {
  readonly symbol: string;
  readonly mode: MarginMarket['mode'];
  readonly floor?: Decimal | undefined;
  readonly target?: Decimal | undefined;
  /** 0 once it has ended: added funds count for their day, whatever changes. */
  readonly maxPerDay: Decimal;
  /** UTC day of the added funds. */
  readonly day: number;
  /** Funds requested that day and not rejected. */
  readonly added: Decimal;
  /** True if the configuration set it. */
  readonly isConfigured?: true | undefined;
}

/** Replenishing of an account by the strategy. */
interface RequestedReplenish {
  readonly market: MarginMarket;
  readonly replenish: Replenish;
}

/**
 * Replenishes margin accounts from spot for a strategy: to `target` if the balance is below
 * `floor`, and at a margin call by what brings the effective leverage back to the account's own, as
 * the exchange service does. Never more than `maxPerDay` in a UTC day, nor than what is available.
 * One request is in flight at a time, and each states the target balance, so repeating it moves
 * nothing twice. A rejected one is repeated after a pause.
 */
export class Replenishing {
  readonly #setup: ReplenishingSetup;
  readonly #kept: Map<string, Replenished>;
  /** Unanswered requests, by account. */
  readonly #inFlight = new Map<
    string,
    { readonly request: MarginRequest; readonly amount: Decimal }
  >();
  /** Replenishing to set once an unanswered request is accepted. */
  readonly #requested = new Map<MarginRequest, RequestedReplenish>();
  /** Logged reasons why an account was not replenished, by account. */
  readonly #reported = new Map<string, string>();
  /** Time of the last rejected request of an account. */
  readonly #rejectedAt = new Map<string, Micros>();

  constructor(setup: ReplenishingSetup) {
    this.#setup = setup;
    this.#kept = read(setup.memory?.kept());
    this.#configure();
  }

  /** True if the configuration replenishes an account, and the strategy may not. */
  isConfigured(market: MarginMarket): boolean {
    return this.#kept.get(keyOf(market))?.isConfigured === true;
  }

  /** Applies the configuration; of an earlier one only the funds added today remain. */
  #configure(): void {
    const { configured, marketOf: marketAt } = this.#setup;
    const before = JSON.stringify(this.#written());
    for (const [key, { isConfigured: was, ...rest }] of this.#kept) {
      if (was === true) this.#kept.set(key, { ...rest, maxPerDay: ZERO });
    }
    for (const { symbol, mode, replenish } of configured) {
      const market = marketAt(symbol, mode);
      if (market?.instrument.margin[mode] === undefined) throw untraded(symbol, mode);
      const key = keyOf(market);
      if (this.isConfigured(market)) throw reportedTwice(symbol, mode);
      const { day, added } = this.#kept.get(key) ?? { day: dayOf(this.#setup.now()), added: ZERO };
      this.#kept.set(key, { symbol, mode, ...replenish, day, added, isConfigured: true });
    }
    if (JSON.stringify(this.#written()) !== before) this.#save();
  }

  /**
   * Sets how an account is replenished, `maxPerDay` 0 to end it: at once, or with a request once
   * that is accepted.
   */
  want(market: MarginMarket, replenish: Replenish, request?: MarginRequest): void {
    if (request !== undefined) {
      this.#requested.set(request, { market, replenish });
      return;
    }
    const key = keyOf(market);
    // The last setting applies, whatever happens to earlier ones.
    for (const [of, requested] of this.#requested) {
      if (keyOf(requested.market) === key) this.#requested.delete(of);
    }
    this.#want(market, replenish, undefined);
  }

  #want({ instrument, mode }: MarginMarket, replenish: Replenish, balance?: Decimal): void {
    const key = keyOf({ instrument, mode });
    const before = this.#kept.get(key);
    const { floor, target = balance ?? before?.target, maxPerDay } = replenish;
    const today = dayOf(this.#setup.now());
    const { day, added } = before ?? { day: today, added: ZERO };
    const counts = !added.isZero() && (day === today || this.#inFlight.has(key));
    if (maxPerDay.isZero() && !counts) this.#kept.delete(key);
    else {
      const { symbol } = instrument;
      this.#kept.set(key, { symbol, mode, floor, target, maxPerDay, day, added });
    }
    this.#reported.delete(key);
    this.#save();
  }

  /** Applies the answer to a request, by which `moved` funds came to the account. */
  answered(request: MarginRequest, report: MarginReport, moved: Decimal): void {
    const requested = this.#requested.get(request);
    this.#requested.delete(request);
    if (requested !== undefined && report.kind === 'marginAccount') {
      this.#want(requested.market, requested.replenish, request.balance);
    }
    const key = this.#keyOf(request);
    if (key !== undefined) this.#done(key, report, moved);
  }

  #done(key: string, report: MarginReport, moved: Decimal): void {
    const inFlight = this.#inFlight.get(key)?.amount ?? ZERO;
    this.#inFlight.delete(key);
    const isRejected = report.kind === 'marginRejected';
    if (isRejected) this.#rejectedAt.set(key, this.#setup.now());
    // The request may have been done, so it counts.
    if (isRejected && report.rejection.code === 'outcome-unknown') return;
    const one = this.#count(key, moved.minus(inFlight));
    if (isRejected) {
      if (one === undefined) return;
      this.#logOnce(key, `was not replenished: ${report.rejection.message}`, report.rejection.code);
      return;
    }
    this.#reported.delete(key);
    this.#rejectedAt.delete(key);
    const of =
      one === undefined || one.maxPerDay.isZero()
        ? ''
        : `; ${brief(one.added)} of ${brief(one.maxPerDay)} today`;
    this.#setup.log.info(`The margin account ${key} was replenished by ${brief(moved)} ${report.account.currency} to ${brief(report.account.balance)}${of}.`, { account: key, amount: moved }); // prettier-ignore
  }

  /**
   * Counts the funds of a request beyond the planned ones for the day: the request states a
   * balance, so it also replaces what fills took from the account before it arrived.
   */
  #count(key: string, more: Decimal): Replenished | undefined {
    const before = this.#kept.get(key);
    if (before === undefined || more.isZero()) return before;
    const one = { ...before, added: Decimal.max(ZERO, before.added.plus(more)) };
    this.#kept.set(key, one);
    this.#save();
    return one;
  }

  /** Requests what replenished accounts lack. */
  replenish(): void {
    const { accounts, marketOf: marketAt, now } = this.#setup;
    for (const [key, one] of this.#kept) {
      const rejectedAt = this.#rejectedAt.get(key);
      const isTooSoon = rejectedAt !== undefined && now() - rejectedAt < RETRY_US;
      if (one.maxPerDay.isZero() || isTooSoon) continue;
      const market = marketAt(one.symbol, one.mode);
      if (market === undefined || this.#inFlight.has(key) || accounts.isRequested(market)) continue;
      const lack = shortfallOf(accounts, market, one);
      if (lack.greaterThan(0)) this.#add(key, one, market, lack);
      else this.#reported.delete(key);
    }
  }

  #add(key: string, one: Replenished, market: MarginMarket, lack: Decimal): void {
    const { accounts, available, ask, now } = this.#setup;
    const { quoteCurrency } = market.instrument;
    const today = dayOf(now());
    const added = one.day === today ? one.added : ZERO;
    const left = one.maxPerDay.minus(added);
    const there = available(quoteCurrency);
    if (there === undefined) return;
    const amount = rounded(Decimal.min(lack, left, there), AMOUNT_PLACES, 'down');
    if (!amount.greaterThan(0)) {
      const why = left.greaterThan(0)
        ? `nothing of ${quoteCurrency} is available`
        : `the ${brief(one.maxPerDay)} ${quoteCurrency} of the day are used up`;
      this.#logOnce(
        key,
        `lacks ${brief(lack)} ${quoteCurrency} and is not replenished: ${why}.`,
        why,
      );
      return;
    }
    const { symbol, mode } = one;
    const balance = accounts.account(market).balance.plus(amount);
    const request: MarginRequest = { kind: 'setMargin', symbol, mode, balance };
    this.#inFlight.set(key, { request, amount });
    this.#kept.set(key, { ...one, day: today, added: added.plus(amount) });
    // Before sending: an outcome lost in a crash counts.
    this.#save();
    ask(market, request);
  }

  /** Logs a message about an account, unless it was logged for this reason already. */
  #logOnce(key: string, what: string, reason: string): void {
    if (this.#reported.get(key) === reason) return;
    this.#reported.set(key, reason);
    this.#setup.log.warn(`The margin account ${key} ${what}`, { account: key });
  }

  /** The account of an own request. */
  #keyOf(request: MarginRequest): string | undefined {
    for (const [key, inFlight] of this.#inFlight) if (inFlight.request === request) return key;
    return undefined;
  }

  #save(): void {
    this.#setup.memory?.save(JSON.stringify(this.#written()));
  }

  #written(): Readonly<Record<string, StoredReplenished>> {
    const kept = [...this.#kept].map(([key, one]): [string, StoredReplenished] => [
      key,
      {
        ...one,
        floor: one.floor?.toFixed(),
        target: one.target?.toFixed(),
        maxPerDay: one.maxPerDay.toFixed(),
        added: one.added.toFixed(),
      },
    ]);
    return Object.fromEntries(kept);
  }
}

/** Funds that an account lacks for its target; 0 if it lacks nothing or does not exist. */
function shortfallOf(
  accounts: StrategyMarginAccounts,
  market: MarginMarket,
  { floor, target }: Replenished,
): Decimal {
  const { state, balance } = accounts.account(market);
  if (state === 'none') return ZERO;
  const isLow = floor !== undefined && balance.lessThan(floor);
  const isCalled = state === 'marginCall';
  if (!isLow && !isCalled) return ZERO;
  const toTarget = (target ?? floor ?? balance).minus(balance);
  const toSafety = isCalled ? accounts.lacking(market) : undefined;
  return Decimal.max(ZERO, toTarget, toSafety ?? ZERO);
}

const untraded = (symbol: string, mode: string): MillraceError =>
  new MillraceError(
    'config-invalid',
    `replenish names ${symbol} on ${mode} margin, which the strategy does not trade there.`,
    { field: 'replenish' },
  );

const reportedTwice = (symbol: string, mode: string): MillraceError =>
  new MillraceError(
    'config-invalid',
    `replenish names the margin account of ${symbol} on ${mode} margin twice.`,
    { field: 'replenish' },
  );

const keyOf = ({ instrument, mode }: MarginMarket): string =>
  marginAccountKey(marginAccountId(instrument, mode));

/** Stored form, with decimals as text. */
type StoredReplenished = {
  readonly [K in keyof Replenished]: Replenished[K] extends Decimal | undefined
    ? string | Extract<Replenished[K], undefined>
    : Replenished[K];
};

function read(kept: string | undefined): Map<string, Replenished> {
  const written = JSON.parse(kept ?? '{}') as Readonly<Record<string, StoredReplenished>>;
  return new Map(
    Object.entries(written).map(([key, { floor, target, maxPerDay, added, ...rest }]) => [
      key,
      {
        ...rest,
        floor: floor === undefined ? undefined : decimal(floor),
        target: target === undefined ? undefined : decimal(target),
        maxPerDay: decimal(maxPerDay),
        added: decimal(added),
      },
    ]),
  );
}
