import { beforeAll, expect, test } from 'vitest';
import { sizeOf } from '../../kit/size.ts';
import { lived, livedOn, transfersOf, printed } from './kill-stage.ts';
import { exampleOf, keyFile, openBitcoin, openLitesvm, written, type WalletNetwork } from './wallets-harness.ts'; // prettier-ignore

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
const transfersIn = (place: string) =>
  transfersOf(place, { name: 'wallets', without: [], services: [], killedAt: [], targets: {} });

const linesIn = (place: string): readonly string[] =>
  transfersIn(place).map(({ state, route, from, to }) => `${state} ${route} ${from} ${to}`).toSorted(); // prettier-ignore

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
  const [transfer] = transfersIn(place);
  expect(transfer?.arrived.times(100_000_000).toFixed()).toBe(`${network.held('cold')}`);
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

test('a wallet of bitcoins that is emptied pays all but what its own fees leave of it', async () => {
  const network = await openBitcoin({ hot: [50_000n, 30_000n, 20_000n, 700n], cold: [1_000_000n] });
  const targets = {
    'BTC@hot': { amount: 0, band: '0.00003' },
    'BTC@cold': { weight: 1, band: 0.02 },
  };
  const place = written(keys.bitcoin, network, { ...BITCOIN, targets, limits: { maximumCost: 0.2 } }); // prettier-ignore
  await executed(network, place);
  expect(network.held('hot')).toBeLessThan(3_000n);
  expect(network.held('cold')).toBeGreaterThan(1_000_000n + 94_000n);
});

test('a wallet of lamports that is emptied keeps the rent minimum, and little more', async () => {
  const network = await openLitesvm({ hot: 2_000_000_000n, cold: 1_000_000n }, 0n);
  const targets = {
    'SOL@hot': { amount: 0, band: '0.0018' },
    'SOL@cold': { weight: 1, band: 0.02 },
  };
  const place = written(keys.solana, network, { ...SOLANA, targets });
  await executed(network, place);
  expect(network.held('hot', 'SOL')).toBeGreaterThanOrEqual(890_880n);
  expect(network.held('hot', 'SOL')).toBeLessThan(900_000n + 20_000n);
});

test('config/signet.yaml and config/devnet.yaml move what they say on the networks of the tests', async () => {
  const signet = await openBitcoin({ hot: [50_000_000n], cold: [] }, 'signet');
  const url = new URL(signet.server.url).origin;
  const bitcoins = exampleOf('signet', keys.bitcoin, { '{ env: ESPLORA_URL }': `'${url}'` });
  await executed(signet, bitcoins);
  const devnet = await openLitesvm({ hot: 4_000_000_000n, cold: 0n }, 400_000_000n);
  const lamports = exampleOf('devnet', keys.solana, {
    'https://api.devnet.solana.com': devnet.view.proxy.url,
    EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: devnet.genesis,
    '4zMMC9srt5Ri5X14GAgXhaHii3GnPYEERYPJgZJDncDU': devnet.mint,
  });
  await executed(devnet, lamports);
  expect([signet.payments(), devnet.payments()]).toEqual([1, 2]);
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
    const transfers = transfersIn(place);
    expect(transfers.map(({ state }) => state)).toEqual(transfers.map(() => 'fulfilled'));
    expect(network.payments()).toBe(isBitcoin ? 1 : 2);
    expect(network.sum()).toBe(before);
    expect(await printed(place, ['--plan'])).toContain('Everything is in its band');
  },
);
