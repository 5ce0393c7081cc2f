import { Decimal, decimal } from '../../model/decimal.ts';

/** Text of an undefined figure. */
export const NONE = '–';

const MINUS = '\u2212';

/** Percentage below which two decimals would hide a figure. */
const SMALL = 0.1;

/** A ratio as a percentage: 0.0123 is `1.23%`; a small one has two significant digits. */
export function percent(ratio: number | null, digits = 2): string {
  if (ratio === null || !Number.isFinite(ratio)) return NONE;
  const value = ratio * 100;
  if (Math.abs(value) >= 1e6) return `${sign(value.toExponential(1))}%`;
  const small = value !== 0 && Math.abs(value) < SMALL;
  const places = small ? Math.min(8, 1 - Math.floor(Math.log10(Math.abs(value)))) : digits;
  return `${sign(group(tidyZero(value.toFixed(places))))}%`;
}

export const signedPercent = (ratio: number | null): string =>
  ratio !== null && ratio > 0 ? `+${percent(ratio)}` : percent(ratio);

/** A statistic with two digits. */
export function figure(value: number | null, digits = 2): string {
  if (value === null || !Number.isFinite(value)) return NONE;
  if (Math.abs(value) >= 1e6) return sign(value.toExponential(1));
  return sign(group(tidyZero(value.toFixed(digits))));
}

/** Rounded money: two decimals, or four significant digits below one. */
export function money(amount: string | null): string {
  if (amount === null) return NONE;
  const value = decimal(amount);
  const shown =
    value.abs().greaterThanOrEqualTo(1) || value.isZero()
      ? value.toFixed(2, Decimal.ROUND_HALF_EVEN)
      : value.toSignificantDigits(4, Decimal.ROUND_HALF_EVEN).toFixed();
  return sign(group(tidyZero(shown)));
}

export const signedMoney = (amount: string | null): string =>
  amount !== null && decimal(amount).greaterThan(0) ? `+${money(amount)}` : money(amount);

/** A decimal with thousands separators, cut to ten decimals. */
export function exact(amount: string): string {
  const value = decimal(amount);
  const places = value.decimalPlaces();
  return sign(group(places > 10 ? value.toDecimalPlaces(10).toFixed() : amount));
}

/** A decimal with this many digits after its point. */
export const padded = (amount: string, digits: number): string =>
  sign(group(decimal(amount).toFixed(digits, Decimal.ROUND_HALF_EVEN)));

/** A duration in its two largest units: `3 d 4 h`. */
export function span(us: number): string {
  const units: readonly (readonly [string, number])[] = [
    ['d', 86_400_000_000],
    ['h', 3_600_000_000],
    ['min', 60_000_000],
    ['s', 1_000_000],
    ['ms', 1_000],
    ['µs', 1],
  ];
  const first = units.findIndex(([, size]) => us >= size);
  if (first < 0) return '0 s';
  const [name, size] = units[first];
  const whole = Math.floor(us / size);
  const rest = us - whole * size;
  const next = units[first + 1];
  const more = next === undefined ? 0 : Math.floor(rest / next[1]);
  return more > 0 ? `${whole} ${name} ${more} ${next[0]}` : `${whole} ${name}`;
}

/** A time to the second: `2024-08-08 10:00:05`. */
export const clock = (iso: string): string => iso.replace('T', ' ').replace(/(\.\d+)?Z$/, '');

const group = (digits: string): string => {
  const [whole = '', fraction] = digits.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
};

const sign = (shown: string): string => shown.replace('-', MINUS);

const tidyZero = (shown: string): string => (/^-0(\.0*)?$/.test(shown) ? shown.slice(1) : shown);
