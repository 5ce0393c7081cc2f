import { shown } from '../config/excerpt.ts';
import type { Candle } from '../model/candle.ts';
import { errorText, MillraceError } from '../model/errors.ts';
import { fullStop } from '../model/full-stop.ts';
import { knownMembers, unknownName } from '../model/members.ts';
import type { Indicator, Source } from './indicator.ts';
import { MOMENTUM } from './indicators/momentum.ts';
import {
  barOf,
  closeOf,
  volumeOf,
  type BarTicks,
  type Calculator,
  type InputKind,
  type ParameterSpec,
  type ParameterSpecs,
  type Row,
  type ValuesOf,
} from './indicators/row.ts';
import { TREND } from './indicators/trend.ts';
import { VOLATILITY } from './indicators/volatility.ts';
import { VOLUME } from './indicators/volume.ts';

/** The indicators by name, in families. */
export const FAMILIES = { MOMENTUM, TREND, VOLATILITY, VOLUME };

const TABLE = { ...MOMENTUM, ...TREND, ...VOLATILITY, ...VOLUME };

/** A row of any type. */
export type AnyRow = Row<InputKind, ParameterSpecs, unknown>;

/** The same table with untyped rows. */
export const INDICATORS = TABLE as unknown as Readonly<Record<keyof typeof TABLE, AnyRow>>;

/** All parameters by name, or the first of them as a number: `14` is `{ length: 14 }`. */
type Given<P extends ParameterSpecs> = keyof P extends never
  ? Readonly<Record<string, never>>
  : Partial<ValuesOf<P>> | (P extends { readonly length: unknown } ? number : never);

type BarIndicator<P extends ParameterSpecs, V> = (parameters?: Given<P>) => Indicator<BarTicks, V>;

interface NumberIndicator<P extends ParameterSpecs, V> {
  (parameters?: Given<P>): Indicator<Candle, V>;
  /** With another source than a candle: `{ of: (bbo) => bbo.bidTicks }`. */
  <E>(parameters: Partial<ValuesOf<P>> & { readonly of: Source<E> }): Indicator<E, V>;
}

/** The functions of a table of indicators. */
export type IndicatorsOf<T> = {
  readonly [Name in keyof T]: T[Name] extends Row<infer I, infer P, infer V>
    ? I extends 'bar'
      ? BarIndicator<P, V>
      : NumberIndicator<P, V>
    : never;
};

/**
 * The indicators of trading-signals by name, for `derive`. Each takes its parameters, all with a
 * default, and has its first value at the event that docs/indicators.md lists:
 *
 *     derive({ trend: ta.adx(14), bands: ta.bollingerBands({ length: 20, deviations: 2 }) })
 *
 * They compute in ticks and lots. Those that only add and compare are exact; the others are doubles
 * for decisions: `ticks(value, 'down')` makes a price of one. If a formula has no result, as 0 / 0
 * in a market that does not move, the indicator emits nothing and starts again.
 *
 * Throws `parameter-invalid`.
 */
export const ta = Object.freeze(
  Object.fromEntries(
    Object.entries(INDICATORS).map(([name, row]) => [
      name,
      (given: unknown) => indicatorOf(name, row, given),
    ]),
  ),
) as IndicatorsOf<typeof TABLE>;

function indicatorOf(name: string, row: AnyRow, given: unknown): Indicator<never, unknown> {
  const { of, ...parameters } = checked(name, row, given);
  try {
    row.make(parameters);
  } catch (error) {
    throw invalid(name, undefined, errorText(error));
  }
  return () => stepOf(row, parameters, of);
}

/** One run of an indicator over events. */
function stepOf(
  row: AnyRow,
  parameters: Parameters<AnyRow['make']>[0],
  of: (event: never) => unknown,
): (event: never) => unknown {
  const warmUp = row.warmUp(parameters);
  let calculator = row.make(parameters) as Calculator<unknown, unknown>;
  let seen = 0;
  return (event) => {
    seen += 1;
    const result = calculator.add(of(event)) ?? between(row, calculator);
    if (result === null || result === undefined) return undefined;
    const value = row.read === undefined ? result : row.read(result as never);
    if (isWhole(value)) return seen < warmUp ? undefined : value;
    if (row.flat !== undefined) return seen < warmUp ? undefined : row.flat;
    // A NaN in an average would stay forever.
    calculator = row.make(parameters);
    seen = 0;
    return undefined;
  };
}

const between = (row: AnyRow, calculator: Calculator<unknown, unknown>): unknown =>
  row.between === 'hold' ? calculator.getResult?.() : row.between;

/** True if every number in a value is a number. */
const isWhole = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).every(isWhole)
    : typeof value !== 'number' || Number.isFinite(value);

const SOURCES = { bar: barOf, close: closeOf, volume: volumeOf };

type Checked = Readonly<Record<string, number | boolean>> & {
  readonly of: (event: never) => unknown;
};

function checked(name: string, row: AnyRow, given: unknown): Checked {
  const specs = Object.entries(row.parameters);
  const first = specs.at(0)?.[0];
  const named =
    typeof given === 'number' && first !== undefined ? { [first]: given } : (given ?? {});
  if (typeof named !== 'object') throw invalid(name, undefined, 'takes its parameters by name');
  const parameters = named as Readonly<Record<string, unknown>>;
  const members = new Set([...specs.map(([each]) => each), ...(row.input === 'bar' ? [] : ['of'])]);
  const stray = unknownName(parameters, members);
  if (stray !== undefined) {
    throw invalid(name, stray, `there is no ${stray}; ${knownMembers(stray, members)}`);
  }
  const values = specs.map(([each, spec]) => {
    const value = parameters[each] ?? spec.default;
    const fault = faultOf(spec, value);
    if (fault !== undefined) throw invalid(name, each, `${each} is ${shown(value)}; ${fault}`);
    return [each, value] as const;
  });
  checkOrder(name, Object.fromEntries(values));
  const of = parameters.of ?? SOURCES[row.input];
  if (typeof of === 'function') return { ...Object.fromEntries(values), of } as Checked;
  throw invalid(
    name,
    'of',
    'what it looks at is a function of an event, such as (trade) => trade.ticks',
  );
}

function faultOf(
  { default: usual, whole, least = 0, most }: ParameterSpec,
  value: unknown,
): string | undefined {
  if (typeof usual === 'boolean') {
    return typeof value === 'boolean' ? undefined : 'it is true or false';
  }
  const kind = whole === true ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (kind && (value as number) >= least && (value as number) <= (most ?? Infinity)) {
    return undefined;
  }
  const range = most === undefined || most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`;
  return `it is a ${whole === true ? 'whole number' : 'number'} from ${least}${range === '' ? ' on' : range}`;
}

/** Of several speeds the faster must come first. */
function checkOrder(name: string, values: Readonly<Record<string, unknown>>): void {
  const speeds = ['fast', 'medium', 'slow'].filter((speed) => values[speed] !== undefined);
  for (const [turn, speed] of speeds.slice(1).entries()) {
    const before = speeds[turn];
    if ((values[before] as number) < (values[speed] as number)) continue;
    throw invalid(name, speed, `${speed} must be more events than ${before}`);
  }
}

const invalid = (name: string, field: string | undefined, what: string): MillraceError =>
  new MillraceError(
    'parameter-invalid',
    fullStop(`ta.${name}: ${what}`),
    field === undefined ? {} : { field },
  );
