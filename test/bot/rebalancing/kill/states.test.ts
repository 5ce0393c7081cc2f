import { expect, onTestFinished, test } from 'vitest';
import { IS_FULL } from '../../../kit/size.ts';
import { Lives } from './life.ts';
import { IS_WHOLE, isLasting } from './moments.ts';
import { Trial } from './trial.ts';
import { openTrialVenue } from './whole-venue.ts';
import { MANAGED_ORDERS } from './requests.ts';

/**
 * The moments at which each transfer must have lost its process, beside all others that there were.
 */
const MOMENTS: Readonly<Record<string, readonly string[]>> = {
  swap: [
    ...['write createIntent', 'perform createIntent: POST', 'write created', 'write approve'],
    ...['perform approve: POST', 'write preparePermit', 'write permit', 'perform permit: POST'],
    ...['write approved', 'write deposited', 'write fulfilled'],
  ],
  order: [
    ...['write createOrder', 'perform createOrder: POST', 'write created', 'write prepare'],
    ...['write payIn', 'perform payIn: POST', 'write deposited', 'write fulfilled'],
  ],
  deposit: [
    ...['write planned', 'write quoted', 'write prepare', 'write payIn', 'perform payIn: POST'],
    ...['write deposited', 'write bringHome', 'perform bringHome: POST', 'write fulfilled'],
  ],
  trade: ['write gather', 'write placeOrder', 'perform placeOrder: POST', 'write fulfilled'],
  withdrawal: [
    ...['write planned', 'write quoted', 'write gather', 'perform gather: POST', 'write withdraw'],
    ...['perform withdraw: POST', 'write created', 'write commit', 'perform commit: PUT'],
    ...['write approved', 'write deposited', 'write fulfilled'],
  ],
};

/**
 * Of these the ones that `npm test` tries: before what lets money go is written, before it is asked
 * for, and before its answer is written.
 */
const DEFAULT: typeof MOMENTS = {
  swap: ['perform permit: POST', 'write approved'],
  order: ['write payIn', 'perform payIn: POST', 'write deposited'],
  deposit: ['write payIn', 'perform bringHome: POST'],
  trade: ['perform placeOrder: POST'],
  withdrawal: ['write withdraw', 'perform withdraw: POST', 'write created', 'perform commit: PUT'],
};

const IS_DEFAULT = !IS_FULL && !IS_WHOLE;

test(
  'a swap, an exchange order, a deposit, a trade and a withdrawal whose process is killed before each write and each request pay once and are completed',
  async ({ annotate }) => {
    const venue = await openTrialVenue({ isHeld: true });
    const lives = new Lives();
    onTestFinished(async () => {
      await lives.close();
      await venue.close();
    });
    const trial = new Trial(venue);
    const errand = trial.errand('p', MANAGED_ORDERS);
    const known = new Set<string>();
    const due = momentsOf(IS_DEFAULT ? DEFAULT : MOMENTS);
    const among = IS_DEFAULT ? due : undefined;
    // Each process kills itself at the first moment at which none was killed; one comes to its end.
    for (let isKilled = true; isKilled;) {
      ({ isKilled } = await lives.live(errand, { known, among, waits: venue.pass }));
      trial.expectConserved();
    }
    const missed = due.filter((one) => ![...known].some((moment) => moment.startsWith(one)));
    expect(missed).toEqual([]);
    trial.expectSound();
    expect(trial.transfers().map(({ id, state }) => `${id} ${state}`)).toEqual(
      MANAGED_ORDERS.map(({ id }) => `p/${id} fulfilled`),
    );
    await annotate(`${known.size} kills: ${[...known].join(', ')}`);
    if (!IS_WHOLE) return;
    const once = await killedOnce(trial, lives, [...known].filter(isLasting));
    await annotate(`${once} plans that were killed once`);
  },
  IS_WHOLE ? 3_600_000 : 600_000,
);

/** How the names of moments begin that a plan `p` passes. */
const momentsOf = (transfers: typeof MOMENTS): readonly string[] => [
  'before begin',
  ...Object.entries(transfers).flatMap(([id, ofTransfer]) =>
    ofTransfer.map((moment) => {
      const [what = '', request] = moment.split(': ');
      return `before ${what} p/${id}${request === undefined ? '' : `: ${request}`}`;
    }),
  ),
  ...['before end', 'after end'],
];

/** A plan for each moment, which is killed there alone; gives how many came to theirs. */
async function killedOnce(trial: Trial, lives: Lives, moments: readonly string[]): Promise<number> {
  const waits = trial.venue.pass;
  let kills = 0;
  for (const [index, moment] of moments.entries()) {
    const plan = `once${index}`;
    const errand = trial.errand(plan, MANAGED_ORDERS);
    const killAt = moment.replaceAll(' p/', ` ${plan}/`);
    const { isKilled } = await lives.live(errand, { killAt, waits });
    trial.expectConserved();
    if (isKilled) await lives.live(errand, { waits });
    if (isKilled) kills += 1;
    trial.expectSound();
  }
  const states = new Set(trial.transfers().map(({ state }) => state));
  expect([...states]).toEqual(['fulfilled']);
  return kills;
}
