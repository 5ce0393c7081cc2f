import { beforeAll, expect, test } from 'vitest';
import { ZERO } from '../../../src/model/decimal.ts';
import { sizeOf } from '../../kit/size.ts';
import {
  compiled,
  ledgerOf,
  lived,
  livedOn,
  transfersOf,
  openStillVenue,
  printed,
  written,
  type TransferRow,
  type Portfolio,
} from './kill-stage.ts';

// The three share no holding: what one has brought into its bands no other takes out of them.

const SWAPS: Portfolio = {
  name: 'by-swaps',
  without: ['account'],
  services: ['swaps'],
  killedAt: ['quoted', 'approved'],
  targets: {
    'USDC@tron': { weight: 0.6, band: 0.01 },
    'USDT@ethereum': { weight: 0.4, band: 0.01 },
  },
};

const ORDERS: Portfolio = {
  name: 'by-orders',
  without: ['account'],
  services: ['exchangeOrders'],
  // The other test kills it where it is created.
  killedAt: ['fulfilled'],
  targets: {
    'SOL@solana': { weight: 0.5, band: 0.01 },
    'USDC@solana': { weight: 0.5, band: 0.01 },
  },
};

/** Takes a deposit, a trade, and a withdrawal of what was bought. */
const ACCOUNT: Portfolio = {
  name: 'by-account',
  without: [],
  services: [],
  killedAt: ['deposited', 'approved'],
  targets: {
    'USDC@ethereum': { weight: 0.4, band: 0.01 },
    'USDC@trading': { weight: 0.5, band: 0.01 },
    'BTC@bitcoin': { weight: 0.1, band: 0.01 },
  },
};

beforeAll(() => compiled({ ...ACCOUNT, services: ['swaps', 'exchangeOrders'] }));

const DEFAULT_KILLS = 2;
/** At how many states each is killed at the most: in the full size at all that it says. */
const KILLS = sizeOf('MILLRACE_COMMAND_KILLS', DEFAULT_KILLS, 100);

/** Kills the command at states that it says, until one comes to its end. Gives those states. */
async function killed(
  place: string,
  { killedAt: defaults }: Portfolio,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  const isAny = KILLS > DEFAULT_KILLS;
  const isWanted = (state: string): boolean =>
    !known.has(state) && known.size < KILLS && (isAny || defaults.includes(state));
  for (let isFirst = true; ; isFirst = false) {
    const mayBeKilled = known.size < (isAny ? KILLS : Math.min(KILLS, defaults.length));
    const life = mayBeKilled ? await lived(place, isWanted) : await livedOn(place);
    const { killedAt, code, happened, err } = life;
    if (killedAt !== undefined) known.add(killedAt);
    // It may have been killed when all was done and its end was written.
    if (happened.length > 0) expect(happened[0]).toBe(isFirst ? 'begun' : 'resumed');
    if (code === null) continue;
    expect({ code, err }).toMatchObject({ code: 0 });
    return known;
  }
}

test('rebalances of the command line by all routes that are killed at each state they say go on when they are started again, and pay nothing twice', async ({
  annotate,
}) => {
  const url = await openStillVenue();
  const before = await ledgerOf(url);
  const transfers = await Promise.all(
    [SWAPS, ORDERS, ACCOUNT].map(async (portfolio): Promise<readonly TransferRow[]> => {
      const place = written(portfolio, url);
      const states = await killed(place, portfolio);
      await annotate(`${portfolio.name} was killed at ${[...states].join(', ')}`);
      expect([...states]).toEqual(expect.arrayContaining(portfolio.killedAt.slice(0, KILLS)));
      return transfersOf(place, portfolio);
    }),
  );
  for (const ofOne of transfers) {
    expect(new Set(ofOne.map(({ plan }) => plan)).size).toBe(1);
    expect(ofOne.map(({ state }) => state)).toEqual(ofOne.map(() => 'fulfilled'));
  }
  const [swaps = [], orders = [], account = []] = transfers;
  expect(new Set(swaps.map(({ route }) => route))).toEqual(new Set(['swaps']));
  expect(new Set(orders.map(({ route }) => route))).toEqual(new Set(['exchange-orders']));
  expect(account.map(({ from, to }) => `${from} ${to}`).toSorted()).toEqual([
    'BTC@trading BTC@bitcoin',
    'USDC@ethereum USDC@trading',
    'USDC@trading BTC@trading',
  ]);
  // Each transfer took what it says, once, and nothing else was taken.
  const expected = new Map(before);
  for (const { from, to, send, arrived } of transfers.flat()) {
    expected.set(from, (expected.get(from) ?? ZERO).minus(send));
    expected.set(to, (expected.get(to) ?? ZERO).plus(arrived));
  }
  expect(await ledgerOf(url)).toEqual(expected);
});

test('what is under way is shown beside a plan, and superseded where the command asks for it', async () => {
  const place = written(ORDERS, await openStillVenue());
  const { killedAt } = await lived(place, (state) => state !== 'quoted');
  expect(killedAt).toBeDefined();
  const plan = await printed(place, ['--plan']);
  expect(plan).toMatch(/^\S+\/1: the transfer of .* is (created|approved|deposited)\.$/m);
  expect(plan).toContain('--execute goes on with it');
  await printed(place, ['--execute', '--yes', '--supersede']);
  expect(await printed(place, ['--plan'])).toContain('Everything is in its band');
});
