import { MarginAccounts } from '../../engine/account/margin-accounts.ts';
import { brief, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import {
  marginAccountKey,
  type MarginAccountPlace,
  type MarginAccountState,
  type MarginReport,
} from '../../model/margin-account.ts';
import type { Micros } from '../../platform/time.ts';
import type { Log } from '../../strategy/context.ts';
import type { MarginEvent } from '../../strategy/positions.ts';
import type { Meter } from '../api/bot-api.ts';

/** What happened to a margin account, in a sentence. */
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
  readonly instrument: (symbol: string) => Instrument;
  readonly markPrice: (symbol: string) => Decimal | undefined;
  /** As they are known at the start. */
  readonly accounts: readonly MarginAccountState[];
}

/**
 * Tells people of what happens to the margin accounts of an account without an order: whosever they are, also
 * those that no strategy of the bot opened, and those of a strategy that is not there to hear of it.
 */
export class MarginNews {
  readonly #options: MarginNewsOptions;
  readonly #accounts: MarginAccounts;
  readonly #last = new Map<string, MarginNewsLine>();

  constructor(options: MarginNewsOptions) {
    const { instrument, markPrice, accounts } = options;
    this.#options = options;
    this.#accounts = new MarginAccounts({ instrument, markPrice });
    this.#accounts.restore(accounts);
  }

  /** The last that happened to an account in this life. */
  last(place: MarginAccountPlace): MarginNewsLine | undefined {
    return this.#last.get(marginAccountKey(place));
  }

  /** Takes a report in; `isHeard` where the strategy whose account it is hears it and tells of it itself. */
  take(report: MarginReport, owner: string | undefined, isHeard: boolean): void {
    const { name, log, meter } = this.#options;
    const events = this.#accounts.take(report);
    for (const event of events) {
      const { kind, at } = event;
      meter.marginEvent(name, owner ?? '', kind);
      const what = wordsOf(event, report);
      if (what === undefined) continue;
      const text = event.missed === true ? `${what}, while nothing was heard of it` : what;
      if (report.kind === 'marginAccount') {
        this.#last.set(marginAccountKey(report.account), { kind, at, text });
      }
      if (isHeard && TOLD_BY_STRATEGY.has(kind)) continue;
      const whose = owner === undefined ? 'no strategy of the bot' : `strategy ${owner}`;
      const isWarning = owner === undefined || WARNINGS.has(kind);
      log[isWarning ? 'warn' : 'info'](`${text} (account ${name}, ${whose}).`, { ...event, account: name, strategy: owner }); // prettier-ignore
    }
  }
}

/** What an engine logs for its own strategy. */
const TOLD_BY_STRATEGY: ReadonlySet<MarginEvent['kind']> = new Set([
  ...(['liquidated', 'deleveraged', 'settled', 'changedByOthers'] as const),
  ...(['marginCall', 'rejected'] as const),
]);

const WARNINGS: ReadonlySet<MarginEvent['kind']> = new Set([
  ...(['liquidated', 'deleveraged', 'settled', 'changedByOthers', 'marginCall'] as const),
]);

/** An event in words, without a stop at its end; `undefined` for a rejection, which its strategy is told. */
function wordsOf(event: MarginEvent, report: MarginReport): string | undefined {
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
      return `The ${mode} margin account of ${of} was set to ${money(event.balance)}${by}`;
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
