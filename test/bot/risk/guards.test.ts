import { describe, expect, test } from 'vitest';
import { Guards } from '../../../src/bot/risk/guards.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { micros, US_PER_DAY, US_PER_HOUR, US_PER_SECOND } from '../../../src/platform/time.ts';
import { accountOf, BTC, marginOf } from '../../risk/margin/view.ts';
import { limitsOf, NOW } from '../../risk/view.ts';

const after = (us: number) => micros(NOW + us);

/** Marks equities of USDT one after the other, a second apart; gives which limit each one broke. */
function marks(guards: Guards, ...values: string[]): (string | undefined)[] {
  return values.map(
    (value, index) => guards.equity('USDT', decimal(value), after(index * US_PER_SECOND))?.limit,
  );
}

const GO_ON =
  'A higher limit lets trading go on, or "millrace reset-loss" before "millrace resume".';

describe('a loss', () => {
  test('says which limit it broke, where that leads, and what lets trading go on', () => {
    const limits = limitsOf({ maxDailyLoss: { USDT: '100' }, onBreach: 'reducing' });
    const guards = new Guards(limits);
    expect(marks(guards, '1000', '900.01')).toEqual([undefined, undefined]);
    expect(guards.equity('USDT', decimal('900'), after(0))).toEqual({
      limit: 'daily-loss',
      to: 'reducing',
      why: `100 USDT were lost since midnight UTC, and 100 may be. ${GO_ON}`,
    });
  });

  const limits = limitsOf({ maxDrawdown: '0.1', onBreach: 'killed' });

  test('is remembered over a restart', () => {
    const guards = new Guards(limits);
    marks(guards, '1000', '950');
    const next = new Guards(limits, guards.memory);
    expect(marks(next, '901', '900')).toEqual([undefined, 'drawdown']);
    expect(marks(new Guards(limits, next.memory), '890')).toEqual([undefined]);
  });

  test('counts without money that came or went by no trade', () => {
    const guards = new Guards(limits);
    marks(guards, '1000');
    guards.transferred('USDT', decimal('-500'));
    expect(marks(guards, '451', '450')).toEqual([undefined, 'drawdown']);
  });

  test('halts again who resumes while it is beyond the limit, and counts anew for who resets it', () => {
    const guards = new Guards(limits);
    expect(marks(guards, '1000', '900', '900')).toEqual([undefined, 'drawdown', undefined]);
    guards.resumed(after(0));
    expect(marks(guards, '901', '900')).toEqual([undefined, 'drawdown']);
    guards.resetLoss();
    guards.resumed(after(0));
    expect(marks(guards, '811', '810')).toEqual([undefined, 'drawdown']);
  });
});

test('a position near its liquidation is reported again to who resumes', () => {
  const guards = new Guards(limitsOf({ minLiquidationDistance: '0.1' }));
  const held = [{ instrument: BTC, size: '0.1', entry: '20000', liquidation: '15000' }];
  const near = marginOf([accountOf({ balance: '599', held })], { BTCUSDT: '16000' });
  expect(guards.liquidation(near)).toHaveLength(1);
  expect(guards.liquidation(near)).toHaveLength(0);
  guards.resumed(NOW);
  expect(guards.liquidation(near)).toHaveLength(1);
  guards.retryLiquidation('BTCUSDT', 'isolated');
  expect(guards.liquidation(near)).toHaveLength(1);
});

describe('stale data', () => {
  const limits = limitsOf({ staleAfterUs: US_PER_SECOND });

  test('a market that is silent for longer is reported once, until data comes again', () => {
    const guards = new Guards(limits);
    guards.watch('BTCUSDT', after(0));
    guards.watch('ETHUSDT', after(0));
    guards.received('ETHUSDT', after(500_000));
    expect(guards.check(after(1_000_000))).toBeUndefined();
    expect(guards.check(after(1_000_001))?.why).toBe(
      'Nothing was received of BTCUSDT for more than 1 s.',
    );
    guards.received('BTCUSDT', after(0));
    expect(guards.check(after(1_400_000))).toBeUndefined();
    expect(guards.check(after(1_600_000))?.why).toContain('ETHUSDT');
    guards.received('BTCUSDT', after(2_000_000));
    expect(guards.check(after(3_000_000))).toBeUndefined();
    expect(guards.check(after(3_000_001))?.limit).toBe('stale-data');
  });

  test('a symbol is watched once, and who resumes gives it time', () => {
    const guards = new Guards(limits);
    guards.watch('BTCUSDT', after(0));
    guards.watch('BTCUSDT', after(US_PER_HOUR));
    expect(guards.check(after(US_PER_HOUR))?.limit).toBe('stale-data');
    guards.resumed(after(US_PER_HOUR));
    expect(guards.check(after(US_PER_HOUR + US_PER_SECOND))).toBeUndefined();
    expect(guards.check(after(US_PER_HOUR + US_PER_SECOND + 1))?.limit).toBe('stale-data');
  });
});

describe('causes that pass', () => {
  const autoResume = new Set(['data', 'connection', 'clock'] as const);
  const limits = limitsOf({ staleAfterUs: US_PER_SECOND, maxClockSkewUs: 1_000_000, autoResume });

  test('silence is over when market data comes again', () => {
    const guards = new Guards(limits);
    guards.watch('BTCUSDT', after(0));
    expect(guards.check(after(1_000_001))).toMatchObject({ passing: 'data' });
    expect(guards.isOver('data')).toBe(false);
    guards.received('BTCUSDT', after(1_500_000));
    expect(guards.isOver('data')).toBe(true);
  });

  test('a lost connection is the cause where nothing else is silent', () => {
    const guards = new Guards(limits);
    guards.watch('BTCUSDT', after(0));
    guards.lost('BTCUSDT');
    expect(guards.check(after(1_000_001))).toMatchObject({
      passing: 'connection',
      why: 'Nothing was received of BTCUSDT for more than 1 s, as the connection is lost.',
    });
    expect(guards.isOver('connection')).toBe(false);
    guards.received('BTCUSDT', after(1_500_000));
    expect(guards.isOver('connection')).toBe(true);
  });

  test('clocks that come together again are over', () => {
    const guards = new Guards(limits);
    expect(guards.clockSkew(2_000_000)).toMatchObject({ passing: 'clock' });
    expect(guards.isOver('clock')).toBe(false);
    guards.clockSkew(1);
    expect(guards.isOver('clock')).toBe(true);
  });

  test('what the setting does not name, and what was killed, waits for a person', () => {
    const silent = (given: Parameters<typeof limitsOf>[0]) => {
      const guards = new Guards(limitsOf({ staleAfterUs: US_PER_SECOND, ...given }));
      guards.watch('BTCUSDT', after(0));
      return guards.check(after(2_000_000));
    };
    expect(silent({ autoResume: new Set(['clock']) })?.passing).toBeUndefined();
    expect(silent({ autoResume, onBreach: 'killed' })?.passing).toBeUndefined();
  });
});

describe('rejections', () => {
  test('more than allowed within a minute is a breach, and the next takes as many again', () => {
    const guards = new Guards(limitsOf({ maxRejectsPerMinute: 2 }));
    const second = (count: number) => guards.rejected(after(count * US_PER_SECOND))?.limit;
    expect([second(0), second(59), second(60), second(61)]).toEqual([
      ...[undefined, undefined],
      ...[undefined, 'rejects'],
    ]);
    expect([second(62), second(63), second(64)]).toEqual([undefined, undefined, 'rejects']);
  });
});

describe('clock skew', () => {
  test('a distance beyond the limit is reported once, until it is back at half of it', () => {
    const guards = new Guards(limitsOf({ maxClockSkewUs: 1_000_000 }));
    expect(guards.clockSkew(1_000_000)).toBeUndefined();
    expect(guards.clockSkew(-1_000_001)?.why).toBe(
      "The venue's clock is 1.000001 s behind ours, more than 1 s.",
    );
    expect(guards.clockSkew(2_000_000)).toBeUndefined();
    expect(guards.clockSkew(500_001)).toBeUndefined();
    expect(guards.clockSkew(2_000_000)).toBeUndefined();
    expect(guards.clockSkew(500_000)).toBeUndefined();
    expect(guards.clockSkew(2_000_000)?.why).toContain('2 s ahead of ours');
  });
});

test('without limits nothing is a breach', () => {
  const guards = new Guards(limitsOf());
  guards.watch('BTCUSDT', after(0));
  expect(marks(guards, '1000', '1')).toEqual([undefined, undefined]);
  expect(guards.check(after(US_PER_DAY))).toBeUndefined();
  expect(guards.rejected(after(0))).toBeUndefined();
  expect(guards.clockSkew(1e12)).toBeUndefined();
});
