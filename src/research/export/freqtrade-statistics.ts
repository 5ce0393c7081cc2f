import { Decimal } from '../../model/decimal.ts';
import { exact, quotient, type FreqtradeTrade } from './freqtrade-trades.ts';

/** Statistics of a pair, or of all, in freqtrade's tables. */
export class PairStatistics {
  readonly #key: string;
  readonly #start: Decimal;
  trades = 0;
  wins = 0;
  losses = 0;
  net = new Decimal(0);
  #ratios = 0;
  #minutes = 0;

  /** `start`: the initial balance, of which profits are shares. */
  constructor(key: string, start: Decimal) {
    this.#key = key;
    this.#start = start;
  }

  add({ net, ratio, minutes }: FreqtradeTrade): void {
    this.trades += 1;
    if (net.greaterThan(0)) this.wins += 1;
    if (net.lessThan(0)) this.losses += 1;
    this.net = this.net.plus(net);
    this.#ratios += ratio;
    this.#minutes += minutes;
  }

  line(): object {
    const mean = (sum: number): number => (this.trades === 0 ? 0 : sum / this.trades);
    const total = quotient(this.net, this.#start);
    const percent = (share: number): number => Math.round(share * 10_000) / 100;
    return {
      key: this.#key,
      trades: this.trades,
      profit_mean: mean(this.#ratios),
      profit_mean_pct: percent(mean(this.#ratios)),
      profit_total_abs: exact(this.net),
      profit_total: exact(total),
      profit_total_pct: percent(total.toNumber()),
      duration_avg: durationOf(Math.round(mean(this.#minutes))),
      wins: this.wins,
      draws: this.trades - this.wins - this.losses,
      losses: this.losses,
      winrate: mean(this.wins),
    };
  }
}

/** As Python prints a timedelta: `1 day, 2:05:00`. */
function durationOf(minutes: number): string {
  const days = Math.floor(minutes / 1_440);
  const rest = `${Math.floor((minutes % 1_440) / 60)}:${String(minutes % 60).padStart(2, '0')}:00`;
  return days === 0 ? rest : `${days} day${days === 1 ? '' : 's'}, ${rest}`;
}
