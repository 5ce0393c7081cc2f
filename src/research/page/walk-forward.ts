import { text } from '../../backtest/page/escape.ts';
import { facts } from '../../backtest/page/facts.ts';
import { clock, figure, NONE, percent, signedPercent, span } from '../../backtest/page/format.ts';
import { plainTable } from '../../backtest/page/plain-table.ts';
import { htmlPage } from '../../backtest/page/shell.ts';
import type { FoldWindow, WalkForwardFold, WalkForwardResult } from '../walk-forward/options.ts';
import { definitionCards, faults, header, setOf, figureText, titleOf } from './definition.ts';
import { DRAW_SCRIPT } from './draw-script.ts';
import { SWEEP_STYLE } from './style.ts';
import { walkForwardData } from './walk-forward-data.ts';
import { WALK_FORWARD_SCRIPT } from './walk-forward-script.ts';

/** Height of one parameter's chart, and of the space below the last. */
const PARAMETER_PX = 110;
const AXIS_PX = 22;

/** One HTML page of a walk-forward that needs no other file or network. */
export function walkForwardPage(result: WalkForwardResult): string {
  const { definition, folds } = result;
  const rows = folds.flatMap(({ trained, tested }) => [...trained, ...tested]);
  const data = walkForwardData(result, folds.map(foldText(result)));
  return htmlPage({
    title: titleOf('Walk-forward', definition),
    style: SWEEP_STYLE,
    main: `${header('Walk-forward', definition)}
${verdict(result)}
${equityCard(data.samplesPerPoint)}
<section class="card"><h2>Out of sample</h2>${facts(figuresOf(result))}<p class="note">Efficiency: growth a year of all tests over that of all trainings; 1 keeps what was learned, below 0 loses. A test ends with what is held at the last price, without a fee for closing it.</p></section>
${stabilityCard(result)}
${foldTable(result)}
${faults({ rows, definition })}
${definitionCards(definition)}
<footer><p>Walk-forward <code title="SHA-256 of its definition: the same walk-forward has the same id">${text(definition.id)}</code></p></footer>`,
    data,
    scripts: [DRAW_SCRIPT, WALK_FORWARD_SCRIPT],
  });
}

function verdict({ stitched, folds, efficiency }: WalkForwardResult): string {
  const { totalReturn } = stitched;
  const tone = totalReturn > 0 ? 'up' : totalReturn < 0 ? 'down' : '';
  const gained = folds.filter((fold) => returnOf(fold) > 0).length;
  return `<section class="verdict">
  <p class="big ${tone}">${text(signedPercent(totalReturn))}</p>
  <p class="sentence">${text(
    `is the return of ${folds.length} tests one after the other, each with the set that was best in the training before it. ${gained} of them gained. ${
      efficiency === null
        ? 'The trainings had no gain, so there is no efficiency.'
        : `The tests grew at ${figure(efficiency)} times the rate of the trainings.`
    }`,
  )}</p>
</section>`;
}

const returnOf = ({ outcome }: WalkForwardFold): number => outcome?.metrics?.totalReturn ?? 0;

const equityCard = (
  samplesPerPoint: number,
): string => `<section class="card"><h2>Stitched equity, out of sample</h2>
<canvas id="equity" tabindex="0" role="img" aria-label="Equity through the tests of all folds: arrows move over the folds" aria-describedby="fold-note"></canvas>
<p class="note" id="fold-note" role="status"></p>
<p class="note">1 at the start; each test goes on with what the test before left. Bands are tests.${
  samplesPerPoint > 1
    ? ` A point shows ${samplesPerPoint} samples, with the lowest and the highest among them.`
    : ''
}</p></section>`;

function figuresOf({
  stitched,
  folds,
  efficiency,
  failed,
  leftUs,
}: WalkForwardResult): readonly (readonly [string, string])[] {
  return [
    ['return', signedPercent(stitched.totalReturn)],
    ['a year', signedPercent(stitched.annualReturn)],
    ['Sharpe', figure(stitched.sharpe)],
    ['largest drawdown', percent(stitched.maxDrawdown)],
    ['efficiency', figure(efficiency)],
    ['folds', String(folds.length)],
    ['folds that chose no set', String(folds.filter(({ chosen }) => chosen === null).length)],
    ['runs that failed', String(failed)],
    ['left over at the end', leftUs === 0 ? 'nothing' : span(leftUs)],
  ];
}

function stabilityCard({ stability }: WalkForwardResult): string {
  if (stability.length === 0) return '';
  const rows = stability.map(({ name, values, distinct, spread }) => [
    ...[name, `${distinct} in ${values.length} folds`],
    spread === null ? NONE : percent(spread),
  ]);
  const height = stability.length * PARAMETER_PX + AXIS_PX;
  return `<section class="card"><h2>Stability of parameters</h2>
<canvas id="stability" style="height:${height}px" role="img" aria-label="The value of each parameter that each fold chose"></canvas>
<p class="note">A point is what a fold chose, between the lowest and the highest value that was tried. A parameter that jumps from fold to fold has no lasting best value.</p>
${plainTable(['Parameter', 'Values', 'Range of what was tried'], rows, 1)}</section>`;
}

const windowText = ({ from, till }: FoldWindow): string => `${clock(from)} to ${clock(till)}`;
const objectiveText = (value: number | null | undefined): string =>
  value === null || value === undefined ? NONE : figureText(value);
const rankText = ({ rank, ranked }: WalkForwardFold): string =>
  rank === null ? NONE : `${rank} of ${ranked}`;

function foldTable({ definition, folds }: WalkForwardResult): string {
  const objective = definition.objective ?? 'objective';
  const lines = folds.map((fold) => {
    const { train, test, chosen, outcome, efficiency } = fold;
    return [
      ...[String(fold.fold + 1), windowText(train), windowText(test)],
      chosen === null ? 'none was ranked' : setOf(chosen, definition),
      ...[objectiveText(chosen?.objective), objectiveText(outcome?.objective)],
      ...[signedPercent(outcome?.metrics?.totalReturn ?? null), rankText(fold), figure(efficiency)],
    ];
  });
  const heads = [
    ...['Fold', 'Training, UTC', 'Test, UTC', 'Chosen'],
    ...[`${objective} in training`, 'In test', 'Return of test', 'Rank in test', 'Efficiency'],
  ];
  return `<section class="card"><h2>Folds</h2><div id="folds" tabindex="0" role="region" aria-label="Folds: arrows move over the rows">${plainTable(heads, lines, 4)}</div>
<p class="note">Rank of the chosen set among all sets in the test, 1 for the best. folds.csv and folds.parquet in this folder have every set of every fold.</p></section>`;
}

/** A fold as a sentence. */
const foldText =
  ({ definition }: WalkForwardResult) =>
  (fold: WalkForwardFold): string => {
    const { chosen, outcome, test } = fold;
    const begin = `Fold ${fold.fold + 1}, ${windowText(test)} UTC`;
    if (chosen === null) return `${begin}: no set was ranked in the training, nothing traded.`;
    const rank = rankText(fold);
    return `${begin}: ${setOf(chosen, definition)}, return ${signedPercent(outcome?.metrics?.totalReturn ?? null)}, rank ${rank}.`;
  };
