import { text } from '../../backtest/page/escape.ts';
import { facts } from '../../backtest/page/facts.ts';
import { clock, figure, span } from '../../backtest/page/format.ts';
import { plainTable } from '../../backtest/page/plain-table.ts';
import { THEME_BUTTON } from '../../backtest/page/shell.ts';
import type { SweepDefinition } from '../sweep/definition.ts';
import type { SweepResult, SweepRow } from '../sweep/options.ts';
import { marketName, reasonOf, valueText } from './data.ts';

/** Most values of a parameter that the definition lists. */
const VALUES_NAMED = 12;

/** Title of the page: `Sweep of ema-cross on BTCUSDT`. */
export const titleOf = (search: string, definition: SweepDefinition): string => {
  const strategies = definition.strategies.map(({ name }) => name).join(', ');
  const markets = definition.markets.map((_, index) => marketName(definition, index)).join(', ');
  return `${search} of ${strategies} on ${markets}`;
};

export function header(search: string, definition: SweepDefinition): string {
  const { strategies, markets } = definition;
  const [{ from, till }] = markets;
  const isOne = markets.every((market) => market.from === from && market.till === till);
  return `<header>
  <div>
    <h1>${text(titleOf(search, definition))}</h1>
    ${strategies.length === 1 ? `<p>${text(strategies[0].summary)}</p>` : ''}
    ${isOne ? `<p>${text(clock(from))} to ${text(clock(till))} UTC</p>` : ''}
  </div>
  ${THEME_BUTTON}
</header>`;
}

export const figureText = (value: number): string =>
  value.toLocaleString('en', { maximumSignificantDigits: 6 }).replace('-', '−');

/** A set in words: `fast 5, slow 12`. */
export function setOf(
  { parameters, strategy, market }: SweepRow,
  definition: SweepDefinition,
): string {
  const parts = Object.entries(parameters).map(([name, value]) => `${name} ${valueText(value)}`);
  if (definition.markets.length > 1) parts.unshift(`on ${marketName(definition, market)}`);
  if (definition.strategies.length > 1) parts.unshift(strategy);
  return parts.length === 0 ? 'the only one' : parts.join(', ');
}

/** Reasons why sets are not ranked, the most frequent first. */
export function faults({ rows, definition }: Pick<SweepResult, 'rows' | 'definition'>): string {
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

/** Cards of the definition: parameters, objective, settings, recordings. */
export function definitionCards(definition: SweepDefinition): string {
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
    ...windowFacts(definition),
    ...Object.entries(settings).map(([name, value]) => [name, valueText(value)] as const),
    ...markets.flatMap((market, index) => marketFacts(definition, market, index)),
    // Recordings are listed with their markets.
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

function windowFacts({ windows }: SweepDefinition): readonly (readonly [string, string])[] {
  if (windows === undefined) return [];
  const { trainUs, testUs, stepUs, gapUs, isAnchored } = windows;
  return [
    ['training', isAnchored ? `${span(trainUs)}, growing: it begins at the start` : span(trainUs)],
    ['test', span(testUs)],
    ['step', span(stepUs)],
    ['gap', gapUs === 0 ? 'none' : span(gapUs)],
  ];
}
