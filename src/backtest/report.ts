import { chartData } from './page/chart-data.ts';
import { chartKey } from './page/chart-key.ts';
import { chartLibrary } from './page/chart-library.ts';
import { CHART_SCRIPT } from './page/chart-script.ts';
import { scriptJson, text } from './page/escape.ts';
import { assumptions, figures, inputs, verdict } from './page/figures.ts';
import { clock } from './page/format.ts';
import { inventory } from './page/inventory.ts';
import { margin } from './page/margin.ts';
import { STYLE } from './page/style.ts';
import { TABLE_SCRIPT } from './page/table-script.ts';
import { tables } from './page/tables.ts';
import type { BacktestResult } from './result.ts';

/** Set before the first paint, so that a dark page does not flash. */
const THEME_SCRIPT = `document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';`;

/** No request leaves the page: everything it shows is inside it. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/** One HTML file that shows a result without any other file or network. */
export function reportPage(result: BacktestResult): string {
  const drawn = chartData(result);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${text(title(result))}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
<script>${THEME_SCRIPT}</script>
</head>
<body>
<main>
${header(result)}
${failure(result)}
${verdict(result)}
${figures(result)}
<section class="card"><div class="chart-head" id="chart-head"></div><div id="chart"></div>${chartKey(drawn)}</section>
${tables(result)}
${margin(result)}${inventory(result)}
${inputs(result)}
${assumptions(result)}
${footer(result)}
</main>
<script type="application/json" id="data">${scriptJson(drawn)}</script>
<script>${chartLibrary()}</script>
<script>${TABLE_SCRIPT}</script>
<script>${CHART_SCRIPT}</script>
</body>
</html>
`;
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
  <button id="theme" type="button" aria-label="Light or dark" title="Light or dark">◐</button>
</header>`;
}

const failure = ({ failure: fault }: BacktestResult): string =>
  fault === undefined
    ? ''
    : `<section class="card failure"><h2>The strategy failed</h2><p>${text(fault.message)}${fault.where === undefined ? '' : ` (${text(fault.where)})`} It was stopped at ${text(clock(fault.at))}; what follows is the run with what it held then.</p></section>`;

/** The attribution is what the licence of the chart library asks for. */
const footer = ({ hash }: BacktestResult): string => `<footer>
  <p>Run <code title="SHA-256 over inputs and outcome: the same run has the same hash">${text(hash)}</code></p>
  <p>Charts: TradingView Lightweight Charts™, Copyright © TradingView, Inc. <a href="https://www.tradingview.com/" rel="noreferrer">https://www.tradingview.com/</a>, Apache License 2.0.</p>
</footer>`;
