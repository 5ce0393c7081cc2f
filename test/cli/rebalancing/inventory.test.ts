import { describe, expect, test } from 'vitest';
import { ZERO, type Decimal } from '../../../src/model/decimal.ts';
import { US_PER_MS } from '../../../src/platform/time.ts';
import { rebalance } from '../../../src/strategy/portfolio.ts';
import { openHarness, openVenue } from './inventory-harness.ts';

const shares = (ethereum: string, tron: string, solana: string) =>
  rebalance({
    'USDC@ethereum': { weight: ethereum, band: '0.01' },
    'USDC@tron': { weight: tron, band: '0.01' },
    'USDC@solana': { weight: solana, band: '0.01' },
  });

const sum = (amounts: Readonly<Record<string, Decimal>>): Decimal =>
  Object.values(amounts).reduce((total, one) => total.plus(one), ZERO);

/** A resolver that accepts so late that a test can do something before. */
const LATE_US = 800 * US_PER_MS;

describe('a strategy that only rebalances', () => {
  test('needs no symbols live: an amount is brought to a chain, and what is paid goes on after a restart', async ({
    onTestFinished: finish,
  }) => {
    const first = await openHarness(await openVenue(finish, LATE_US), finish, undefined, []);
    const before = await first.ledger();
    const goal = (before['ethereum'] ?? ZERO).plus(200).toFixed();
    const managedOrder = rebalance({
      'USDC@ethereum': { amount: goal, band: '5' },
      'USDC@tron': { weight: '1', band: '0' },
    });
    first.commands.next(managedOrder);
    await first.reported(({ transfers }) => transfers.some(({ state }) => state === 'approved'));
    const stage = await first.again();
    expect(stage.bot.isReady()).toBe(true);
    await stage.until(() => expect(stage.reports.at(-1)?.state).toBe('done'));
    const after = await stage.ledger();
    expect((after['ethereum'] ?? ZERO).minus(goal).abs().lessThanOrEqualTo('5')).toBe(true);
    expect(after['trading']).toEqual(before['trading']);
    stage.commands.next(managedOrder);
    await stage.until(() => expect(stage.reports.at(-1)?.state).toBe('balanced'));
    expect(stage.bot.status().strategies).toMatchObject([{ name: 'puppet', symbols: [] }]);
  });
});

describe('a strategy that rebalances', () => {
  test('has its inventory at its targets, and the chains agree', async ({
    onTestFinished: finish,
  }) => {
    const stage = await openHarness(await openVenue(finish), finish);
    const before = await stage.ledger();
    expect(stage.seen).toEqual([
      Object.fromEntries(Object.entries(before).map(([place, one]) => [place, one.toFixed()])),
    ]);
    stage.commands.next(shares('0.4', '0.3', '0.3'));
    await stage.until(() => expect(stage.reports.at(-1)?.state).toBe('done'));
    const after = await stage.ledger();
    const { transfers, cost, plan } = stage.reports.at(-1) ?? { transfers: [] };
    expect(transfers.length).toBeGreaterThan(0);
    expect(transfers.map(({ state }) => state)).toEqual(transfers.map(() => 'fulfilled'));
    // Every transfer and what it cost, to the last digit.
    const expected: Record<string, Decimal> = { ...before };
    for (const { from, to, send, arrived } of transfers) {
      const [source, target] = [from.replace('USDC@', ''), to.replace('USDC@', '')];
      expected[source] = (expected[source] ?? ZERO).minus(send);
      expected[target] = (expected[target] ?? ZERO).plus(arrived ?? ZERO);
    }
    expect(after).toEqual(expected);
    expect(sum(before).minus(sum(after)).toFixed()).toBe(cost?.toFixed());
    // Where it was to be, within a percent point.
    const total = sum(after).minus(after['trading'] ?? ZERO);
    for (const [place, weight] of Object.entries({ ethereum: 0.4, tron: 0.3, solana: 0.3 })) {
      const share = (after[place] ?? ZERO).div(total).minus(weight).abs();
      expect(share.lessThanOrEqualTo('0.0101'), place).toBe(true);
    }
    await stage.until(() =>
      expect(stage.seen.at(-1)).toEqual(
        Object.fromEntries(Object.entries(after).map(([place, one]) => [place, one.toFixed()])),
      ),
    );
    expect(plan).toBe(stage.reports[0]?.plan);
    // The same wish again: nothing is left to do.
    stage.commands.next(shares('0.4', '0.3', '0.3'));
    await stage.until(() => expect(stage.reports.at(-1)?.state).toBe('balanced'));
    expect(await stage.ledger()).toEqual(after);
  });

  test('is refused what cannot be planned, and what it may not cost', async ({
    onTestFinished: finish,
  }) => {
    const stage = await openHarness(await openVenue(finish), finish);
    const before = await stage.ledger();
    const { targets } = shares('0.4', '0.3', '0.3');
    stage.commands.next(rebalance(targets, { maximumCost: '0' }));
    await stage.until(() => expect(stage.reports).toHaveLength(1));
    stage.commands.next(
      rebalance({
        'USDC@ethereum': { weight: '0.5', band: '0' },
        'USDC@moon': { weight: '0.5', band: '0' },
      }),
    );
    await stage.until(() => expect(stage.reports).toHaveLength(2));
    expect(stage.reports.map(({ state, rejection }) => [state, rejection?.code])).toEqual([
      ['refused', 'cost-above-maximum'],
      ['refused', 'plan-impossible'],
    ]);
    expect(stage.reports[1]?.rejection?.message).toMatch(
      /^USDC@moon at 0 % .*: moon is no location of this portfolio, which has (?=.*ethereum).*tron\.$/,
    );
    expect(await stage.ledger()).toEqual(before);
  });

  test('may not while its trading is halted or reducing, and may again when it is resumed', async ({
    onTestFinished: finish,
  }) => {
    const stage = await openHarness(await openVenue(finish), finish);
    const before = await stage.ledger();
    for (const operation of ['reduce', 'pause'] as const) {
      await stage.bot.operate(operation, 'puppet');
      stage.commands.next(shares('0.4', '0.3', '0.3'));
      await stage.until(() => expect(stage.reports.at(-1)?.state).toBe('refused'));
      expect(stage.reports.at(-1)?.rejection?.code).toBe('trading-halted');
    }
    expect(stage.reports).toHaveLength(2);
    expect(await stage.ledger()).toEqual(before);
    await stage.bot.operate('resume', 'puppet');
    stage.commands.next(shares('0.4', '0.3', '0.3'));
    await stage.until(() => expect(stage.reports.at(-1)?.state).toBe('done'));
  });

  test.for(['halt', 'kill', 'reduce'] as const)(
    'that is asked to %s gives up what is not paid, and completes what is paid',
    async (operation, { onTestFinished: finish }) => {
      const stage = await openHarness(await openVenue(finish, LATE_US), finish);
      const before = await stage.ledger();
      const received: string[] = [];
      let operated: Promise<unknown> | undefined;
      const push = stage.logs.push.bind(stage.logs);
      // At once when it is begun, before any of its transfers can have been paid.
      stage.logs.push = (line) => {
        received.push(line);
        if (line.includes('is begun')) operated = stage.bot.operate(operation, 'puppet');
        return push(line);
      };
      stage.commands.next(shares('0.4', '0.3', '0.3'));
      await stage.until(() =>
        expect(received.join('\n')).toContain('Rebalancing: All transfers have ended.'),
      );
      await operated;
      expect(received.join('\n')).toMatch(/is expired\. Trading is (halted|killed|reducing)/);
      expect(await stage.ledger()).toEqual(before);
      stage.commands.next(shares('0.6', '0.2', '0.2'));
      // A strategy that is killed is heard no more; the others are refused.
      if (operation !== 'kill') {
        await stage.until(() => expect(received.join('\n')).toContain('The rebalance was refused'));
      }
      expect(received.filter((line) => line.includes('is begun'))).toHaveLength(1);
      expect(await stage.ledger()).toEqual(before);
    },
  );

  test('that sets another target meanwhile gets that, and what was paid arrives too', async ({
    onTestFinished: finish,
  }) => {
    const stage = await openHarness(await openVenue(finish, LATE_US), finish);
    stage.commands.next(shares('0.4', '0.3', '0.3'));
    await stage.until(() =>
      expect(stage.reports.some(({ plan }) => plan !== undefined)).toBe(true),
    );
    const first = stage.reports.at(-1)?.plan;
    stage.commands.next(shares('0.4', '0.3', '0.3')); // the same: goes on
    stage.commands.next(shares('0.6', '0.2', '0.2'));
    await stage.until(() => {
      const last = stage.reports.at(-1);
      expect(last?.plan).not.toBe(first);
      expect(last?.state).toBe('done');
    });
    const plans = stage.reports.flatMap(({ plan }) => plan ?? []);
    expect(new Set(plans).size).toBe(2);
    const after = await stage.ledger();
    const share = (after['ethereum'] ?? ZERO).div(sum(after).minus(after['trading'] ?? ZERO));
    expect(share.minus('0.6').abs().lessThanOrEqualTo('0.0101')).toBe(true);
  });

  test('whose bot ends in the middle has what was paid led to its end by the next one', async ({
    onTestFinished: finish,
  }) => {
    const stage = await openHarness(await openVenue(finish, LATE_US), finish);
    const before = await stage.ledger();
    stage.commands.next(shares('0.4', '0.3', '0.3'));
    await stage.reported(({ transfers }) => transfers.some(({ state }) => state === 'approved'));
    const next = await stage.again();
    await next.until(() => expect(next.reports.at(-1)?.state).toMatch(/done|incomplete/));
    const { transfers, plan } = next.reports.at(-1) ?? { transfers: [] };
    expect(plan).toBe(stage.reports[0]?.plan);
    expect(transfers.some(({ state }) => state === 'fulfilled')).toBe(true);
    const after = await next.ledger();
    const lost = transfers
      .map(({ send, arrived }) => (arrived === undefined ? ZERO : send.minus(arrived)))
      .reduce((total, one) => total.plus(one), ZERO);
    expect(sum(before).minus(sum(after)).toFixed()).toBe(lost.toFixed());
    next.commands.next(shares('0.4', '0.3', '0.3'));
    await next.until(() => expect(next.reports.at(-1)?.state).toMatch(/done|balanced/));
  });
});
