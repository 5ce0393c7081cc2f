import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isoTime, micros, parseIsoTime, parseSpanUs } from '../../src/platform/time.ts';

describe('a span of time', () => {
  test.each([
    ['250us', 250],
    ['20ms', 20_000],
    ['1.5s', 1_500_000],
    ['5m', 300_000_000],
    ['4h', 14_400_000_000],
    ['2d', 172_800_000_000],
    ['0s', 0],
    [' 10 s ', 10_000_000],
    ['0.000001s', 1],
    ['2.675s', 2_675_000],
    ['1.1h', 3_960_000_000],
  ])('%s is %d us', (text, us) => {
    expect(parseSpanUs(text)).toBe(us);
  });

  test.each(['', '5', 's', '-5s', '5 weeks', '1e3s', '0.5us', '0.0000001s', '.5s', '5S', '9e9d'])(
    '%s is none',
    (text) => {
      expect(parseSpanUs(text)).toBeUndefined();
    },
  );

  test('of more microseconds than a double holds exactly is none', () => {
    expect(parseSpanUs('104249d')).toBe(104_249 * 86_400_000_000);
    expect(parseSpanUs('104250d')).toBeUndefined();
  });

  test('in decimal seconds is exact to the microsecond', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 9 }),
        fc.integer({ min: 0, max: 999_999 }),
        (s, us) => {
          const text = `${s}.${String(us).padStart(6, '0')}s`;
          expect(parseSpanUs(text)).toBe(s * 1_000_000 + us);
        },
      ),
    );
  });
});

describe('a point in time', () => {
  test.each([
    [0, '1970-01-01T00:00:00.000Z'],
    [1, '1970-01-01T00:00:00.000001Z'],
    [1_723_075_200_123_000, '2024-08-08T00:00:00.123Z'],
    [1_723_075_200_123_045, '2024-08-08T00:00:00.123045Z'],
    [-1, '1969-12-31T23:59:59.999999Z'],
  ])('%d us is written %s', (at, text) => {
    expect(isoTime(micros(at))).toBe(text);
  });

  test.each([
    ['2024-08-08', '2024-08-08T00:00:00.000Z'],
    ['2024-08-08T01:02', '2024-08-08T01:02:00.000Z'],
    ['2024-08-08 01:02:03', '2024-08-08T01:02:03.000Z'],
    ['2024-08-08T01:02:03.5Z', '2024-08-08T01:02:03.500Z'],
    ['2024-08-08T01:02:03.123456789Z', '2024-08-08T01:02:03.123456Z'],
    ['2024-08-08T01:02:03+02:00', '2024-08-07T23:02:03.000Z'],
    ['2024-08-08T01:02:03-0530', '2024-08-08T06:32:03.000Z'],
  ])('%s is read as %s', (text, iso) => {
    const at = parseIsoTime(text);
    expect(at).toBeDefined();
    expect(isoTime(at ?? micros(0))).toBe(iso);
  });

  test.each([
    '',
    'now',
    '2024-8-8',
    '2024-13-01',
    '2024-02-30',
    '2024-08-08T25:00',
    '9999-01-01',
    '1723075200',
  ])('%s is none', (text) => {
    expect(parseIsoTime(text)).toBeUndefined();
  });

  test('is read back as it was written', () => {
    const range = { min: -(2 ** 53) + 1, max: 2 ** 53 - 1 };
    fc.assert(
      fc.property(fc.integer(range), (at) => {
        expect(parseIsoTime(isoTime(micros(at)))).toBe(at);
      }),
    );
  });
});

test('a time is written as the calendar has it, whatever was written before', () => {
  const second = fc.integer({ min: -62_135_596_800, max: 9_000_000_000 });
  fc.assert(
    fc.property(fc.array(second, { minLength: 1, maxLength: 8 }), (seconds) => {
      for (const each of seconds.flatMap((one) => [one, one + 1, one - 1, one + 3_600])) {
        const calendar = new Date(each * 1_000).toISOString();
        expect(isoTime(micros(each * 1_000_000))).toBe(calendar);
      }
    }),
  );
});
