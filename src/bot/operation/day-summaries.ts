import { NOTHING, type Amount } from '../../model/amount.ts';
import { pause } from '../../platform/pause.ts';
import { dayOf, isoTime, micros, US_PER_DAY, US_PER_SECOND, type Micros } from '../../platform/time.ts'; // prettier-ignore
import type { EquityMark, EquityMemory } from '../../risk/guards/equity.ts';
import type { AccountContext } from '../account/account-context.ts';
import type { DayTraded } from '../api/bot-event.ts';
import { JournalReader } from '../journal/reader.ts';
import type { StrategyRunner } from '../strategy/runner.ts';
import type { BotParts } from './parts.ts';
import { errorText } from '../../model/errors.ts';

/** Delay until a day's last fills are reported and journaled. */
const REPORTED_WITHIN_US = 5 * US_PER_SECOND;
/** Orders read at a time, so that trading never waits. */
const ORDERS_AT_ONCE = 100;

/**
 * Sends a summary of a day of UTC+0 once it is over: PnL by the equity baselines, fills and fees by the
 * journal. The last equities of an earlier process are not stored, so a day that ended while the process
 * was down has none.
 */
export class DaySummaries {
  readonly #parts: Pick<BotParts, 'scheduler' | 'log' | 'emit'>;
  readonly #isMarked: (strategy: string) => boolean;
  /** Accounts that were checked before. */
  readonly #begun = new Set<string>();
  /** Equity baselines of an earlier process: their last equity is unknown. */
  readonly #recalled = new WeakSet<EquityMark>();
  /** The last day that was summarised, by account. */
  readonly #reported = new Map<string, number>();

  /** `isMarked` returns false for a strategy whose PnL is unknown now. */
  constructor(
    parts: Pick<BotParts, 'scheduler' | 'log' | 'emit'>,
    isMarked: (strategy: string) => boolean,
  ) {
    this.#parts = parts;
    this.#isMarked = isMarked;
  }

  /** To be called before equities are marked: their marks are still those of the day before. */
  poll({ account, guards }: AccountContext, runners: readonly StrategyRunner[], now: Micros): void {
    if (this.#parts.emit === undefined) return;
    if (!this.#begun.has(account.name)) {
      this.#begun.add(account.name);
      for (const { memory } of [guards, ...runners.map((runner) => runner.guards)]) {
        for (const mark of memory.values()) this.#recalled.add(mark);
      }
    }
    const day = Math.max(...this.#known(guards.memory).map(([, mark]) => mark.day));
    if (!Number.isFinite(day) || day >= dayOf(now) || this.#reported.get(account.name) === day)
      return;
    this.#reported.set(account.name, day);
    const result = this.#result(guards.memory, day);
    const strategies = runners
      .filter(({ name }) => this.#isMarked(name))
      .map((runner) => ({ name: runner.name, result: this.#result(runner.guards.memory, day) }));
    void this.#report({ account: account.name, result, strategies }, day, account.journal.path);
  }

  async #report(
    results: {
      readonly account: string;
      readonly result: Readonly<Record<string, string>>;
      readonly strategies: readonly { readonly name: string; readonly result: Readonly<Record<string, string>> }[]; // prettier-ignore
    },
    day: number,
    journal: string,
  ): Promise<void> {
    const { scheduler, log, emit } = this.#parts;
    const from = micros(day * US_PER_DAY);
    await pause(scheduler, REPORTED_WITHIN_US);
    let traded: DayTraded | undefined;
    try {
      traded = await this.#traded(journal, from);
    } catch (error) {
      const why = errorText(error);
      log.warn(`What ${results.account} traded on a day could not be read: ${why}`);
    }
    const date = isoTime(from).slice(0, 10);
    emit?.({ kind: 'day', at: scheduler.now(), date, ...results, traded });
  }

  /** Fills and fees of the day that begins at `from`, read a few at a time. */
  async #traded(journal: string, from: Micros): Promise<DayTraded> {
    const reader = JournalReader.open(journal);
    const fees = new Map<string, Amount>();
    let [fills, read] = [0, 0];
    try {
      for (const { order } of reader.orders(from)) {
        read += 1;
        if (read % ORDERS_AT_ONCE === 0) await pause(this.#parts.scheduler, 0);
        if (order.filledLots === 0) continue;
        for (const { at, fee, feeCurrency } of reader.fills(order.clientOrderId)) {
          if (at < from || at >= from + US_PER_DAY) continue;
          fills += 1;
          fees.set(feeCurrency, (fees.get(feeCurrency) ?? NOTHING).plus(fee));
        }
      }
    } finally {
      reader.close();
    }
    return {
      fills,
      fees: Object.fromEntries([...fees].map(([currency, fee]) => [currency, fee.toFixed()])),
    };
  }

  /** PnL of a day by currency; currencies that were not checked on it are left out. */
  #result(memory: EquityMemory, day: number): Readonly<Record<string, string>> {
    return Object.fromEntries(
      this.#known(memory)
        .filter(([, mark]) => mark.day === day)
        .map(([currency, { start, last }]) => [currency, last.minus(start).toFixed()]),
    );
  }

  #known(memory: EquityMemory): readonly (readonly [string, EquityMark])[] {
    return [...memory].filter(([, mark]) => !this.#recalled.has(mark));
  }
}
