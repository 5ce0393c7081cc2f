import { FAMILIES, INDICATORS, type AnyRow } from '../../../src/strategy/ta.ts';

const code = (text: string): string => `\`${text}\``;

/** The names of the indicators that have a mark. */
const marked = (mark: 'isExact' | 'isCumulative'): string =>
  Object.entries<AnyRow>(INDICATORS)
    .filter(([, row]) => row[mark] === true)
    .map(([name]) => code(name))
    .toSorted()
    .join(', ');

const INTRO = `# Indicators

\`ta\` has the indicators of [trading-signals](https://github.com/bennycode/trading-signals) by name, for
[\`derive\`](writing-a-strategy.md#indicators). A number alone is the first parameter.

- **reads**: without a word a bar, which is a candle or any object with \`openTicks\`, \`highTicks\`, \`lowTicks\`, \`closeTicks\` and
  \`volumeLots\`. The others read one number, which \`of\` replaces.
- **at**: the event with the first value, for the defaults; + is the earliest. A formula without a number, such as
  0 / 0, emits nothing and starts again.
- **Exact** are those that only add and compare: ${marked('isExact')}. The rest are doubles: use
  \`ticks(value, 'down')\`, \`'up'\` or \`'near'\` before you place an order at one.
- **Sums** add up from the first event on, so only their changes mean something: ${marked('isCumulative')}.
- \`ac\`, \`adx\`, \`adxr\`, \`rei\` and \`stochasticRsi\` differ from their class at the edge, where it is wrong.
  \`htTrendline\`, \`laguerreRsi\` and \`mama\` begin at the first price, not at 0.
`;

/** A call with its defaults: `sma(length 10)`. */
const callOf = (name: string, row: AnyRow): string => {
  const parameters = Object.entries(row.parameters).map(
    ([each, spec]) => `${each} ${spec.default}`,
  );
  return code(`${name}(${parameters.join(', ')})`);
};

/** The names of the parts of a value, by what its reader takes from a made-up result. */
function partsOf(row: AnyRow): string {
  if (row.read === undefined) return row.unit;
  const anything = new Proxy({}, { get: () => 0 });
  const parts = Object.keys(row.read(anything as never) as object);
  return `${parts.map(code).join(', ')}: ${row.unit}`;
}

function cellsOf([name, row]: readonly [string, AnyRow]): readonly string[] {
  const defaults = Object.fromEntries(
    Object.entries(row.parameters).map(([each, spec]) => [each, spec.default]),
  );
  const at = `${row.warmUp(defaults)}${row.isLater === true ? '+' : ''}`;
  const reads = row.input === 'bar' ? '' : row.input;
  return [callOf(name, row), row.about, reads, partsOf(row), at];
}

const HEAD = ['call, with defaults', 'what it is', 'reads', 'value', 'at'];

function table(rows: readonly (readonly string[])[]): string {
  const widths = HEAD.map((_, column) => Math.max(3, ...rows.map((row) => row[column].length)));
  const line = (row: readonly string[], fill: string): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column], fill)).join(' | ')} |`;
  const [head, ...rest] = rows;
  return [
    line(head, ' '),
    line(
      HEAD.map(() => ''),
      '-',
    ),
    ...rest.map((row) => line(row, ' ')),
  ].join('\n');
}

/** The page docs/indicators.md. */
export const indicatorsPage = (): string =>
  [
    INTRO,
    ...Object.entries(FAMILIES).map(([family, rows]) => {
      const all = Object.entries(rows as unknown as Readonly<Record<string, AnyRow>>);
      const title = family[0] + family.slice(1).toLowerCase();
      return `## ${title}\n\n${table([HEAD, ...all.map((one) => cellsOf(one))])}\n`;
    }),
  ].join('\n');
