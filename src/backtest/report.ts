import { algoOrders } from './page/algo-orders.ts';
import { chartData } from './page/chart-data.ts';
import { chartKey } from './page/chart-key.ts';
import { chartLibrary } from './page/chart-library.ts';
import { CHART_SCRIPT } from './page/chart-script.ts';
import { text } from './page/escape.ts';
import { assumptions, figures, inputs, verdict } from './page/figures.ts';
import { clock } from './page/format.ts';
import { inventory } from './page/inventory.ts';
import { margin } from './page/margin.ts';
import { htmlPage, THEME_BUTTON } from './page/shell.ts';
import { TABLE_SCRIPT } from './page/table-script.ts';
import { tables } from './page/tables.ts';
import type { BacktestResult } from './result.ts';

/** One HTML page of a result that needs no other file or network. */
export function reportPage(result: BacktestResult): string {
  const drawn = chartData(result);
  return htmlPage({
    title: title(result),
    main: `${header(result)}
${failure(result)}
${verdict(result)}
${figures(result)}
<section class="card"><div class="chart-head" id="chart-head"></div><div id="chart"></div>${chartKey(drawn)}</section>
${tables(result)}
${algoOrders(result)}${margin(result)}${inventory(result)}
${inputs(result)}
${assumptions(result)}
${footer(result)}`,
    data: drawn,
    scripts: [chartLibrary(), TABLE_SCRIPT, CHART_SCRIPT],
  });
}

const title = ({ strategy, instruments }: BacktestResult): string =>
  `${strategy.name} on ${instruments.map(({ symbol }) => symbol).join(', ')}`;

function header(result: BacktestResult): string {
  const { strategy, plan, recordings } = result;
  const synthetic = recordings.some((recording) => recording.synthetic)
    ? '<span class="badge" title="The market of this run was made up by a generator">synthetic market</span>'
    : '';
  return `<header>
  <div>
    <h1>${text(title(result))}${synthetic}</h1>
    <p>${text(strategy.summary)}</p>
    <p>${text(clock(plan.tradingFrom))} to ${text(clock(plan.till))} UTC</p>
  </div>
  ${THEME_BUTTON}
</header>`;
}

const failure = ({ failure: fault }: BacktestResult): string =>
  fault === undefined
    ? ''
    : `<section class="card failure"><h2>The strategy failed</h2><p>${text(fault.message)}${fault.where === undefined ? '' : ` (${text(fault.where)})`} It was stopped at ${text(clock(fault.at))}; what follows is the run with what it held then.</p></section>`;

/** The license of the chart library requires the attribution. */
const footer = ({ hash }: BacktestResult): string => `<footer>
  <p>Run <code title="SHA-256 over inputs and outcome: the same run has the same hash">${text(hash)}</code></p>
  <p>Charts: TradingView Lightweight Charts™, Copyright © TradingView, Inc. <a href="https://www.tradingview.com/" rel="noreferrer">https://www.tradingview.com/</a>, Apache License 2.0.</p>
</footer>`;
