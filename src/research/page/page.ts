import { text } from '../../backtest/page/escape.ts';
import { facts } from '../../backtest/page/facts.ts';
import { NONE, percent, span } from '../../backtest/page/format.ts';
import { htmlPage } from '../../backtest/page/shell.ts';
import type { SweepDefinition } from '../sweep/definition.ts';
import type { SweepResult } from '../sweep/options.ts';
import { CORE_SCRIPT } from './core-script.ts';
import { pageData, STATES } from './data.ts';
import { definitionCards, faults, header, setOf, figureText, titleOf } from './definition.ts';
import { DRAW_SCRIPT } from './draw-script.ts';
import { GRID_SCRIPT } from './grid-script.ts';
import { HEAT_SCRIPT } from './heat-script.ts';
import { PARALLEL_SCRIPT } from './parallel-script.ts';
import { SPREAD_SCRIPT } from './spread-script.ts';
import { SWEEP_STYLE } from './style.ts';

/** One HTML page of a sweep that needs no other file or network. */
export function sweepPage(result: SweepResult): string {
  const { definition } = result;
  return htmlPage({
    title: titleOf('Sweep', definition),
    style: SWEEP_STYLE,
    main: `${header('Sweep', definition)}
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
    scripts: [DRAW_SCRIPT, CORE_SCRIPT, HEAT_SCRIPT, SPREAD_SCRIPT, PARALLEL_SCRIPT, GRID_SCRIPT],
  });
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
  <p class="big ${tone}" title="${text(value)}">${text(figureText(value))}</p>
  <p class="sentence">${text(
    `is the ${definition.direction === 'maximize' ? 'highest' : 'lowest'} ${name} of ${ranked.length} ranked sets: ${setOf(best, definition)}. The best of many sets is lucky too: run it on recordings that no sweep has seen.`,
  )}</p>
</section>`;
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
</div><canvas id="heat" tabindex="0" role="img" aria-label="Heat map: arrows move over cells, Enter picks the best set of one" aria-describedby="heat-note"></canvas><p class="note" id="heat-note" role="status"></p></section>`;

const spread = (): string =>
  '<section class="card"><h2>Distribution of the objective</h2><canvas id="spread" role="img" aria-label="How many sets have which objective" aria-describedby="spread-note"></canvas><p class="note" id="spread-note" role="status"></p></section>';

const grid =
  (): string => `<section class="card"><div class="tabs"><h2>Sets</h2><button type="button" class="csv">Save as CSV</button></div>
<div class="scroll" id="grid" tabindex="0" role="region" aria-label="Sets: arrows move over the rows"><table><thead></thead><tbody></tbody></table></div>
<p class="note">results.csv and results.parquet in this folder have every metric with all its digits.</p></section>`;

/** Card of how much of the best result may be due to the number of trials. */
function overfittingCard({ overfitting }: SweepResult): string {
  if (overfitting === null) return '';
  const { trials, periods, periodUs, deflatedSharpe, inStore, probability, blocks } = overfitting;
  const rows: (readonly [string, string])[] = [
    ['deflated Sharpe', `${percent(deflatedSharpe)} over the ${trials} sets of this sweep`],
    ...(inStore === null
      ? []
      : ([
          [
            'deflated Sharpe, all sweeps',
            `${percent(inStore.deflatedSharpe)} over the ${inStore.trials} sets of the store on the same recordings`,
          ],
        ] as const)),
    [
      'PBO',
      blocks === null ? NONE : `${percent(probability)}, by cross-validation over ${blocks} blocks`,
    ],
    ['made of', `${trials} sets, ${periods} returns of ${span(periodUs)} each`],
  ];
  return `<section class="card"><h2>Over-fitting</h2>${facts(rows)}<p class="note">Deflated Sharpe: the probability that the Sharpe ratio of the best is above what chance gives the best of so many. PBO: the probability of over-fitting, how often the best of one half of the time is below the middle in the other.</p></section>`;
}
