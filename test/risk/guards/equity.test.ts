import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal, decimal } from '../../../src/model/decimal.ts';
import { micros, US_PER_DAY } from '../../../src/platform/time.ts';
import { EquityGuard, type EquityMark } from '../../../src/risk/guards/equity.ts';
import { runs, seed } from '../../kit/size.ts';
import { limitsOf, NOW } from '../view.ts';

const after = (us: number) => micros(NOW + us);
const MIDNIGHT = Math.ceil(NOW / US_PER_DAY) * US_PER_DAY;
const DAY = MIDNIGHT / US_PER_DAY - 1;

/** Marks equities of USDT one after the other on one day; gives which limit each one broke. */
const marks = (guard: EquityGuard, ...values: string[]): (string | undefined)[] =>
  values.map((value, index) => guard.mark('USDT', decimal(value), after(index))?.limit);

describe('the loss of a day', () => {
  const limits = limitsOf({ maxDailyLoss: { USDT: '100' }, onBreach: 'reducing' });

  test('is a breach where it reaches the limit, reported once', () => {
    const guard = new EquityGuard(limits);
    expect(marks(guard, '1000', '1050', '900.01')).toEqual([undefined, undefined, undefined]);
    expect(guard.mark('USDT', decimal('900'), after(0))).toEqual({
      limit: 'daily-loss',
      to: 'reducing',
      why: '100 USDT were lost since midnight UTC, and 100 may be.',
    });
    expect(marks(guard, '899', '800')).toEqual([undefined, undefined]);
  });

  test('counts from the equity of midnight, and not from the highest of the day', () => {
    expect(marks(new EquityGuard(limits), '1000', '2000', '900.01')).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  });

  test('is reported again only after it was back at half the limit', () => {
    const guard = new EquityGuard(limits);
    expect(marks(guard, '1000', '900', '949.99', '900')).toEqual([
      ...[undefined, 'daily-loss'],
      ...[undefined, undefined],
    ]);
    expect(marks(guard, '950', '900')).toEqual([undefined, 'daily-loss']);
  });

  test('begins at midnight UTC with the last equity of the day before', () => {
    const guard = new EquityGuard(limits);
    marks(guard, '1000', '940');
    expect(guard.mark('USDT', decimal('841'), micros(MIDNIGHT - 1))?.limit).toBe('daily-loss');
    expect(guard.mark('USDT', decimal('742'), micros(MIDNIGHT))).toBeUndefined();
    expect(guard.mark('USDT', decimal('741'), micros(MIDNIGHT + 1))?.limit).toBe('daily-loss');
  });

  test('begins with the first equity of a day where nothing was marked on the day before', () => {
    const guard = new EquityGuard(limits);
    marks(guard, '1000');
    expect(guard.mark('USDT', decimal('500'), after(2 * US_PER_DAY))).toBeUndefined();
    expect(guard.mark('USDT', decimal('400.01'), after(2 * US_PER_DAY))).toBeUndefined();
    expect(guard.mark('USDT', decimal('400'), after(2 * US_PER_DAY))?.limit).toBe('daily-loss');
  });

  test('goes on where a mark comes late, from the day before', () => {
    const guard = new EquityGuard(limits);
    guard.mark('USDT', decimal('1000'), micros(MIDNIGHT));
    expect(guard.mark('USDT', decimal('950'), micros(MIDNIGHT - 1))).toBeUndefined();
    expect(guard.memory.get('USDT')).toMatchObject({ day: DAY + 1, start: decimal('1000') });
    // It is still the same day: 1,000 less 900, and not 950 less 900.
    expect(guard.mark('USDT', decimal('900'), micros(MIDNIGHT + 1))?.limit).toBe('daily-loss');
  });

  test('has a limit for each currency, and none where none is set', () => {
    const guard = new EquityGuard(limits);
    marks(guard, '1000');
    guard.mark('BTC', decimal('1000'), after(0));
    expect(guard.mark('BTC', decimal('1'), after(1))).toBeUndefined();
    expect(marks(guard, '900')).toEqual(['daily-loss']);
  });

  test('may not be where the limit is 0, and no change is no loss', () => {
    const none = new EquityGuard(limitsOf({ maxDailyLoss: { USDT: '0' } }));
    expect(marks(none, '1000', '1000', '1000.01', '1000')).toEqual([
      ...[undefined, undefined, undefined, undefined],
    ]);
    expect(marks(none, '999.99')).toEqual(['daily-loss']);
  });
});

describe('the fall from the highest equity', () => {
  const limits = limitsOf({ maxDrawdown: '0.1', onBreach: 'killed' });

  test('is a breach where it reaches the fraction, reported once', () => {
    const guard = new EquityGuard(limits);
    expect(marks(guard, '1000', '1200', '1080.01')).toEqual([undefined, undefined, undefined]);
    expect(guard.mark('USDT', decimal('1080'), after(0))).toEqual({
      limit: 'drawdown',
      to: 'killed',
      why: 'The equity fell to 1080 USDT from its highest of 1200, by 10 % or more.',
    });
    expect(marks(guard, '1000')).toEqual([undefined]);
  });

  test('goes on over midnight and over a restart', () => {
    const guard = new EquityGuard(limits);
    marks(guard, '1000', '950');
    const next = new EquityGuard(limits, guard.memory);
    expect(next.mark('USDT', decimal('901'), after(US_PER_DAY))).toBeUndefined();
    expect(next.mark('USDT', decimal('900'), after(US_PER_DAY))?.limit).toBe('drawdown');
    const third = new EquityGuard(limits, next.memory);
    expect(third.mark('USDT', decimal('890'), after(US_PER_DAY))).toBeUndefined();
  });

  test('is not reported again at midnight, as the loss of a day is', () => {
    const both = limitsOf({ maxDailyLoss: { USDT: '50' }, maxDrawdown: '0.1' });
    const guard = new EquityGuard(both);
    expect(marks(guard, '1000', '900', '900')).toEqual([undefined, 'daily-loss', 'drawdown']);
    expect(guard.mark('USDT', decimal('850'), after(US_PER_DAY))?.limit).toBe('daily-loss');
    expect(guard.mark('USDT', decimal('850'), after(US_PER_DAY))).toBeUndefined();
  });

  test('is none where there is nothing to lose', () => {
    expect(marks(new EquityGuard(limits), '0', '0')).toEqual([undefined, undefined]);
  });

  test('is counted for each currency alone', () => {
    const guard = new EquityGuard(limits);
    marks(guard, '1000');
    guard.mark('BTC', decimal('5'), after(0));
    expect(guard.mark('BTC', decimal('4.5'), after(0))?.limit).toBe('drawdown');
    expect(marks(guard, '901')).toEqual([undefined]);
  });
});

describe('money that comes or goes without a trade', () => {
  test('moves all that the equity is compared with', () => {
    const guard = new EquityGuard(limitsOf());
    marks(guard, '1000', '1200', '1100');
    guard.transferred('USDT', decimal('-500'));
    const mark = { start: decimal('500'), peak: decimal('700'), last: decimal('600') };
    expect(guard.memory.get('USDT')).toEqual({ day: DAY, reported: [], ...mark });
  });

  test('is no loss of the day, and no fall', () => {
    const loss = new EquityGuard(limitsOf({ maxDailyLoss: { USDT: '100' } }));
    marks(loss, '1000');
    loss.transferred('USDT', decimal('-500'));
    expect(marks(loss, '400.01', '400')).toEqual([undefined, 'daily-loss']);
    const fall = new EquityGuard(limitsOf({ maxDrawdown: '0.1' }));
    marks(fall, '1000');
    fall.transferred('USDT', decimal('500'));
    expect(marks(fall, '1350.01', '1350')).toEqual([undefined, 'drawdown']);
  });

  test('is nothing before the first equity of its currency', () => {
    const guard = new EquityGuard(limitsOf());
    guard.transferred('EUR', decimal('1'));
    expect(guard.memory.size).toBe(0);
  });
});

describe('a person', () => {
  const limits = limitsOf({ maxDrawdown: '0.1', maxDailyLoss: { USDT: '500' } });

  test('who resumes trading hears again of a loss that is still beyond its limit', () => {
    const guard = new EquityGuard(limits);
    expect(marks(guard, '1000', '900', '900')).toEqual([undefined, 'drawdown', undefined]);
    const before = guard.memory.get('USDT');
    guard.resumed();
    expect(guard.memory.get('USDT')).toEqual({ ...before, reported: [] });
    expect(marks(guard, '901', '900')).toEqual([undefined, 'drawdown']);
  });

  test('who resets losses lets day and highest begin at the last equity', () => {
    const guard = new EquityGuard(limits);
    marks(guard, '1000', '900');
    guard.reset();
    const from = decimal('900');
    const mark: EquityMark = { day: DAY, start: from, peak: from, last: from, reported: [] };
    expect(guard.memory).toEqual(new Map([['USDT', mark]]));
    expect(marks(guard, '811', '810')).toEqual([undefined, 'drawdown']);
  });
});

test('what a guard remembers is not changed by what comes after', () => {
  const first = new EquityGuard(limitsOf());
  marks(first, '1000');
  const { memory } = first;
  const next = new EquityGuard(limitsOf(), memory);
  marks(next, '2000');
  marks(first, '3000');
  expect(memory.get('USDT')?.last.toFixed()).toBe('1000');
  expect(next.memory.get('USDT')?.last.toFixed()).toBe('2000');
});

/** A second implementation, by all equities so far: at what each one is compared, and what is reported. */
function naive(all: readonly { day: number; value: number }[], limit: number): boolean[] {
  let reported = false;
  return all.map(({ day, value }, index) => {
    const past = all.slice(0, index);
    const today = past.filter((one) => one.day === day);
    const yesterday = past.filter((one) => one.day === day - 1);
    const start = yesterday.at(-1)?.value ?? [...today, { value }][0].value;
    if (today.length === 0) reported = false;
    const loss = start - value;
    if (2 * loss <= limit) reported = false;
    const isNew = loss > 0 && loss >= limit && !reported;
    reported ||= isNew;
    return isNew;
  });
}

test('whatever the equities, a loss is reported where a list of all equities has one', () => {
  const drawn = fc.array(
    fc.record({ days: fc.constantFrom(0, 0, 0, 1, 2), value: fc.integer({ min: 0, max: 12 }) }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(drawn, fc.integer({ min: 1, max: 8 }), (steps, limit) => {
      let day = DAY;
      const all = steps.map(({ days, value }) => ({ day: (day += days), value }));
      const guard = new EquityGuard(limitsOf({ maxDailyLoss: { USDT: String(limit) } }));
      const reported = all.map(
        (one) =>
          guard.mark('USDT', new Decimal(one.value), micros(one.day * US_PER_DAY)) !== undefined,
      );
      expect(reported).toEqual(naive(all, limit));
    }),
    { numRuns: runs(500), seed: seed(422) },
  );
});
