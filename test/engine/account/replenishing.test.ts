import fc from 'fast-check';
import { map } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { decimal, ZERO } from '../../../src/model/decimal.ts';
import { micros, US_PER_DAY } from '../../../src/platform/time.ts';
import { setMargin } from '../../../src/strategy/margin.ts';
import { cross, isolated } from '../../../src/strategy/where.ts';
import { target } from '../../../src/strategy/managed-orders.ts';
import { Rig, type RigSettings } from '../margin-rig.ts';

const BTC = isolated('BTCUSDT');

const reported = (venue: RigSettings = {}) =>
  new Rig(
    ({ account }) =>
      account
        .marginEvents()
        .pipe(map((event) => ('balance' in event ? event.balance.toFixed() : event.kind))),
    {},
    undefined,
    venue,
  );

const balance = (rig: Rig): string | undefined =>
  rig.account('BTCUSDT', 'isolated')?.marginBalance.toFixed();

/** Balances that were asked for, in their order. */
const asked = (rig: Rig): unknown[] =>
  rig.audit.flatMap((event) =>
    event.kind === 'margin-request' ? [event.request.balance?.toFixed()] : [],
  );

const lines = (rig: Rig, part: string): string[] =>
  rig.audit.flatMap((event) =>
    event.kind === 'log' && event.message.includes(part) ? [event.message] : [],
  );

/** Buys and sells so many lots: 2 for each are lost, and the fees. */
const lose = (rig: Rig, lots: number): void =>
  rig.do(target(BTC, { lots }), target(BTC, { lots: 0 }));

const setting = (floor: string, to: string, maxPerDay: string) =>
  setMargin(BTC, {
    balance: decimal('100'),
    leverage: 5,
    replenish: { floor: decimal(floor), target: decimal(to), maxPerDay: decimal(maxPerDay) },
  });

describe('a margin account that is to be replenished', () => {
  test('is filled up to its target where its balance is below the floor, once', () => {
    const rig = reported();
    rig.do(setting('95', '100', '50'));
    // 2 lots lose 4, and 0.202 and 0.198 of fees: 95.6 is left, which is not below.
    lose(rig, 2);
    expect(balance(rig)).toBe('95.6');
    lose(rig, 1);
    expect(balance(rig)).toBe('100');
    expect(asked(rig)).toEqual(['100', '100']);
    expect(rig.seen).toEqual(['100', 'leverageChanged', '100']);
    expect(lines(rig, 'replenished')).toEqual([
      'The margin account isolated BTCUSDT was replenished by 6.6 USDT to 100; 6.6 of 50 today.',
    ]);
  });

  test('gets no more in a day than its cap, which is said once, and goes on the next day', () => {
    const rig = reported();
    rig.do(setting('95', '100', '8'));
    lose(rig, 4);
    expect(balance(rig)).toBe('99.2');
    lose(rig, 4);
    lose(rig, 1);
    expect(balance(rig)).toBe('88.2');
    expect(lines(rig, 'used up')).toEqual([
      'The margin account isolated BTCUSDT lacks 9.6 USDT and is not replenished: the 8 USDT of the day are used up.',
    ]);
    rig.pass(US_PER_DAY);
    lose(rig, 1);
    expect(balance(rig)).toBe('94');
    // The fee to buy, 0.101, had gone when the day's 8 were added; 2 and the fee to sell went after that.
    expect(asked(rig).slice(1)).toEqual(['99.2', '96.099']);
  });

  test('gets what its effective leverage lacks at a margin call, as the exchange would have it', () => {
    const rig = reported();
    rig.do(setMargin(BTC, { balance: decimal('100'), leverage: 5, replenish: true }));
    rig.do(target(BTC, { lots: 4 }));
    rig.quote(86, 88);
    rig.pass();
    // 4 bought at 101 and worth 348 at 87: 348 × (1/5 + 0.001) is to be there, and 99.596 - 56 is.
    expect(balance(rig)).toBe('125.948');
    expect(rig.seen.slice(2)).toEqual(['marginCall', '125.948', 'recovered']);
    expect(rig.account('BTCUSDT', 'isolated')?.positions).toHaveLength(1);
  });

  test('gets the same where the venue reports no margin calls, as the market moves', () => {
    const rig = reported({ isCallTold: false });
    rig.do(setMargin(BTC, { balance: decimal('100'), leverage: 5, replenish: true }));
    rig.do(target(BTC, { lots: 4 }));
    rig.quote(86, 88);
    rig.pass();
    expect(balance(rig)).toBe('125.948');
    expect(rig.seen.slice(2)).toEqual(['marginCall', '125.948', 'recovered']);
    expect(lines(rig, 'There is a margin call')).toHaveLength(1);
    rig.do(setMargin(BTC, { replenish: false }));
    rig.quote(79, 81);
    expect(rig.seen.slice(5)).toEqual(['marginCall']);
    rig.quote(86, 88);
    expect(rig.seen.slice(6)).toEqual(['recovered']);
  });

  test('has nothing added any more once it is said so, nor where spot has nothing', () => {
    const rig = reported();
    rig.do(setting('95', '100', '50'), setMargin(BTC, { replenish: false }));
    lose(rig, 3);
    expect(balance(rig)).toBe('93.4');
    rig.do(setMargin(BTC, { balance: decimal('993.4') }));
    rig.do(setMargin(BTC, { replenish: { floor: decimal('995'), target: decimal('1000'), maxPerDay: decimal('9') } })); // prettier-ignore
    expect(balance(rig)).toBe('993.4');
    expect(lines(rig, 'nothing of USDT is available')).toHaveLength(1);
  });
});

test('what is rejected is asked for again after ten seconds, and not at once', () => {
  const rejection = { code: 'budget-exceeded', message: 'No.' } as const;
  let isRejected = true;
  const rig = new Rig(undefined, undefined, ({ balance: wanted }) =>
    isRejected && wanted?.equals('99') === true ? rejection : undefined,
  );
  rig.do(setting('95', '99', '50'));
  lose(rig, 4);
  rig.pass(9_000_000);
  rig.quote(99, 101);
  expect(asked(rig)).toEqual(['100', '99']);
  expect(lines(rig, 'was not replenished: No.')).toHaveLength(1);
  isRejected = false;
  rig.pass(2_000_000);
  lose(rig, 1);
  expect(asked(rig)).toEqual(['100', '99', '99']);
  // The fee to buy, 0.101, had gone when it was filled up; 2 and the fee to sell went after that.
  expect(balance(rig)).toBe('96.901');
});

describe('what was added on a day', () => {
  test('is not given back by a request of the strategy that its limits reject meanwhile', () => {
    const rejection = { code: 'budget-exceeded', message: 'No.' } as const;
    const rig = new Rig(undefined, undefined, ({ balance: wanted }) => {
      if (wanted?.equals('900') === true) return rejection;
      const own = () => rig.commands.next(setMargin(BTC, { balance: decimal('900') }));
      rig.scheduler.at(micros(rig.scheduler.now() + 1), own);
      return undefined;
    });
    rig.do(setting('95', '100', '12'));
    lose(rig, 4);
    expect(balance(rig)).toBe('100');
    expect(asked(rig)).toEqual(['100', '900', '100', '900']);
    lose(rig, 4);
    // 8.8 were lost again, and 3.2 of the 12 were left.
    expect(balance(rig)).toBe('94.4');
  });

  test('counts for that day where replenishing is ended and begun again', () => {
    const rig = reported();
    rig.do(setting('95', '100', '12'));
    lose(rig, 4);
    rig.do(setMargin(BTC, { replenish: false }), setting('95', '100', '12'));
    lose(rig, 4);
    expect(balance(rig)).toBe('94.4');
  });
});

describe('how an account is replenished', () => {
  const replenish = { floor: decimal('95'), target: decimal('100'), maxPerDay: decimal('50') };

  test('stays as it is where the request that changes it is rejected', () => {
    const rig = reported();
    rig.do(setMargin(BTC, { balance: decimal('100'), leverage: 5 }));
    rig.do(setMargin(BTC, { balance: decimal('5000'), replenish }));
    lose(rig, 4);
    expect(balance(rig)).toBe('91.2');
    rig.do(setMargin(BTC, { replenish }));
    expect(balance(rig)).toBe('100');
    rig.do(setMargin(BTC, { balance: decimal('5000'), replenish: false }));
    lose(rig, 4);
    expect(balance(rig)).toBe('100');
    expect(rig.seen.filter((one) => one === 'rejected')).toHaveLength(2);
  });

  test('is as was said last, whatever is accepted after it', () => {
    const rig = reported();
    rig.commands.next(setting('95', '100', '50'));
    rig.commands.next(setMargin(BTC, { replenish: false }));
    rig.pass();
    lose(rig, 4);
    expect(balance(rig)).toBe('91.2');
  });
});

test('a setting that is rejected before it is sent is reported like any other', () => {
  const rig = new Rig(({ account }) =>
    account
      .marginEvents(BTC)
      .pipe(map((event) => (event.kind === 'rejected' ? event.rejection.code : event.kind))),
  );
  rig.do(
    setMargin(BTC, { balance: decimal('100'), leverage: 500 }),
    setMargin(BTC, { balance: decimal('-1') }),
    setMargin(BTC, { balance: decimal('5000') }),
  );
  expect(rig.seen).toEqual(['leverage-invalid', 'margin-balance-invalid', 'funds-insufficient']);
});

test('however an account loses, it never gets more in a day than its cap, and never too much', () => {
  const step = fc.oneof(
    fc.record({ lots: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ quote: fc.integer({ min: 90, max: 110 }) }),
    fc.record({ wait: fc.constantFrom(1, 6, 24) }),
  );
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 25 }),
      fc.integer({ min: 1, max: 40 }),
      (steps, cap) => {
        const rig = new Rig();
        rig.do(setting('98', '100', String(cap)));
        for (const one of steps) {
          if ('lots' in one) lose(rig, one.lots);
          else if ('quote' in one) rig.quote(one.quote - 1, one.quote + 1);
          else rig.pass((one.wait * US_PER_DAY) / 24);
        }
        const days = new Map<number, ReturnType<typeof decimal>>();
        let before = ZERO;
        for (const event of rig.audit) {
          if (event.kind !== 'margin-report' || event.report.kind !== 'marginAccount') continue;
          const { reason, account } = event.report;
          if (reason === 'marginChanged') {
            const day = Math.floor(event.at / US_PER_DAY);
            const sum = (days.get(day) ?? ZERO).plus(account.balance).minus(before);
            days.set(day, sum);
            expect(sum.lessThanOrEqualTo(cap)).toBe(true);
            expect(account.balance.lessThanOrEqualTo(100)).toBe(true);
          }
          before = account.balance;
        }
      },
    ),
    { numRuns: 50 },
  );
});

describe('a margin account that the configuration replenishes', () => {
  const configured = (floor: string, to: string, maxPerDay: string) => ({
    symbol: 'BTCUSDT',
    mode: 'isolated' as const,
    replenish: { floor: decimal(floor), target: decimal(to), maxPerDay: decimal(maxPerDay) },
  });
  const opened = setMargin(BTC, { balance: decimal('100'), leverage: 5 });

  test('is filled up as one that the strategy wants to be, within the cap of the day', () => {
    const rig = reported({ replenish: [configured('95', '100', '8')] });
    rig.do(opened);
    lose(rig, 4);
    expect(balance(rig)).toBe('99.2');
    lose(rig, 4);
    expect(asked(rig)).toEqual(['100', '99.2']);
    expect(lines(rig, 'used up')).toHaveLength(1);
  });

  test('takes no other replenishing from the strategy, and everything else', () => {
    const rig = reported({ replenish: [configured('95', '100', '8')] });
    rig.do(opened, setMargin(BTC, { balance: decimal('120'), replenish: true }));
    expect(balance(rig)).toBe('100');
    expect(rig.audit).toContainEqual(
      expect.objectContaining({
        kind: 'refused',
        rejection: {
          code: 'replenish-configured',
          field: 'replenish',
          message:
            'The configuration says how the margin account of BTCUSDT is replenished; leave replenish out of setMargin, or out of the configuration.',
        },
      }),
    );
    rig.do(setMargin(BTC, { balance: decimal('120') }));
    expect(balance(rig)).toBe('120');
    rig.do(setMargin(cross('BTCUSDT'), { balance: decimal('50'), replenish: true }));
    expect(rig.account('BTCUSDT', 'cross')?.marginBalance.toFixed()).toBe('50');
  });

  test('belongs to the strategy again once the configuration does not name it any more, and what came today counts', () => {
    let text: string | undefined;
    const memory = { kept: () => text, save: (next: string) => void (text = next) };
    const before = reported({ replenish: [configured('95', '100', '10')], memory });
    before.do(opened);
    lose(before, 4);
    const after = reported({ memory });
    after.do(opened);
    lose(after, 4);
    expect(asked(after)).toEqual(['100']);
    after.do(setting('95', '100', '10'));
    lose(after, 4);
    // 91.2 was left before too, so that 8.8 of the 10 of the day came already.
    expect(asked(after).slice(1)).toEqual(['100', '92.4']);
  });

  test.each([
    [
      [{ ...configured('1', '2', '3'), symbol: 'ETHUSDT' }],
      'replenish names ETHUSDT on isolated margin, which the strategy does not trade there.',
    ],
    [
      [configured('1', '2', '3'), configured('1', '2', '3')],
      'replenish names the margin account of BTCUSDT on isolated margin twice.',
    ],
  ])('has to be one that the strategy trades on, named once', (replenish, message) => {
    expect(() => reported({ replenish })).toThrow(message);
  });
});
