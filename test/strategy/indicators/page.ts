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
[\`derive\`](writing-a-strategy.md#indicators). A number alone is the first parameter. A line has:

- the call with its defaults;
- what it reads: a bar, which is a candle or any object with \`openTicks\`, \`highTicks\`, \`lowTicks\`, \`closeTicks\` and
  \`volumeLots\`; or one number, such as the close, which \`of\` replaces;
- @ the event with the first value for the defaults, + at the earliest;
- what it is or who made it, and in brackets its parts and unit (default ticks).

An undefined result, such as 0 / 0, is not emitted, and the indicator starts again.

**Exact** are those that only add and compare: ${marked('isExact')}. Round the rest with \`ticks(value, 'down')\`, \`'up'\` or
\`'near'\` before you place an order at one.

**Sums** start at the first event, so only their changes mean something: ${marked('isCumulative')}.

\`ac\`, \`adx\`, \`adxr\`, \`rei\` and \`stochasticRsi\` differ from their class in edge cases, where it is wrong.
\`htTrendline\`, \`laguerreRsi\` and \`mama\` begin at the first price, not at 0.
`;

/** A call with its defaults: `sma(length=10)`. */
const callOf = (name: string, row: AnyRow): string => {
  const parameters = Object.entries(row.parameters).map(
    ([each, spec]) => `${each}=${spec.default}`,
  );
  return code(`${name}(${parameters.join(', ')})`);
};

/** The parts of a value, by what its reader takes from a made-up result, and its unit. */
function valueOf(row: AnyRow): string {
  const unit = row.unit === 'ticks' ? [] : [row.unit.replace(' to ', '…')];
  if (row.read === undefined) return unit.join('');
  const anything = new Proxy({}, { get: () => 0 });
  const parts = Object.keys(row.read(anything as never) as object);
  return [parts.map(code).join(', '), ...unit].join(': ');
}

function lineOf([name, row]: readonly [string, AnyRow]): string {
  const defaults = Object.fromEntries(
    Object.entries(row.parameters).map(([each, spec]) => [each, spec.default]),
  );
  const reads = `${row.input}@${row.warmUp(defaults)}${row.isLater === true ? '+' : ''}`;
  const value = valueOf(row);
  return `- ${callOf(name, row)} ${reads}: ${row.about}${value === '' ? '' : ` [${value}]`}`;
}

/** The page docs/indicators.md. */
export const indicatorsPage = (): string =>
  [
    INTRO,
    ...Object.entries(FAMILIES).map(([family, rows]) => {
      const all = Object.entries(rows as unknown as Readonly<Record<string, AnyRow>>);
      const title = family[0] + family.slice(1).toLowerCase();
      return `## ${title}\n\n${all.map((one) => lineOf(one)).join('\n')}\n`;
    }),
  ].join('\n');
