import { YEARLY_MIN_US } from '../assumptions.ts';
import type { BacktestResult } from '../result.ts';
import { text } from './escape.ts';
import { facts } from './facts.ts';
import {
  clock,
  exact,
  figure,
  money,
  NONE,
  percent,
  signedMoney,
  signedPercent,
  span,
} from './format.ts';

interface Tile {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
  /** The exact figure, as a tooltip. */
  readonly title?: string;
}

const tone = (value: number | string | null): string =>
  value === null || Number(value) === 0 ? '' : Number(value) > 0 ? 'up' : 'down';

/** The main result in one figure and one sentence. */
export function verdict(result: BacktestResult): string {
  const { metrics } = result;
  const { currency } = metrics.equity;
  return `<section class="verdict">
  <p class="big ${tone(metrics.profit)}" title="${text(metrics.profit)} ${text(currency)}">${signedPercent(metrics.totalReturn)}</p>
  <p class="sentence">${text(sentence(result))}</p>
</section>`;
}

/** Most symbols whose price move the sentence names. */
const MOVES = 6;

function sentence({ metrics, fills }: BacktestResult): string {
  const { currency, start, end } = metrics.equity;
  const parts = [
    `${money(start)} ${currency} became ${money(end)} in ${span(metrics.spanUs)}, after ${money(metrics.fees.value)} in fees.`,
  ];
  const moved = metrics.buyAndHold.filter((held) => held.return !== null);
  const shown = moved
    .slice(0, MOVES)
    .map((held) => `${held.symbol} moved ${signedPercent(held.return)}`);
  const more = moved.length - shown.length;
  if (shown.length > 0) {
    const others = more > 0 ? ` (${more} more in result.json)` : '';
    parts.push(`The price of ${shown.join(', that of ')}${others}.`);
  }
  const { count, winRate } = metrics.trades;
  if (count > 0) parts.push(`${count} round trips, ${percent(winRate, 0)} of them won.`);
  else if (fills.total === 0) parts.push('Nothing was traded.');
  parts.push(`The deepest drawdown was ${percent(metrics.drawdown.maxRatio)}.`);
  return parts.join(' ');
}

/** The figures, in three groups. */
export function figures({ metrics, orders }: BacktestResult): string {
  const { currency } = metrics.equity;
  const { trades, drawdown } = metrics;
  const yearly = (value: string): string => (metrics.spanUs < YEARLY_MIN_US ? NONE : value);
  return `<section class="figures">
${group('Result', [
  { name: 'Profit', value: signedMoney(metrics.profit), note: currency, title: metrics.profit },
  { name: 'Return per year', value: yearly(percent(metrics.annualReturn)) },
  {
    name: 'Deepest drawdown',
    value: percent(drawdown.maxRatio),
    title: drawdown.maxAmount,
  },
  { name: 'Longest drawdown', value: span(drawdown.longestUs) },
])}
${group('Risk', [
  { name: 'Sharpe', value: yearly(figure(metrics.sharpe)), note: 'per year' },
  { name: 'Sortino', value: yearly(figure(metrics.sortino)), note: 'per year' },
  { name: 'Calmar', value: yearly(figure(metrics.calmar)) },
  { name: 'Volatility', value: yearly(percent(metrics.volatility)), note: 'per year' },
])}
${group('Round trips', [
  { name: 'Won', value: percent(trades.winRate, 1), note: `${trades.wins} of ${trades.count}` },
  { name: 'Profit factor', value: figure(trades.profitFactor) },
  optional('Expectancy', trades.expectancy, currency),
  {
    name: 'Mean MAE, MFE',
    value: trades.count === 0 ? NONE : `${money(trades.averageMae)}, ${money(trades.averageMfe)}`,
  },
])}
${group('Trading', [
  { name: 'Fees', value: money(metrics.fees.value), note: currency, title: metrics.fees.value },
  { name: 'Turnover', value: `${figure(metrics.turnover.ratio)}×`, note: 'of mean equity' },
  { name: 'Time in the market', value: percent(metrics.exposure, 1) },
  {
    name: 'Orders filled',
    value: percent(orders.fillRatio, 1),
    note: `${orders.touched} of ${orders.sent}`,
  },
])}
</section>`;
}

function optional(name: string, amount: string | null, currency: string): Tile {
  const tile = { name, value: signedMoney(amount) };
  return amount === null ? tile : { ...tile, note: currency, title: amount };
}

function group(name: string, tiles: readonly Tile[]): string {
  const items = tiles.map(
    ({ name: label, value, note, title }) =>
      `<div${title === undefined ? '' : ` title="${text(title)}"`}><dt>${text(label)}</dt><dd>${text(value)}${
        note === undefined ? '' : ` <small>${text(note)}</small>`
      }</dd></div>`,
  );
  return `<div class="card"><h2>${text(name)}</h2><dl>${items.join('')}</dl></div>`;
}

/** Inputs: parameters, recordings, terms, plan. */
export function inputs(result: BacktestResult): string {
  const { strategy, recordings, instruments, plan, balances } = result;
  const parameters = Object.entries(strategy.parameters).map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  );
  const run: (readonly [string, string])[] = [
    ['replayed', `${clock(plan.from)} to ${clock(plan.till)} UTC`],
    ['traded from', clock(plan.tradingFrom)],
    ['order latency', span(plan.orderLatencyUs)],
    ['report latency', span(plan.reportLatencyUs)],
    ['seed', String(plan.seed)],
    ...Object.entries(plan.dailyRates ?? {}).map(
      ([currency, rate]) => [`${currency} interest`, `${rate} a day`] as const,
    ),
    ['sampled every', span(plan.sampleUs)],
    ...balances.map(
      ({ currency, start, end }) => [currency, `${exact(start)} → ${exact(end)}`] as const,
    ),
    ...instruments.map(
      ({ symbol, takeRate, makeRate, feeCurrency }) =>
        [`${symbol} fees`, `taker ${takeRate}, maker ${makeRate}, in ${feeCurrency}`] as const,
    ),
    ...recordings.flatMap((recording) => [
      [
        recording.symbol,
        `${recording.name}${recording.synthetic ? ' (synthetic)' : ''}, ${figure(recording.rows, 0)} rows`,
      ] as const,
      ['fingerprint', `${recording.fingerprint.slice(0, 24)}…`] as const,
    ]),
  ];
  return `<div class="two">
<section class="card"><h2>Parameters</h2>${facts(parameters)}</section>
<section class="card"><h2>Run</h2>${facts(run)}</section>
</div>`;
}

/** Assumptions and warnings for the figures. */
export function assumptions({ assumptions, warnings }: BacktestResult): string {
  const items = [...warnings, ...assumptions].map((sentence, index) => {
    const mark = index < warnings.length ? ' class="warning"' : '';
    return `<li${mark}>${text(sentence)}</li>`;
  });
  return `<section class="card"><h2>Assumptions of this run</h2><ul class="assumptions">${items.join('')}</ul></section>`;
}
