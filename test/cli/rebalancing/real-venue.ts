import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'; // prettier-ignore
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openAnvil, type AnvilChain } from '../../gateways/chains/anvil.ts';
import { freePort } from '../../kit/nats-server.ts';
import { startVenue, type VenueProcess } from '../venue/venue-process.ts';

export const NODE = 'http://127.0.0.1:8545';
export const VENUE = 'http://127.0.0.1:8330';

/** Keys that anvil shows at its start. */
export const SERVICE_KEYS = {
  ESCROW_KEY: '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
  RESOLVER_KEY: '0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a',
};

/** A folder with the examples that work on anvil, before an anvil of its own and a port for a venue. */
export interface RealPlace {
  readonly work: string;
  readonly chain: AnvilChain;
  readonly venueUrl: string;
  /** A line of a page, as it is for this place. */
  here(line: string): string;
  /** Starts the venue of the example; its state is in `runs/anvil-venue`. */
  startVenue(): VenueProcess;
  /** Smallest units of the token that an address has on anvil. */
  held(contract: string, address: string): Promise<bigint>;
  close(): Promise<void>;
}

export async function openRealPlace(flags: readonly string[]): Promise<RealPlace> {
  const chain = await openAnvil(...flags);
  const port = await freePort();
  const venueUrl = `http://127.0.0.1:${port}`;
  const work = mkdtempSync(join(tmpdir(), 'millrace-anvil-'));
  const here = (text: string): string =>
    text.replaceAll(NODE, chain.proxy.url).replaceAll(VENUE, venueUrl);
  for (const folder of ['config', 'examples', 'runs']) mkdirSync(join(work, folder));
  symlinkSync(resolve('node_modules'), join(work, 'node_modules'));
  cpSync('examples/rebalancing', join(work, 'examples/rebalancing'), { recursive: true });
  for (const file of ['package.json', 'config/demo-keys.json']) cpSync(file, join(work, file));
  for (const name of ['anvil', 'anvil-swap', 'anvil-venue']) {
    const path = `config/${name}.yaml`;
    writeFileSync(join(work, path), here(readFileSync(path, 'utf8')));
  }
  const args = ['config/anvil-venue.yaml', '--data', 'runs/anvil-venue', '--port', `${port}`, '--json']; // prettier-ignore
  return {
    ...{ work, chain, venueUrl, here },
    startVenue: () => startVenue(args, { cwd: work, env: SERVICE_KEYS }),
    held: async (contract, address) => {
      const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}`;
      return BigInt(String(await chain.rpc('eth_call', { to: contract, data }, 'latest')));
    },
    close: async () => {
      await chain.close();
      rmSync(work, { recursive: true, force: true });
    },
  };
}
