import { expect, test, vi } from 'vitest';
import { Journal } from '../../../src/bot/journal/journal.ts';
import { RebalancingJournal } from '../../../src/bot/rebalancing/journal.ts';
import { micros, US_PER_MINUTE, type Micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { place } from '../../../src/strategy/orders.ts';
import { rebalance } from '../../../src/strategy/portfolio.ts';
import { sizeOf } from '../../kit/size.ts';
import { driven, folder, settle, START } from '../rig.ts';
import {
  after,
  copied,
  expected,
  life,
  LIMITS,
  transfersOf,
  paperOf,
  quick,
  WEIGHTS,
  written,
  type Life,
} from './portfolio-harness.ts';

/** How long it takes to hear what happened: much can be on its way when a process is killed. */
const REPORT_MS = 20;

/** How many states of the disk another life is played from. */
const COPIES = sizeOf('MILLRACE_PAPER_KILLS', 12, 1_000);

/** Moves the clock in small steps, so that writes fall between what happens and what is heard. */
async function passed({ clock }: Life, ms: number): Promise<void> {
  const till = clock.now() + ms * 1_000;
  while (clock.now() < till) {
    clock.advanceTo(micros(Math.min(till, clock.now() + 500)));
    await settle();
  }
}

/**
 * Plays a life, and then another from every state of the disk in it. Gives how transfers ended
 * there.
 */
async function killed(
  play: (life: Life) => Promise<void>,
): Promise<{ readonly copies: number; readonly ends: ReadonlySet<string> }> {
  const data = folder();
  const clock = new VirtualScheduler(START);
  const copies = new Map<string, { readonly copy: string; readonly at: Micros }>();
  const kept = (): void => {
    const copy = copied(data);
    const whole = JSON.stringify([...written(copy).held, written(copy).onWay, transfersOf(copy)]);
    if (!copies.has(whole)) copies.set(whole, { copy, at: clock.now() });
  };
  const slow = { account: { paper: paperOf(REPORT_MS) } };
  const first = await life(data, clock, quick(), {}, slow);
  after(RebalancingJournal.prototype, ['begin', 'write', 'end'], kept);
  after(Journal.prototype, ['flush', 'intend', 'setState'], kept);
  await play(first);
  vi.restoreAllMocks();
  await driven(first.bot.close(), clock);
  const ends = new Set<string>();
  const each = Math.max(1, Math.floor(copies.size / COPIES));
  for (const { copy, at } of [...copies.values()].filter((_, index) => index % each === 0)) {
    const next = await life(copy, new VirtualScheduler(at), quick(), {}, slow);
    await next.pass(1_000);
    // What was set aside for a withdrawal that nobody let go comes back within the hour.
    for (let minute = 0; minute <= 60; minute += 1) {
      next.clock.advanceTo(micros(next.clock.now() + US_PER_MINUTE));
      await settle();
    }
    await driven(next.bot.close(), next.clock);
    for (const { state } of transfersOf(copy)) ends.add(state);
    const { held, onWay } = written(copy);
    expect(held).toEqual(expected(copy));
    expect(onWay).toEqual([]);
  }
  return { copies: copies.size, ends };
}

test('each transfer is made once and nothing is lost, after whichever write a bot is killed', async () => {
  const { copies, ends } = await killed(async (rig) => {
    rig.commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    await passed(rig, 3_000);
    expect(rig.reports.at(-1)).toMatchObject({ state: 'done' });
  });
  expect(copies).toBeGreaterThan(15);
  // What was not paid was given up, and what was paid has arrived.
  expect([...ends].filter((end) => end !== 'fulfilled' && end !== 'expired')).toEqual([]);
  expect(ends).toContain('fulfilled');
});

test('the same where fills of the strategy are not reported yet, and a transfer trades with its resting order', async () => {
  const { copies } = await killed(async (rig) => {
    const [commands] = rig.commands;
    commands?.next(place('BTCUSDT', { type: 'limit', side: 'buy', lots: 30, ticks: 4_999_900 }));
    await passed(rig, 100);
    commands?.next(place('BTCUSDT', { type: 'market', side: 'sell', lots: 5 }));
    await passed(rig, 1.5);
    commands?.next(rebalance(WEIGHTS, LIMITS));
    await passed(rig, 3_000);
    expect(rig.reports.at(-1)).toMatchObject({ state: 'done' });
    commands?.next(place('BTCUSDT', { type: 'market', side: 'buy', lots: 3 }));
    await passed(rig, 500);
  });
  expect(copies).toBeGreaterThan(15);
});

test('the same where the strategy fails by the balance that a transfer changes', async () => {
  const { copies } = await killed(async (rig) => {
    rig.contexts[0]?.account.balances('USDT').subscribe(({ available }) => {
      if (!available.equals(6_000)) rig.commands[0]?.error(new Error('a bug'));
    });
    rig.commands[0]?.next(rebalance(WEIGHTS, LIMITS));
    await passed(rig, 3_000);
    expect(rig.bot.status().strategies[0]?.state).not.toBe('running');
  });
  expect(copies).toBeGreaterThan(5);
});

test('the same where the strategy fails by a fill that a transfer reports early', async () => {
  const { copies } = await killed(async (rig) => {
    const [commands] = rig.commands;
    rig.contexts[0]?.account.balances('USDT').subscribe(({ available }) => {
      if (!available.equals(6_000)) commands?.error(new Error('a bug'));
    });
    commands?.next(place('BTCUSDT', { type: 'market', side: 'sell', lots: 5 }));
    await passed(rig, 1.5);
    commands?.next(rebalance(WEIGHTS, LIMITS));
    await passed(rig, 3_000);
    expect(rig.bot.status().strategies[0]?.state).not.toBe('running');
  });
  expect(copies).toBeGreaterThan(5);
});
