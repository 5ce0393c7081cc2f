import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { Random } from '../../../../src/platform/random.ts';
import { Lives } from './life.ts';
import { KILLS } from './moments.ts';
import { Trial } from './trial.ts';
import { openTrialVenue } from './whole-venue.ts';
import { MANAGED_ORDERS } from './requests.ts';

/** With more swaps, one of which waits for another: some of them are declined or come back. */
const ALL_MANAGED_ORDERS = [
  ...MANAGED_ORDERS,
  { id: '1', by: 'swaps', from: 'USDC@ethereum', to: 'USDC@solana', send: '1000' },
  { id: '2', by: 'swaps', from: 'USDC@tron', to: 'BTC@bitcoin', send: '2500.5' },
  { id: '3', by: 'swaps', from: 'USDC@solana', to: 'USDC@tron', send: '900', after: '1' },
];

test(
  `rebalances by all routes over four chains whose process is killed ${KILLS} times at random pay each transfer once and are completed`,
  async ({ annotate }) => {
    const venue = await openTrialVenue({ resolver: { declineShare: 0.1, failShare: 0.1 } });
    const lives = new Lives();
    onTestFinished(async () => {
      await lives.close();
      await venue.close();
    });
    const trial = new Trial(venue);
    const random = new Random(11);
    let plans = 0;
    for (let kills = 0; kills < KILLS;) {
      plans += 1;
      const errand = trial.errand(`p${plans}`, ALL_MANAGED_ORDERS);
      for (let isKilled = true; isKilled;) {
        const isLast = kills >= KILLS;
        const killed = random.chance(0.7)
          ? { killAt: random.integer(1, 80) }
          : { killAfterMs: random.integer(0, 800) };
        ({ isKilled } = await lives.live(errand, isLast ? {} : killed));
        if (isKilled) kills += 1;
        trial.expectConserved();
      }
      trial.expectSound();
    }
    const transfers = trial.transfers();
    expect(transfers).toHaveLength(ALL_MANAGED_ORDERS.length * plans);
    expect(venue.paidOrders).toHaveLength(plans);
    expect(venue.paid.length).toBeGreaterThan(0);
    const states = Object.groupBy(transfers, ({ state }) => state);
    const counts = Object.entries(states).map(([state, of]) => `${of?.length ?? 0} ${state}`);
    await annotate(
      `${plans} plans of ${ALL_MANAGED_ORDERS.length} transfers: ${counts.join(', ')}`,
    );

    // No key is in the journal; of signatures it has those of own payments, which are sent again.
    const journal = readFileSync(trial.path).toString('latin1');
    for (const key of Object.values(venue.keys)) expect(journal).not.toContain(key);
    expect(journal).not.toContain(venue.privateKey.split('\n')[1] ?? 'no key');
  },
  120_000 + KILLS * 20_000,
);

test('on a full disk nothing is paid, and what was begun is completed once there is space', async () => {
  const venue = await openTrialVenue({ isHeld: true });
  const waits = venue.pass;
  const full = new Lives(120);
  const lives = new Lives();
  onTestFinished(async () => {
    await full.close();
    await lives.close();
    await venue.close();
  });
  const trial = new Trial(venue);
  // The journal is made where there is space for it; then each plan takes some.
  await lives.live(trial.errand('first', MANAGED_ORDERS.slice(0, 1)), { waits });
  const paid = venue.paid.length;
  const errand = trial.errand('second', MANAGED_ORDERS);
  await expect(full.live(errand, { waits })).rejects.toThrow('cannot be written');
  expect(venue.paid).toHaveLength(paid);
  expect((await lives.live(errand, { waits })).isKilled).toBe(false);
  trial.expectSound();
  expect(venue.paid).toHaveLength(2 * paid);
}, 200_000);
