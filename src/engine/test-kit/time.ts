import { MillraceError } from '../../model/errors.ts';
import { micros, US_PER_SECOND, type Micros } from '../../platform/time.ts';

/** A time of day in a replayed test, from its start: `00:20`, `00:20:05`, `00:20:05.250`; hours may pass 24. */
export type TestTime = string;

const FORM = /^(\d{2,}):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,6}))?)?$/;

/** Reads a time; throws `usage` for invalid text. */
export function readTime(text: TestTime): Micros {
  const match = typeof text === 'string' ? FORM.exec(text) : null;
  if (match === null) {
    throw new MillraceError(
      'usage',
      `"${typeof text === 'string' ? text : typeof text}" is no time of a test; write it as 00:20, 00:20:05 or 00:20:05.250.`,
    );
  }
  const [, hours, minutes, seconds = '0', fraction = ''] = match;
  const wholeSeconds = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return micros(wholeSeconds * US_PER_SECOND + Number(fraction.padEnd(6, '0')));
}

/** Writes a time in the shortest readable form. */
export function writeTime(at: Micros): TestTime {
  const us = at % US_PER_SECOND;
  const seconds = Math.floor(at / US_PER_SECOND);
  const two = (value: number): string => String(value).padStart(2, '0');
  const text = `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}`;
  if (us === 0) return seconds % 60 === 0 ? text : `${text}:${two(seconds % 60)}`;
  const fraction = String(us).padStart(6, '0').replace(/0+$/, '');
  return `${text}:${two(seconds % 60)}.${fraction}`;
}
