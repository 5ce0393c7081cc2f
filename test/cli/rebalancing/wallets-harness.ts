import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { keySigner, signerOn } from '../../../src/swaps/keys/key-ring.ts';
import { sealKeys } from '../../../src/swaps/keys/key-file.ts';
import { systemBytes } from '../../../src/platform/system-bytes.ts';
import { folder } from '../../bot/rig.ts';
import { EsploraServer } from '../../gateways/chains/esplora.ts';
import { SolanaLedger, tokenIn, type Landed } from '../../gateways/chains/solana-ledger.ts';
import { wait } from '../../kit/nats-server.ts';
import { openSolana } from '../../gateways/chains/solana-server.ts';

/** Two wallets of one network before a node of the tests, whose blocks come by themselves. */
export interface WalletNetwork {
  /** A wallet of a configuration; the key is named as the place is. */
  readonly chain: Readonly<Record<string, unknown>>;
  /** Smallest units of the coin that both wallets hold, of what accounts keep as rent, and of all fees. */
  sum(): bigint;
  /** How many transactions of wallets are in blocks. */
  payments(): number;
}

export type Place = 'hot' | 'cold';

const PASSPHRASE = 'demo';
const SECRETS = { hot: '07'.repeat(32), cold: '08'.repeat(32) } as const;
const PLACES = ['hot', 'cold'] as const;

/** The text of a file with a key of a family for each place. */
export const keyFile = async (family: 'bitcoin' | 'solana'): Promise<string> =>
  sealKeys(PLACES.map((name) => ({ name, kind: family, secret: SECRETS[name] })), PASSPHRASE, systemBytes); // prettier-ignore

/** Writes the configuration of the two wallets into a folder of its own. */
export function written(keys: string, { chain }: WalletNetwork, rest: object): string {
  const place = folder();
  mkdirSync(join(place, 'data'));
  writeFileSync(join(place, 'keys.json'), keys);
  const config = {
    name: 'wallets',
    data: 'data',
    keys: { file: 'keys.json', passphrase: { env: 'KEYS_PASSPHRASE' } },
    chains: Object.fromEntries(PLACES.map((name) => [name, { key: name, ...chain }])),
    ...rest,
  };
  writeFileSync(join(place, 'rebalancing.yaml'), JSON.stringify(config));
  return place;
}

/** Mines while the test lasts. */
function mining(everyMs: number, mine: () => void): void {
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const goOn = async (): Promise<void> => {
    while (!isOver) {
      mine();
      await wait(everyMs);
    }
  };
  void goOn();
}

/** Wallets on regtest, whose outputs are of so many satoshi. */
export async function openBitcoin(funds: Readonly<Record<Place, readonly bigint[]>>) {
  const server = await new EsploraServer().listen();
  onTestFinished(() => server.close());
  const { chain } = server;
  const addressOf = (place: Place): string =>
    signerOn('regtest', keySigner('bitcoin', SECRETS[place])).address;
  for (const place of PLACES) for (const lots of funds[place]) chain.fund(addressOf(place), lots);
  chain.mine(2);
  mining(100, () => {
    chain.mine();
  });
  const held = (place: Place): bigint => chain.held(addressOf(place));
  const paid = () => [...chain.known.values()].filter(({ id, prevouts }) => prevouts.length > 0 && chain.heightOf(id) !== undefined); // prettier-ignore
  return {
    server,
    held,
    chain: {
      bitcoin: {
        urls: [new URL(server.url).origin],
        chain: 'regtest',
        block: '1s',
        finality: 2,
        feeBound: '0.0005',
        dayBound: '0.01',
      },
    },
    sum: () => paid().reduce((sum, { fee }) => sum + fee, held('hot') + held('cold')),
    payments: () => paid().length,
  } satisfies WalletNetwork & Record<string, unknown>;
}

/** Wallets on a ledger over litesvm, of which `hot` alone has an account of the token. */
export async function openLitesvm(funds: Readonly<Record<Place, bigint>>, tokens: bigint) {
  const ledger = new SolanaLedger();
  const mint = ledger.mint('usd', 6);
  const addressOf = (place: Place): string => keySigner('solana', SECRETS[place]).address;
  for (const place of PLACES) if (funds[place] > 0n) ledger.give(addressOf(place), funds[place]);
  if (tokens > 0n) ledger.hold(addressOf('hot'), mint, tokens);
  const view = await openSolana(ledger);
  onTestFinished(view.close);
  view.fees = [0, 2_000, 5_000, 30_000];
  mining(50, () => {
    ledger.mine();
  });
  const landed = () => ledger.blocks.flatMap((block) => block.landed);
  const lamports = (all: Landed['before']): bigint =>
    all.reduce((sum, one) => sum + (one?.lamports ?? 0n), 0n);
  const accounts = (place: Place) =>
    [...ledger.head.accounts.values()].flatMap((account) => {
      const token = tokenIn(account);
      return token?.mint === mint && token.owner === addressOf(place) ? [{ ...account, ...token }] : []; // prettier-ignore
    });
  const held = (place: Place, asset: 'SOL' | 'USDC'): bigint =>
    asset === 'SOL'
      ? (ledger.head.accounts.get(addressOf(place))?.lamports ?? 0n)
      : accounts(place).reduce((sum, { amount }) => sum + amount, 0n);
  return {
    view,
    held,
    chain: {
      solana: {
        urls: [view.proxy.url],
        genesis: ledger.genesis,
        tokens: { USDC: { contract: mint, decimals: 6 } },
        feeBound: '0.005',
        dayBound: '0.05',
      },
    },
    sum: () => {
      const own = PLACES.map((place) => held(place, 'SOL') + lamports(accounts(place)));
      const fees = landed().map(({ before, after }) => lamports(before) - lamports(after));
      return [...own, ...fees].reduce((sum, one) => sum + one, 0n);
    },
    payments: () => landed().length,
  } satisfies WalletNetwork & Record<string, unknown>;
}
