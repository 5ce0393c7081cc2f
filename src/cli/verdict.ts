import { relative } from 'node:path';
import type { RunFiles } from '../backtest/output.ts';
import { YEARLY_MIN_US } from '../backtest/assumptions.ts';
import type { BacktestResult, Metrics } from '../backtest/result.ts';
import { paint, table, type Terminal } from './terminal.ts';

/** What a person wants to know first of a backtest: figures in a table, then where the page lies. */
export function verdict(result: BacktestResult, files: RunFiles, { out }: Terminal): string {
  const { strategy, recordings, metrics, orders, plan, warnings } = result;
  const { equity, drawdown, trades, fees } = metrics;
  const money = (text: string | null): string =>
    text === null ? '-' : `${grouped(text)} ${equity.currency}`;
  const made = recordings.some(({ synthetic }) => synthetic) ? ' (synthetic)' : '';
  const gain = metrics.profit.startsWith('-') ? 'red' : 'green';
  const rows = [
    [
      'recording',
      `${recordings.map(({ symbol }) => symbol).join(', ')}${made}, ${metrics.events.toLocaleString('en')} events`,
    ],
    ['period', `${plan.tradingFrom} to ${plan.till}`],
    ['equity', `${grouped(equity.start)} to ${money(equity.end)}`],
    ['profit', `${paint(out, gain, money(metrics.profit))} (${percent(metrics.totalReturn)})`],
    ...metrics.buyAndHold.map((held) => [`holding ${held.symbol}`, percent(held.return)]),
    ['largest drawdown', `${money(drawdown.maxAmount)} (${percent(drawdown.maxRatio)})`],
    ...yearly(metrics),
    [
      'round trips',
      `${trades.count}, ${percent(trades.winRate)} won, profit factor ${ratio(trades.profitFactor)}`,
    ],
    ['orders', `${orders.sent} sent, ${orders.filled} filled, ${orders.rejected} refused`],
    ['fills', `${orders.fills}, ${orders.takerFills} as taker`],
    ['fees', money(fees.worth)],
    [
      'turnover, exposure',
      `${money(metrics.turnover.amount)}, ${percent(metrics.exposure)} of the time`,
    ],
    ['hash', result.hash],
  ];
  return [
    paint(out, 'bold', strategy.name),
    table(rows),
    ...warnings.map((warning) => paint(out, 'yellow', `note: ${warning}`)),
    '',
    `report  ${here(files.report)}`,
    `numbers ${here(files.result)}`,
  ].join('\n');
}

const here = (path: string): string => relative(process.cwd(), path);

/** Two decimals, cut and not rounded, are enough for a table; the exact number is in the files. */
function grouped(text: string): string {
  const [whole = '0', fraction = ''] = text.split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(2, '0').slice(0, 2)}`;
}

/** Figures per year; left out of the table where they would be guesswork. */
const yearly = ({ spanUs, sharpe, sortino, calmar }: Metrics): string[][] =>
  spanUs < YEARLY_MIN_US
    ? []
    : [['Sharpe, Sortino, Calmar', [sharpe, sortino, calmar].map(ratio).join(', ')]];

const percent = (share: number | null): string =>
  share === null ? '-' : `${(share * 100).toFixed(2)} %`;

const ratio = (value: number | null): string => (value === null ? '-' : value.toFixed(2));
