import { Amount, NOTHING } from '../../model/amount.ts';
import { ZERO } from '../../model/decimal.ts';
import type { BalanceReport } from '../../model/report.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_MS, US_PER_SECOND } from '../../platform/time.ts';
import type { Balance } from '../../strategy/context.ts';
import { contractRules } from './contracts.ts';
import type { CcxtExchange, Given } from './exchange.ts';
import { decimalOf } from './terms.ts';
import type { VenueRules } from './venues.ts';

export interface ReportedBalancesSetup {
  readonly scheduler: Scheduler;
  readonly emit: (report: BalanceReport) => void;
  /** True while no request is in flight and no fill is missing. */
  readonly isSettled: () => boolean;
}

const WAIT_US = US_PER_SECOND;
const LOOK_US = 50 * US_PER_MS;

/** The balances of an account as they were reported: what changes is. */
export class ReportedBalances {
  readonly #setup: ReportedBalancesSetup;
  readonly #known = new Map<string, string>();
  #waiting: Given | undefined;
  #isClosed = false;
  #cancel: Cancel = () => undefined;

  constructor(setup: ReportedBalancesSetup) {
    this.#setup = setup;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  /** Balances of a stream follow the reports of what changed them: they wait for those, but not for long. */
  takeLater(given: Given): void {
    const { scheduler, isSettled } = this.#setup;
    const isWaiting = this.#waiting !== undefined;
    this.#waiting = given;
    if (isWaiting) return;
    const latest = scheduler.now() + WAIT_US;
    const settle = (): void => {
      const waiting = this.#waiting;
      if (waiting === undefined || this.#isClosed) return;
      if (isSettled() || scheduler.now() >= latest) {
        this.#waiting = undefined;
        this.take(waiting);
      } else this.#cancel = scheduler.at(micros(scheduler.now() + LOOK_US), settle);
    };
    settle();
  }

  /** Reports what changed; a currency that is missing now is nothing. */
  take(given: Given): void {
    const { scheduler, emit } = this.#setup;
    const at = scheduler.now();
    const balances = balancesOf(given);
    const names = new Set(balances.map(({ currency }) => currency));
    const gone = [...this.#known.keys()].filter((currency) => !names.has(currency));
    for (const { currency, available, reserved } of balances) {
      const text = `${available.toFixed()} ${reserved.toFixed()}`;
      if (this.#known.get(currency) === text) continue;
      this.#known.set(currency, text);
      const amounts = { available: Amount.of(available), reserved: Amount.of(reserved) };
      emit({ kind: 'balance', at, currency, ...amounts });
    }
    for (const currency of gone) {
      this.#known.delete(currency);
      emit({ kind: 'balance', at, currency, available: NOTHING, reserved: NOTHING });
    }
  }
}

/**
 * The balances of an account. `marginCurrency` is that of its perpetuals, whose wallet is their margin
 * account: it is left out if the same call would report it.
 */
export async function spotBalance(
  exchange: CcxtExchange,
  rules: VenueRules,
  marginCurrency: string | undefined,
): Promise<Given> {
  if (marginCurrency === undefined) return await exchange.fetchBalance(rules.balanceParams);
  const contracts = contractRules(exchange.id);
  const given = await exchange.fetchBalance(contracts?.balanceParams);
  if (contracts?.accounts !== undefined) return given;
  const without = (name: string): Given => {
    const { [marginCurrency]: _wallet, ...others } = (given[name] as Given | undefined) ?? {};
    return others;
  };
  return { ...given, free: without('free'), used: without('used'), total: without('total') };
}

/** The balances of an account of ccxt; `undefined` if some are not reported in full. */
export function balancesOf(given: Given): readonly Balance[] {
  const part = (name: string): Given => (given[name] as Given | undefined) ?? {};
  const [free, used, total] = [part('free'), part('used'), part('total')];
  return Object.keys(total).flatMap((currency) => {
    const all = decimalOf(total[currency]);
    const available = decimalOf(free[currency]);
    const reserved = decimalOf(used[currency]) ?? (all && available && all.minus(available));
    if (available === undefined && all === undefined) return [];
    return [{ currency, available: available ?? all ?? ZERO, reserved: reserved ?? ZERO }];
  });
}

/** True if a stream reports the free amount of every currency: some report only the total. */
export const isWholeBalance = (given: Given): boolean =>
  Object.entries((given.total as Given | undefined) ?? {}).every(
    ([currency]) => decimalOf((given.free as Given | undefined)?.[currency]) !== undefined,
  );
