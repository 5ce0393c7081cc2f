import { beforeAll, expect, test } from 'vitest';
import { sizeOf } from '../../kit/size.ts';
import { lived, livedOn, movesOf, printed } from './kill-stage.ts';
import { keyFile, openBitcoin, openLitesvm, written, type WalletNetwork } from './wallets-harness.ts'; // prettier-ignore

/** At how many states a rebalance is killed; in the full size at all that it says. */
const KILLS = sizeOf('MILLRACE_COMMAND_KILLS', 1, 100);

let keys: Readonly<Record<'bitcoin' | 'solana', string>>;

beforeAll(async () => {
  keys = { bitcoin: await keyFile('bitcoin'), solana: await keyFile('solana') };
});

const BITCOIN = {
  prices: { BTC: 60_000 },
  targets: {
    'BTC@hot': { weight: 0.4, band: 0.02 },
    'BTC@cold': { weight: 0.6, band: 0.02 },
  },
};

const SOLANA = {
  prices: { SOL: 100, USDC: 1 },
  targets: {
    'SOL@hot': { weight: 0.3, band: 0.02 },
    'SOL@cold': { weight: 0.3, band: 0.02 },
    'USDC@hot': { weight: 0.2, band: 0.02 },
    'USDC@cold': { weight: 0.2, band: 0.02 },
  },
};

/** All transfers as their journal has them. */
const movesIn = (place: string) =>
  movesOf(place, { name: 'wallets', without: [], services: [], killedAt: [], targets: {} });

const linesIn = (place: string): readonly string[] =>
  movesIn(place).map(({ state, carrier, from, to }) => `${state} ${carrier} ${from} ${to}`).toSorted(); // prettier-ignore

/** Kills the command at states that it says, until one comes to its end; gives those states. */
async function killed(place: string, paid: string): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  while (known.size < KILLS) {
    const isWanted = (state: string): boolean => !known.has(state) && (KILLS > 1 || state === paid);
    const { killedAt, code, err } = await lived(place, isWanted);
    if (killedAt !== undefined) known.add(killedAt);
    if (code === null) continue;
    expect({ code, err }).toMatchObject({ code: 0 });
    return known;
  }
  const { code, err, happened } = await livedOn(place);
  expect({ code, err }).toMatchObject({ code: 0 });
  expect(happened[0]).toBe('resumed');
  return known;
}

/** Executes to the end, and looks whether the plan then has nothing to do and nothing was lost. */
async function executed(network: WalletNetwork, place: string): Promise<void> {
  const before = network.sum();
  expect(await printed(place, ['--plan'])).toMatch(/wallets +\S+ \w+@hot/);
  expect(network.payments()).toBe(0);
  expect(await livedOn(place)).toMatchObject({ code: 0, err: '' });
  expect(await printed(place, ['--plan'])).toContain('Everything is in its band');
  expect(network.sum()).toBe(before);
}

test('bitcoins move between two wallets of one chain by the command line, and the plan then shows them in band', async () => {
  const network = await openBitcoin({ hot: [50_000_000n, 30_000_000n, 20_000_000n], cold: [] });
  const place = written(keys.bitcoin, network, BITCOIN);
  await executed(network, place);
  expect(linesIn(place)).toEqual(['fulfilled wallets BTC@hot BTC@cold']);
  expect(network.payments()).toBe(1);
  const [move] = movesIn(place);
  expect(move?.arrived.times(100_000_000).toFixed()).toBe(`${network.held('cold')}`);
});

test('lamports and tokens move between two wallets of one cluster by the command line, and the plan then shows them in band', async () => {
  const network = await openLitesvm({ hot: 6_000_000_000n, cold: 0n }, 400_000_000n);
  const place = written(keys.solana, network, SOLANA);
  await executed(network, place);
  expect(linesIn(place)).toEqual([
    'fulfilled wallets SOL@hot SOL@cold',
    'fulfilled wallets USDC@hot USDC@cold',
  ]);
  expect(network.payments()).toBe(2);
  expect(network.held('hot', 'USDC') + network.held('cold', 'USDC')).toBe(400_000_000n);
});

test.each(['bitcoin', 'solana'] as const)(
  'a rebalance between wallets on %s that is killed when it has paid goes on when it is started again, and pays once',
  async (family) => {
    const isBitcoin = family === 'bitcoin';
    const network: WalletNetwork = isBitcoin
      ? await openBitcoin({ hot: [50_000_000n, 30_000_000n, 20_000_000n], cold: [] })
      : await openLitesvm({ hot: 6_000_000_000n, cold: 0n }, 400_000_000n);
    const before = network.sum();
    const place = written(keys[family], network, isBitcoin ? BITCOIN : SOLANA);
    expect(await killed(place, 'deposited')).toContain('deposited');
    const moves = movesIn(place);
    expect(moves.map(({ state }) => state)).toEqual(moves.map(() => 'fulfilled'));
    expect(network.payments()).toBe(isBitcoin ? 1 : 2);
    expect(network.sum()).toBe(before);
    expect(await printed(place, ['--plan'])).toContain('Everything is in its band');
  },
);
