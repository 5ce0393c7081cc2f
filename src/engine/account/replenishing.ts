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

/** What was rejected is asked for again after so long: the reason seldom passes by itself. */
const AGAIN_US = 10 * US_PER_SECOND;

/** Keeps what was replenished over a restart, in one commit with the request that follows. */
export interface ReplenishingMemory {
  kept(): string | undefined;
  keep(text: string): void;
}

/** How the configuration wants an account to be replenished. */
export interface ConfiguredReplenish {
  /** Of a cross account any symbol that trades on it. */
  readonly symbol: string;
  readonly mode: MarginMarket['mode'];
  readonly replenish: Replenish;
}

export interface ReplenishingSetup {
  readonly configured: readonly ConfiguredReplenish[];
  readonly accounts: StrategyMarginAccounts;
  readonly log: Log;
  readonly now: () => Micros;
  /** What of a currency may be moved from spot; `undefined` while it is not known. */
  readonly available: (currency: string) => Decimal | undefined;
  /** Sends a request for an account. */
  readonly ask: (market: MarginMarket, request: MarginRequest) => void;
  readonly memory: ReplenishingMemory | undefined;
  /** Where a symbol is traded; `undefined` where it is not any more. */
  readonly marketOf: (symbol: string, mode: MarginMarket['mode']) => MarginMarket | undefined;
}

/** An account that is replenished. */
interface Replenished {
  readonly symbol: string;
  readonly mode: MarginMarket['mode'];
  readonly floor?: Decimal | undefined;
  readonly target?: Decimal | undefined;
  /** 0 where it has ended: what was added counts for its day however often that changes. */
  readonly maxPerDay: Decimal;
  /** The day, in UTC+0, of what was added. */
  readonly day: number;
  /** What was asked for that day, and not rejected. */
  readonly added: Decimal;
  /** True where the configuration says it. */
  readonly isConfigured?: true | undefined;
}

/** How a strategy wants an account to be replenished. */
interface Wanted {
  readonly market: MarginMarket;
  readonly replenish: Replenish;
}

/**
 * Fills margin accounts up from spot, where a strategy wants it: to `target` where the balance is below `floor`,
 * and at a margin call by what brings the effective leverage back to the account's own, as the exchange service
 * does it. Never more than `maxPerDay` in a day of UTC+0, nor than what is available. One request is on its way at
 * a time, and each says the balance that the account is to have, so saying it again takes nothing twice. One that is rejected comes again after a pause.
 */
export class Replenishing {
  readonly #setup: ReplenishingSetup;
  readonly #kept: Map<string, Replenished>;
  /** What was asked for and not answered, by account. */
  readonly #asked = new Map<
    string,
    { readonly request: MarginRequest; readonly amount: Decimal }
  >();
  /** What strategies want with requests that are not answered. */
  readonly #wanted = new Map<MarginRequest, Wanted>();
  /** Why an account was not filled up, so that it is said once. */
  readonly #reported = new Map<string, string>();
  /** When the last request for an account was rejected. */
  readonly #rejectedAt = new Map<string, Micros>();

  constructor(setup: ReplenishingSetup) {
    this.#setup = setup;
    this.#kept = read(setup.memory?.kept());
    this.#configure();
  }

  /** True where the configuration says how an account is replenished, and the strategy may not. */
  isConfigured(market: MarginMarket): boolean {
    return this.#kept.get(keyOf(market))?.isConfigured === true;
  }

  /** Takes up what the configuration says; of what it said and says no more nothing is left but what came today. */
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
    if (JSON.stringify(this.#written()) !== before) this.#keep();
  }

  /**
   * Takes up how an account is to be replenished from here on, `maxPerDay` of 0 ends it: once a request is
   * accepted where it comes with one, else at once.
   */
  want(market: MarginMarket, replenish: Replenish, request?: MarginRequest): void {
    if (request !== undefined) {
      this.#wanted.set(request, { market, replenish });
      return;
    }
    const key = keyOf(market);
    // What was said last holds, whatever becomes of what was said before.
    for (const [of, wanted] of this.#wanted) {
      if (keyOf(wanted.market) === key) this.#wanted.delete(of);
    }
    this.#want(market, replenish, undefined);
  }

  #want({ instrument, mode }: MarginMarket, replenish: Replenish, balance?: Decimal): void {
    const key = keyOf({ instrument, mode });
    const before = this.#kept.get(key);
    const { floor, target = balance ?? before?.target, maxPerDay } = replenish;
    const today = dayOf(this.#setup.now());
    const { day, added } = before ?? { day: today, added: ZERO };
    const counts = !added.isZero() && (day === today || this.#asked.has(key));
    if (maxPerDay.isZero() && !counts) this.#kept.delete(key);
    else {
      const { symbol } = instrument;
      this.#kept.set(key, { symbol, mode, floor, target, maxPerDay, day, added });
    }
    this.#reported.delete(key);
    this.#keep();
  }

  /** Takes the answer to a request in, by which so much was brought to the account. */
  answered(request: MarginRequest, report: MarginReport, moved: Decimal): void {
    const wanted = this.#wanted.get(request);
    this.#wanted.delete(request);
    if (wanted !== undefined && report.kind === 'marginAccount') {
      this.#want(wanted.market, wanted.replenish, request.balance);
    }
    const key = this.#keyOf(request);
    if (key !== undefined) this.#done(key, report, moved);
  }

  #done(key: string, report: MarginReport, moved: Decimal): void {
    const asked = this.#asked.get(key)?.amount ?? ZERO;
    this.#asked.delete(key);
    const isRejected = report.kind === 'marginRejected';
    if (isRejected) this.#rejectedAt.set(key, this.#setup.now());
    // Nobody knows whether that one was done, so it counts.
    if (isRejected && report.rejection.code === 'outcome-unknown') return;
    const one = this.#count(key, moved.minus(asked));
    if (isRejected) {
      if (one === undefined) return;
      this.#say(key, `was not replenished: ${report.rejection.message}`, report.rejection.code);
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
   * Counts for the day what a request brought beyond what it was to bring: it says the balance to have, so what
   * fills took of the account before it arrived came with it.
   */
  #count(key: string, more: Decimal): Replenished | undefined {
    const before = this.#kept.get(key);
    if (before === undefined || more.isZero()) return before;
    const one = { ...before, added: Decimal.max(ZERO, before.added.plus(more)) };
    this.#kept.set(key, one);
    this.#keep();
    return one;
  }

  /** Looks at all accounts that are replenished, and asks for what they lack. */
  look(): void {
    const { accounts, marketOf: marketAt, now } = this.#setup;
    for (const [key, one] of this.#kept) {
      const rejectedAt = this.#rejectedAt.get(key);
      const isTooSoon = rejectedAt !== undefined && now() - rejectedAt < AGAIN_US;
      if (one.maxPerDay.isZero() || isTooSoon) continue;
      const market = marketAt(one.symbol, one.mode);
      if (market === undefined || this.#asked.has(key) || accounts.isAsked(market)) continue;
      const lack = lackOf(accounts, market, one);
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
      this.#say(key, `lacks ${brief(lack)} ${quoteCurrency} and is not replenished: ${why}.`, why);
      return;
    }
    const { symbol, mode } = one;
    const balance = accounts.account(market).balance.plus(amount);
    const request: MarginRequest = { kind: 'setMargin', symbol, mode, balance };
    this.#asked.set(key, { request, amount });
    this.#kept.set(key, { ...one, day: today, added: added.plus(amount) });
    // Before it leaves: what a crash leaves open counts.
    this.#keep();
    ask(market, request);
  }

  /** Says something of an account, unless it was for this reason already. */
  #say(key: string, what: string, reason: string): void {
    if (this.#reported.get(key) === reason) return;
    this.#reported.set(key, reason);
    this.#setup.log.warn(`The margin account ${key} ${what}`, { account: key });
  }

  /** The account that a request of its own is for. */
  #keyOf(request: MarginRequest): string | undefined {
    for (const [key, asked] of this.#asked) if (asked.request === request) return key;
    return undefined;
  }

  #keep(): void {
    this.#setup.memory?.keep(JSON.stringify(this.#written()));
  }

  #written(): Readonly<Record<string, Written>> {
    const kept = [...this.#kept].map(([key, one]): [string, Written] => [
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

/** What an account lacks of what it is to have; 0 where it lacks nothing or is not there. */
function lackOf(
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

/** As it is kept, decimals as text. */
type Written = {
  readonly [K in keyof Replenished]: Replenished[K] extends Decimal | undefined
    ? string | Extract<Replenished[K], undefined>
    : Replenished[K];
};

function read(kept: string | undefined): Map<string, Replenished> {
  const written = JSON.parse(kept ?? '{}') as Readonly<Record<string, Written>>;
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
