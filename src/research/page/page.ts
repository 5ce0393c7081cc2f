import { text } from '../../backtest/page/escape.ts';
import { facts } from '../../backtest/page/facts.ts';
import { clock, figure, NONE, percent, span } from '../../backtest/page/format.ts';
import { plainTable } from '../../backtest/page/plain-table.ts';
import { htmlPage, THEME_BUTTON } from '../../backtest/page/shell.ts';
import type { SweepDefinition } from '../sweep/definition.ts';
import type { SweepResult, SweepRow } from '../sweep/options.ts';
import { CORE_SCRIPT } from './core-script.ts';
import { marketName, pageData, reasonOf, STATES } from './data.ts';
import { GRID_SCRIPT } from './grid-script.ts';
import { HEAT_SCRIPT } from './heat-script.ts';
import { PARALLEL_SCRIPT } from './parallel-script.ts';
import { SPREAD_SCRIPT } from './spread-script.ts';
import { SWEEP_STYLE } from './style.ts';

/** Values of a parameter that the definition names one by one. */
const VALUES_NAMED = 12;

/** One HTML file that shows a sweep without any other file or network. */
export function sweepPage(result: SweepResult): string {
  const { definition } = result;
  return htmlPage({
    title: titleOf(definition),
    style: SWEEP_STYLE,
    main: `${header(definition)}
${verdict(result)}
${controls(result)}
<div class="halves">
${heatMap()}
${spread()}
</div>
<section class="card"><h2>Parameters and objective</h2><p class="note">A line is a ranked set. Drag along an axis to filter by it, click to clear.</p><div id="axes"><canvas id="parallel" role="img" aria-label="One line for each ranked set, over its parameters and its objective"></canvas></div></section>
${grid()}
${faults(result)}
${overfittingCard(result)}
${definitionCards(definition)}
<footer><p>Sweep <code title="SHA-256 of its definition: the same sweep has the same id">${text(definition.id)}</code></p></footer>`,
    data: pageData(result),
    scripts: [CORE_SCRIPT, HEAT_SCRIPT, SPREAD_SCRIPT, PARALLEL_SCRIPT, GRID_SCRIPT],
  });
}

const titleOf = (definition: SweepDefinition): string => {
  const strategies = definition.strategies.map(({ name }) => name).join(', ');
  const markets = definition.markets.map((_, index) => marketName(definition, index)).join(', ');
  return `Sweep of ${strategies} on ${markets}`;
};

function header(definition: SweepDefinition): string {
  const { strategies, markets } = definition;
  const [{ from, till }] = markets;
  const isOne = markets.every((market) => market.from === from && market.till === till);
  return `<header>
  <div>
    <h1>${text(titleOf(definition))}</h1>
    ${strategies.length === 1 ? `<p>${text(strategies[0].summary)}</p>` : ''}
    ${isOne ? `<p>${text(clock(from))} to ${text(clock(till))} UTC</p>` : ''}
  </div>
  ${THEME_BUTTON}
</header>`;
}

const objectiveOf = ({ objective }: SweepDefinition): string => objective ?? 'objective';

function verdict({ definition, ranked, rows }: SweepResult): string {
  const best = ranked.at(0);
  if (best === undefined) {
    return `<section class="verdict"><p class="big">–</p><p class="sentence">None of ${rows.length} sets is ranked; the reasons are below.</p></section>`;
  }
  const name = objectiveOf(definition);
  const value = best.objective ?? 0;
  const tone = value > 0 ? 'up' : value < 0 ? 'down' : '';
  return `<section class="verdict">
  <p class="big ${tone}" title="${text(value)}">${text(shownFigure(value))}</p>
  <p class="sentence">${text(
    `is the ${definition.direction === 'maximize' ? 'highest' : 'lowest'} ${name} of ${ranked.length} ranked sets: ${setOf(best, definition)}. The best of many sets is lucky too: run it on recordings that no sweep has seen.`,
  )}</p>
</section>`;
}

const shownFigure = (value: number): string =>
  value.toLocaleString('en', { maximumSignificantDigits: 6 }).replace('-', '−');

const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** A set in words: `fast 5, slow 12`. */
function setOf({ parameters, strategy, market }: SweepRow, definition: SweepDefinition): string {
  const parts = Object.entries(parameters).map(([name, value]) => `${name} ${valueText(value)}`);
  if (definition.markets.length > 1) parts.unshift(`on ${marketName(definition, market)}`);
  if (definition.strategies.length > 1) parts.unshift(strategy);
  return parts.length === 0 ? 'the only one' : parts.join(', ');
}

const STATE_NAMES: Readonly<Record<(typeof STATES)[number], string>> = {
  done: 'ranked',
  infeasible: 'infeasible',
  failed: 'failed',
  invalid: 'invalid',
};

function controls({ counts }: SweepResult): string {
  const toggles = STATES.map(
    (state, code) =>
      `<button type="button" class="toggle" data-state="${code}" aria-pressed="true">${STATE_NAMES[state]} ${counts[state]}</button>`,
  );
  return `<div class="controls" role="group" aria-label="Filter">
  ${toggles.join('\n  ')}
  <input id="filter" type="search" placeholder="Filter: fast &gt;= 5, sharpe &gt; 1" aria-label="Conditions, such as fast &gt;= 5, sharpe &gt; 1" aria-describedby="filter-fault" autocomplete="off" spellcheck="false">
  <span id="shown" role="status"></span>
  <button type="button" class="link" id="clear">Clear filters</button>
  <span id="filter-fault" role="alert"></span>
</div>`;
}

const choice = (id: string, label: string, options = ''): string =>
  `<label>${label} <select id="${id}">${options}</select></label>`;

const HOW = [
  ...([['mean', 'mean'] as const, ['median', 'median'] as const] as const),
  ...([['max', 'highest'] as const, ['min', 'lowest'] as const] as const),
  ...([['best', 'best set’s'] as const, ['count', 'number of sets with'] as const] as const),
];

const heatMap = (): string => `<section class="card"><h2>Two parameters</h2><div class="controls">
${choice('heat-how', 'Show', HOW.map(([value, name]) => `<option value="${value}">${name}</option>`).join(''))}
${choice('heat-of', 'of')}
${choice('heat-x', 'across')}
${choice('heat-y', 'up')}
</div><canvas id="heat" tabindex="0" role="img" aria-label="Heat map: arrows move over cells, Enter picks the best set of one" aria-describedby="heat-told"></canvas><p class="note" id="heat-told" role="status"></p></section>`;

const spread = (): string =>
  '<section class="card"><h2>Distribution of the objective</h2><canvas id="spread" role="img" aria-label="How many sets have which objective" aria-describedby="spread-told"></canvas><p class="note" id="spread-told" role="status"></p></section>';

const grid =
  (): string => `<section class="card"><div class="tabs"><h2>Sets</h2><button type="button" class="csv">Save as CSV</button></div>
<div class="scroll" id="grid" tabindex="0" role="region" aria-label="Sets: arrows move over the rows"><table><thead></thead><tbody></tbody></table></div>
<p class="note">results.csv and results.parquet beside this page have every metric with all its digits.</p></section>`;

/** What kept sets from being ranked, the most frequent first. */
function faults({ rows, definition }: SweepResult): string {
  const groups = new Map<string, { readonly first: SweepRow; count: number }>();
  for (const row of rows) {
    if (row.state === 'done') continue;
    const name = `${row.state} ${row.fault?.code ?? ''} ${reasonOf(row)}`;
    const group = groups.get(name) ?? { first: row, count: 0 };
    group.count += 1;
    groups.set(name, group);
  }
  if (groups.size === 0) return '';
  const sorted = [...groups.values()].sort((a, b) => b.count - a.count);
  const lines = sorted.map(({ first, count }) => [
    ...[first.state, first.fault?.code ?? 'constraint', reasonOf(first)],
    ...[setOf(first, definition), String(count)],
  ]);
  const heads = ['State', 'Code', 'Reason', 'First set', 'Sets'];
  return `<section class="card" id="not-ranked"><h2>Not ranked</h2>${plainTable(heads, lines, 4)}</section>`;
}

/** How far the best may be owed to having tried many sets. */
function overfittingCard({ overfitting }: SweepResult): string {
  if (overfitting === null) return '';
  const { trials, periods, periodUs, deflatedSharpe, probability, blocks } = overfitting;
  const rows: (readonly [string, string])[] = [
    ['deflated Sharpe', percent(deflatedSharpe)],
    [
      'PBO',
      blocks === null ? NONE : `${percent(probability)}, by cross-validation over ${blocks} blocks`,
    ],
    ['made of', `${trials} sets, ${periods} returns of ${span(periodUs)} each`],
  ];
  return `<section class="card"><h2>Over-fitting</h2>${facts(rows)}<p class="note">Deflated Sharpe: the probability that the Sharpe ratio of the best is above what chance gives the best of so many. PBO: the probability of over-fitting, how often the best of one half of the time is below the middle in the other.</p></section>`;
}

function definitionCards(definition: SweepDefinition): string {
  const { vary, fixed, settings, markets, parts } = definition;
  const varied = Object.entries(vary).map(
    ([name, values]) => [name, `${valuesText(values)} (${values.length})`] as const,
  );
  const constant = Object.entries(fixed)
    .filter(([name]) => !(name in vary))
    .map(([name, value]) => [name, valueText(value)] as const);
  const sweep: (readonly [string, string])[] = [
    ['objective', `${definition.direction} ${definition.objective ?? 'a function'}`],
    ...definition.constraints.map((constraint) => ['constraint', constraint] as const),
    ['search', searchText(definition)],
    ...Object.entries(settings).map(([name, value]) => [name, valueText(value)] as const),
    ...markets.flatMap((market, index) => marketFacts(definition, market, index)),
    // Recordings are there with their markets.
    ...Object.entries(parts)
      .filter(([name]) => !name.startsWith('the recording of '))
      .map(([name, value]) => [name.replace(/^the /, ''), value] as const),
  ];
  return `<div class="two">
<section class="card"><h2>Parameters that vary</h2>${facts(varied)}<h2 style="margin-top:16px">Others</h2>${facts(constant)}<p class="note">Parameters that are not named have their defaults.</p></section>
<section class="card"><h2>Definition</h2>${facts(sweep)}</section>
</div>`;
}

const searchText = ({ search, seed, trials, lag }: SweepDefinition): string =>
  [
    `${search}, seed ${seed}`,
    ...(trials === undefined ? [] : [`${trials} trials`]),
    ...(lag === undefined ? [] : [`lag ${lag}`]),
  ].join(', ');

function valuesText(values: readonly unknown[]): string {
  if (values.length <= VALUES_NAMED) return values.map(valueText).join(', ');
  return `${values.slice(0, 3).map(valueText).join(', ')} … ${valueText(values.at(-1))}`;
}

const marketFacts = (
  definition: SweepDefinition,
  { recordings, from, till, parameters }: SweepDefinition['markets'][number],
  index: number,
): readonly (readonly [string, string])[] => [
  [marketName(definition, index), `${clock(from)} to ${clock(till)} UTC`],
  ...recordings.map(
    ({ name, rows, fingerprint }) =>
      ['recording', `${name}, ${figure(rows, 0)} rows, ${fingerprint.slice(0, 24)}…`] as const,
  ),
  ...Object.entries(parameters).map(([name, value]) => [name, valueText(value)] as const),
];
