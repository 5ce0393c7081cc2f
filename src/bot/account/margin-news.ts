import { StrategyMarginAccounts } from '../../engine/account/margin-accounts.ts';
import { brief, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import {
  marginAccountKey,
  type MarginAccountId,
  type MarginAccountState,
  type MarginReport,
} from '../../model/margin-account.ts';
import type { Micros } from '../../platform/time.ts';
import type { Log } from '../../strategy/context.ts';
import type { MarginEvent } from '../../strategy/positions.ts';
import type { Meter } from '../api/bot-api.ts';
import type { ReceivedMargin } from '../journal/records.ts';
import { marginName } from './margin-name.ts';

/** A margin account event as a sentence. */
export interface MarginNewsLine {
  readonly kind: MarginEvent['kind'];
  readonly at: Micros;
  readonly text: string;
}

export interface MarginNewsOptions {
  /** Name of the account. */
  readonly name: string;
  readonly log: Log;
  readonly meter: Meter;
  /** Receives an event as a sentence; `strategy` is empty if no strategy of the bot opened the account. */
  readonly report: (strategy: string, news: MarginNewsLine) => void;
  readonly instrument: (symbol: string) => Instrument;
  readonly markPrice: (symbol: string) => Decimal | undefined;
  /** Accounts as known at the start. */
  readonly accounts: readonly MarginAccountState[];
}

/** A report as emitted to a strategy; `isReceived` if the strategy runs and logs it itself. */
export interface ReportedMargin extends ReceivedMargin {
  readonly isReceived: boolean;
  readonly before: MarginAccountState | undefined;
}

/**
 * Logs what happens to the margin accounts of an account without an order: of every owner, also of accounts
 * that no strategy of the bot opened, and of a strategy that is not running.
 */
export class MarginNews {
  readonly #options: MarginNewsOptions;
  readonly #accounts: StrategyMarginAccounts;
  readonly #last = new Map<string, MarginNewsLine>();

  constructor(options: MarginNewsOptions) {
    const { instrument, markPrice, accounts } = options;
    this.#options = options;
    this.#accounts = new StrategyMarginAccounts({ instrument, markPrice });
    this.#accounts.restore(accounts);
  }

  /** The last event of an account in this process, or of a strategy's part of a shared account. */
  last(marginAccount: MarginAccountId, part = ''): MarginNewsLine | undefined {
    return this.#last.get(keyOf(marginAccount, part));
  }

  /**
   * Processes a report and the reports emitted to strategies; each of the `sharers` of a shared account
   * gets its part.
   */
  take(
    report: MarginReport,
    reported: readonly ReportedMargin[],
    sharers: readonly string[] | undefined,
  ): void {
    const events = this.#accounts.take(report);
    const owner = reported.map(({ strategy }) => strategy).join(', ');
    const isReceived = owner !== '' && reported.every((one) => one.isReceived);
    for (const event of events) {
      const text = this.#record(event, report, '');
      const isOfAll = OF_ALL.has(event.kind);
      if (sharers === undefined) {
        this.#say(event, text, owner, isReceived && REPORTED_BY_STRATEGY.has(event.kind));
      } else if (reported.length === 0 || isOfAll) {
        this.#say(event, text, isOfAll ? sharers.join(', ') : owner, false);
      }
    }
    for (const one of sharers === undefined ? [] : reported) {
      const { strategy, report: own } = one;
      const parts = own.kind === 'marginAccount' ? this.#accounts.missed({ ...one, report: own }) : events; // prettier-ignore
      for (const event of parts) {
        if (event.kind === 'leverageChanged') continue;
        const text = this.#record(event, own, strategy, report);
        this.#say(event, text, strategy, one.isReceived && REPORTED_BY_STRATEGY.has(event.kind));
      }
    }
  }

  /**
   * A part's setting that moved an amount was answered. The venue takes a target balance, so changes by
   * others that arrive first change the amount that is moved.
   */
  moved(asked: { strategy: string; amount: Decimal }, reported: readonly ReceivedMargin[]): void {
    const { strategy, amount } = asked;
    const own = reported.find((one) => one.strategy === strategy)?.report;
    if (own?.kind !== 'marginAccount' || own.moved === undefined) return;
    const { moved, account } = own;
    // The venue may keep fewer decimals than a part has.
    if (moved.minus(amount).abs().lessThan('1e-8')) return;
    const { name, log } = this.#options;
    const money = (one: Decimal): string => `${brief(one)} ${account.currency}`;
    log.warn(`The setting of the part of ${strategy} in ${marginName(account)} moved ${money(moved)}, and ${money(amount)} were asked for: something changed the account while it was on its way (account ${name}).`, { strategy, moved, asked: amount }); // prettier-ignore
  }

  /** Records an event's sentence as the last one of its account or part. */
  #record(event: MarginEvent, report: MarginReport, part: string, whole?: MarginReport) {
    const { kind, at } = event;
    const what = newsText(event, report, part, whole);
    if (what === undefined || report.kind !== 'marginAccount') return undefined;
    const text = event.missed === true ? `${what}, while it was disconnected` : what;
    this.#last.set(keyOf(report.account, part), { kind, at, text });
    return text;
  }

  #say(event: MarginEvent, text: string | undefined, owner: string, isReported: boolean): void {
    const { name, log, meter, report } = this.#options;
    meter.marginEvent(name, owner, event.kind);
    if (text !== undefined) report(owner, { kind: event.kind, at: event.at, text });
    if (text === undefined || isReported) return;
    const whose = owner === '' ? 'no strategy of the bot' : `strategy ${owner}`;
    const isWarning = owner === '' || WARNINGS.has(event.kind);
    log[isWarning ? 'warn' : 'info'](`${text} (account ${name}, ${whose}).`, { ...event, account: name, strategy: owner === '' ? undefined : owner }); // prettier-ignore
  }
}

const keyOf = (marginAccount: MarginAccountId, part: string): string =>
  `${marginAccountKey(marginAccount)} ${part}`;

/** Events of a shared account as a whole; all others are reported for each part. */
const OF_ALL: ReadonlySet<MarginEvent['kind']> = new Set([
  ...(['marginCall', 'recovered', 'leverageChanged'] as const),
]);

/** Events that the engine logs for its own strategy. */
const REPORTED_BY_STRATEGY: ReadonlySet<MarginEvent['kind']> = new Set([
  ...(['liquidated', 'deleveraged', 'settled', 'changedByOthers'] as const),
  ...(['marginCall', 'rejected'] as const),
]);

const WARNINGS: ReadonlySet<MarginEvent['kind']> = new Set([
  ...(['liquidated', 'deleveraged', 'settled', 'changedByOthers', 'marginCall'] as const),
]);

/**
 * Describes an event of an account, or of a part of a `whole` one, without a final full stop; `undefined`
 * for a rejection, which goes to its strategy.
 */
function newsText(
  event: MarginEvent,
  report: MarginReport,
  part: string,
  whole: MarginReport | undefined,
): string | undefined {
  if (report.kind === 'marginRejected' || event.kind === 'rejected') return undefined;
  const { account, byOthers } = report;
  const { mode, currency } = account;
  const of = event.symbol ?? currency;
  const money = (amount: Decimal): string => `${brief(amount)} ${currency}`;
  const by = byOthers === true ? ' by others' : '';
  switch (event.kind) {
    case 'funding':
    case 'interest': {
      const { amount, kind } = event;
      const way = amount.isNegative() ? 'paid' : 'received';
      return `The position in ${of} on ${mode} margin ${way} ${money(amount.abs())} of ${kind}`;
    }
    case 'marginCall':
      return `There is a margin call on the ${mode} margin account of ${of}, which has ${money(account.balance)}`;
    case 'recovered':
      return `The ${mode} margin account of ${of} is back from its margin call`;
    case 'marginChanged':
      return whole?.kind === 'marginAccount'
        ? `The part of ${part} in the ${mode} margin account of ${of} was set to ${money(event.balance)}${by}; the account has ${money(whole.account.balance)}`
        : `The ${mode} margin account of ${of} was set to ${money(event.balance)}${by}`;
    case 'leverageChanged': {
      const leverage = event.leverage === undefined ? 'the most that a symbol allows' : brief(event.leverage); // prettier-ignore
      return `The leverage of the ${mode} margin account of ${of} was set to ${leverage}${by}`;
    }
    case 'changedByOthers':
      return `The position in ${of} on ${mode} margin was changed by others to ${event.lots} lots`;
    default:
      return `The position in ${of} on ${mode} margin was ${event.kind}, to ${event.lots} lots; ${money(account.balance)} are left`;
  }
}
