import type { OrderMarket } from '../../../exchange/positions/flags.ts';
import type { MarginReport } from '../../../exchange/positions/report.ts';
import type { Instrument } from '../../../model/instrument.ts';
import type { Micros } from '../../../platform/time.ts';
import type { HistoryQuery } from '../orders/series.ts';
import { isTradedOn } from '../orders/symbols.ts';
import { clearingOf, type ClearingRecord } from './clearing-record.ts';
import { pageFrom } from './page-from.ts';

/** Clearings kept of each account at least: nine years for a position with three fundings a day. */
const KEPT = 10_000;

/** Payments of margin accounts without orders of their holders. */
export class Clearings {
  readonly #instruments: ReadonlyMap<string, Instrument>;
  readonly #accounts = new Map<number, ClearingRecord[]>();
  #made = 0;

  constructor(instruments: readonly Instrument[]) {
    this.#instruments = new Map(instruments.map((one) => [one.symbol, one]));
  }

  /** Stores the clearing of a report. */
  record(report: MarginReport): void {
    const instrument = this.#instruments.get(report.position?.symbol ?? '');
    if (instrument === undefined) return;
    const event = clearingOf(report, instrument);
    if (event === undefined) return;
    this.#made += 1;
    const { trader: account, currency } = report;
    const at = report.at as Micros;
    const kept = this.#accounts.get(account) ?? [];
    this.#accounts.set(account, kept);
    kept.push({ id: this.#made, account, instrument, currency, at, ...event });
    // The older half is dropped at twice the size, so that each costs next to nothing.
    if (kept.length >= 2 * KEPT) kept.splice(0, kept.length - KEPT);
  }

  /** A page of an account's clearings on a market. */
  of(account: number, market: OrderMarket, query: HistoryQuery): readonly ClearingRecord[] {
    const { symbols, page } = query;
    const fitting = (this.#accounts.get(account) ?? []).filter(
      ({ instrument }) =>
        isTradedOn(market, instrument) &&
        (symbols.length === 0 || symbols.includes(instrument.symbol)),
    );
    return pageFrom(fitting, page, ({ at }) => at);
  }
}
