import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeLines } from '../../backtest/csv.ts';
import type { BacktestResult, TradeRow } from '../../backtest/result.ts';
import { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { InstrumentTerms } from '../../model/instrument.ts';
import { isoTime, micros, parseIsoTime, US_PER_DAY, US_PER_SECOND } from '../../platform/time.ts';
import { exact, freqtradeTrade, pairOf, quotient, timesOf } from './freqtrade-trades.ts';
import { PairStatistics } from './freqtrade-statistics.ts';
import type { Writing } from './new-files.ts';

/**
 * Writes round trips as a freqtrade backtest result, which `load_backtest_data` and
 * `load_backtest_stats` read: the result, its `.meta.json`, and `.last_result.json`, by which a
 * folder is read. Returns also notes on data without a counterpart. Throws `export-unsupported` for
 * trades outside the currency of the equity.
 */
export function writeFreqtrade(
  result: BacktestResult,
  trades: Iterable<TradeRow>,
  into: string,
): Writing & { readonly notes: readonly string[] } {
  const { strategy, hash, plan } = result;
  const [from, till] = [timesOf(plan.tradingFrom), timesOf(plan.till)];
  const stamp = till.text.slice(0, 19).replace(' ', '_').replaceAll(':', '-');
  const stem = `backtest-result-${strategy.name}-${hash.slice(0, 12)}_${stamp}`;
  const notes = notesOf(result);
  writeLines(join(into, `${stem}.json`), linesOf(result, trades));
  const meta = {
    [strategy.name]: {
      run_id: hash.slice(0, 40),
      backtest_start_time: Math.floor(till.us / US_PER_SECOND),
      backtest_start_ts: Math.floor(from.us / US_PER_SECOND),
      backtest_end_ts: Math.floor(till.us / US_PER_SECOND),
      timeframe: null,
      timeframe_detail: null,
      notes: `Exported by Millrace from run ${hash}. ${notes.join(' ')}`,
    },
  };
  writeFileSync(join(into, `${stem}.meta.json`), `${JSON.stringify(meta)}\n`);
  const last = { latest_backtest: `${stem}.json` };
  writeFileSync(join(into, '.last_result.json'), `${JSON.stringify(last)}\n`);
  return { files: [`${stem}.json`, `${stem}.meta.json`, '.last_result.json'], notes };
}

/** Text of the result: one line per trade, to keep little in memory. */
function* linesOf(result: BacktestResult, trades: Iterable<TradeRow>): Iterable<string> {
  const { name } = result.strategy;
  const terms = new Map(result.instruments.map((each) => [each.symbol, each]));
  const start = new Decimal(result.metrics.equity.start);
  const total = new PairStatistics('TOTAL', start);
  const byPair = new Map(
    result.instruments.map((each) => [pairOf(each), new PairStatistics(pairOf(each), start)]),
  );
  const days = new DailyProfit();
  const quote = result.plan.equityCurrency;
  yield `{"strategy":{${JSON.stringify(name)}:{"trades":[`;
  for (const row of trades) {
    const instrument = terms.get(row.symbol);
    if (instrument === undefined) throw unknownSymbol(row.symbol);
    if (instrument.quoteCurrency !== quote) throw severalCurrencies(quote, instrument);
    const trade = freqtradeTrade(row, instrument);
    yield `${total.trades > 0 ? ',' : ''}${JSON.stringify(trade.record)}`;
    total.add(trade);
    byPair.get(trade.pair)?.add(trade);
    days.add(trade.closedOn, trade.net);
  }
  const pairs = [...byPair.values()].sort((a, b) => b.net.comparedTo(a.net));
  const statistics = {
    results_per_pair: [...pairs, total].map((each) => each.line()),
    ...summaryOf(result, total, quote),
    daily_profit: days.list(),
  };
  yield `],${JSON.stringify(statistics).slice(1, -1)}}},`;
  const { maxAmount, maxRatio } = result.metrics.drawdown;
  const comparison = {
    ...total.line(),
    key: name,
    max_drawdown_account: maxRatio,
    max_drawdown_abs: maxAmount,
  };
  yield `"strategy_comparison":[${JSON.stringify(comparison)}]}`;
}

/** Figures of the strategy by freqtrade's names. */
function summaryOf(result: BacktestResult, total: PairStatistics, quote: string): object {
  const { strategy, plan, metrics, instruments } = result;
  const [from, till] = [timesOf(plan.tradingFrom), timesOf(plan.till)];
  const { equity, drawdown, buyAndHold, trades } = metrics;
  const second = ({ text }: { readonly text: string }): string => text.slice(0, 19);
  const [peak, trough] = [drawdown.maxRatioPeakAt, drawdown.maxRatioTroughAt].map((at) =>
    timesOf(at ?? '1970-01-01'),
  );
  const changes = buyAndHold.flatMap((each) => each.return ?? []);
  return {
    strategy_name: strategy.name,
    pairlist: instruments.map(pairOf),
    stake_currency: quote,
    starting_balance: exact(new Decimal(equity.start)),
    dry_run_wallet: exact(new Decimal(equity.start)),
    final_balance: exact(new Decimal(equity.end)),
    total_trades: total.trades,
    profit_total_abs: exact(total.net),
    profit_total: exact(quotient(total.net, new Decimal(equity.start))),
    profit_factor: trades.profitFactor ?? 0,
    wins: total.wins,
    draws: total.trades - total.wins - total.losses,
    losses: total.losses,
    market_change: changes.reduce((sum, each) => sum + each, 0) / (changes.length || 1),
    max_drawdown_abs: exact(new Decimal(drawdown.maxAmount)),
    max_drawdown_account: drawdown.maxRatio,
    drawdown_start: second(peak),
    drawdown_start_ts: peak.ms,
    drawdown_end: second(trough),
    drawdown_end_ts: trough.ms,
    backtest_start: second(from),
    backtest_start_ts: from.ms,
    backtest_end: second(till),
    backtest_end_ts: till.ms,
    backtest_days: Math.max(1, Math.floor((till.us - from.us) / US_PER_DAY)),
    timeframe: null,
    locks: [],
  };
}

/** Profit by the day that trades closed on; days without a trade have 0. */
class DailyProfit {
  readonly #days = new Map<string, Decimal>();
  #first: string | undefined;
  #last: string | undefined;

  add(day: string, net: Decimal): void {
    this.#days.set(day, (this.#days.get(day) ?? new Decimal(0)).plus(net));
    if (this.#first === undefined || day < this.#first) this.#first = day;
    if (this.#last === undefined || day > this.#last) this.#last = day;
  }

  list(): readonly (readonly [string, unknown])[] {
    if (this.#first === undefined || this.#last === undefined) return [];
    const [from = 0, till = 0] = [this.#first, this.#last].map(parseIsoTime);
    return Array.from({ length: (till - from) / US_PER_DAY + 1 }, (_, index) => {
      const day = isoTime(micros(from + index * US_PER_DAY)).slice(0, 10);
      return [day, exact(this.#days.get(day) ?? new Decimal(0))] as const;
    });
  }
}

/** Notes on data that only freqtrade or only this run has. */
function notesOf({ metrics, margin, payments }: BacktestResult): readonly string[] {
  const isMargin = margin !== undefined || payments !== undefined;
  return [
    'A trade is a round trip: lots of one entry order closed by one exit order.',
    'exit_reason is exit_signal unless the venue closed the position; enter_tag and stop losses are null, as a run does not record them.',
    'fee_open and fee_close are the fees of the trade over the value of both orders; profit_ratio is net over the entry value.',
    'Drawdown is that of the sampled equity, and final_balance the equity at the end.',
    ...(Number(metrics.trades.unrealized) === 0
      ? []
      : [
          `Open at the end and in no trade: ${metrics.trades.unrealized} ${metrics.equity.currency} unrealized.`,
        ]),
    ...(isMargin
      ? ['leverage is 1 and funding_fees 0: funding and interest are paid by accounts, not trades.']
      : []),
  ];
}

const unknownSymbol = (symbol: string): MillraceError =>
  new MillraceError(
    'result-invalid',
    `trades.csv has ${symbol}, and result.json no such instrument: a file was changed. Run the backtest again.`,
  );

const severalCurrencies = (
  quote: string,
  { symbol, quoteCurrency }: InstrumentTerms,
): MillraceError =>
  new MillraceError(
    'export-unsupported',
    `freqtrade counts in one currency, and this run has its equity in ${quote} and trades of ${symbol} in ${quoteCurrency}. Use --as parquet or csv.`,
  );
