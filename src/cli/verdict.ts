import { relative } from 'node:path';
import type { RunFiles } from '../backtest/output.ts';
import { YEARLY_MIN_US } from '../backtest/assumptions.ts';
import {
  figure,
  money as amount,
  percent,
  signedMoney,
  signedPercent,
} from '../backtest/page/format.ts';
import type { BacktestResult, Metrics, OrderStatistics } from '../backtest/result.ts';
import { table } from './table.ts';
import { paint, type Terminal } from './terminal.ts';

/** The summary of a backtest: figures in a table, then the path of the page. */
export function verdict(result: BacktestResult, files: RunFiles, { out }: Terminal): string {
  const { strategy, recordings, metrics, orders, plan, warnings } = result;
  const { equity, drawdown, trades, fees } = metrics;
  const money = (text: string | null): string => `${amount(text)} ${equity.currency}`;
  const made = recordings.some(({ synthetic }) => synthetic) ? ' (synthetic)' : '';
  const gain = metrics.profit.startsWith('-') ? 'red' : 'green';
  const rows = [
    [
      'recording',
      `${recordings.map(({ symbol }) => symbol).join(', ')}${made}, ${metrics.events.toLocaleString('en')} events`,
    ],
    ['period', `${plan.tradingFrom} to ${plan.till}`],
    ['equity', `${amount(equity.start)} to ${money(equity.end)}`],
    [
      'profit',
      `${paint(out, gain, `${signedMoney(metrics.profit)} ${equity.currency}`)} (${signedPercent(metrics.totalReturn)})`,
    ],
    ...metrics.buyAndHold.map((held) => [`holding ${held.symbol}`, signedPercent(held.return)]),
    ['largest drawdown', `${money(drawdown.maxAmount)} (${percent(drawdown.maxRatio)})`],
    ...yearly(metrics),
    [
      'round trips',
      `${trades.count}, ${percent(trades.winRate)} won, profit factor ${figure(trades.profitFactor)}`,
    ],
    ['orders', outcomes(orders)],
    ...changes(orders),
    ['fills', `${orders.fills}, ${orders.takerFills} as taker`],
    ['fees', money(fees.value)],
    [
      'turnover, exposure',
      `${money(metrics.turnover.amount)}, ${percent(metrics.exposure)} of the time`,
    ],
    ...margin(result),
    ...inventory(result),
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

/** Outcomes of the orders; each is listed only if it occurred. */
function outcomes(orders: OrderStatistics): string {
  const counts: readonly (readonly [number, string])[] = [
    [orders.touched, `with fills (${orders.filled} in full)`],
    [orders.expired, 'expired'],
    [orders.canceled, 'canceled'],
    [orders.rejected, 'refused'],
    [orders.refused, 'refused before they were sent'],
  ];
  const reported = counts
    .filter(([count]) => count > 0)
    .map(([count, outcome]) => `${count} ${outcome}`);
  return [`${orders.sent} sent`, ...reported].join(', ');
}

/** Replacements and cancels; only if there were any. */
function changes(orders: OrderStatistics): string[][] {
  const {
    replacements,
    cancels,
    refusedReplacements: rejectedReplacements,
    refusedCancels: rejectedCancels,
  } = orders;
  const row = (name: string, sent: number, rejected: number): string[][] => {
    if (sent + rejected === 0) return [];
    return [[name, rejected === 0 ? String(sent) : `${sent} sent, ${rejected} refused`]];
  };
  return [
    ...row('replacements', replacements, rejectedReplacements),
    ...row('cancels', cancels, rejectedCancels),
  ];
}

/** Results of margin accounts, if anything was traded on margin. */
function margin({ margin: echo }: BacktestResult): string[][] {
  if (echo === undefined) return [];
  const { long, short, funding, interest, liquidations, marginCalls, maxUse } = echo;
  return [
    ['long, short', `${signedMoney(long.net)}, ${signedMoney(short.net)}`],
    ['funding, interest', `${signedMoney(funding)}, ${signedMoney(interest)}`],
    [
      'margin',
      `${liquidations} liquidations, ${marginCalls} margin calls, ${percent(maxUse)} in use at the most`,
    ],
  ];
}

/** Results of the portfolio, if the run had one. */
function inventory({ portfolio }: BacktestResult): string[][] {
  if (portfolio === undefined) return [];
  const { rebalances, requests: managedOrders, transfers, cost, holdings } = portfolio;
  const counts: readonly (readonly [number, string])[] = [
    [rebalances.done, 'done'],
    [rebalances.incomplete, 'incomplete'],
    [rebalances.underWay, 'under way'],
    [managedOrders.balanced, 'balanced already'],
    [managedOrders.refused, 'refused'],
  ];
  const reported = counts
    .filter(([count]) => count > 0)
    .map(([count, outcome]) => `${count} ${outcome}`);
  const held = holdings.map(
    ({ holding, start, end }) => `${amount(start)} to ${amount(end)} ${holding}`,
  );
  return [
    ['rebalances', reported.length === 0 ? 'none' : reported.join(', ')],
    ['transfers', `${transfers.total}, costs of ${amount(cost)}`],
    ['inventory', held.join(', ')],
  ];
}

/** Figures per year; left out of the table if they would be guesswork. */
const yearly = ({ spanUs, sharpe, sortino, calmar }: Metrics): string[][] =>
  spanUs < YEARLY_MIN_US
    ? []
    : [
        [
          'Sharpe, Sortino, Calmar',
          [sharpe, sortino, calmar].map((value) => figure(value)).join(', '),
        ],
      ];
