import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ANVIL } from '../../gateways/chains/anvil.ts';
import { wait } from '../../kit/nats-server.ts';
import { sizeOf } from '../../kit/size.ts';
import { started } from '../process.ts';
import { PastingShell } from '../shell.ts';
import { openRealPlace, type RealPlace } from './real-venue.ts';

const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const OWNER = '0x063aA85AD815219C347D18f0a51D5639874AB12F';
const ESCROW = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const RESOLVER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** How often the venue is killed on each way. */
const KILLS = sizeOf('MILLRACE_CHAIN_KILLS', 1, 10);

/** The venue runs as long as the test; it is killed whenever its files of the chain have changed. */
async function killedWhileIt(place: RealPlace, isDone: () => boolean): Promise<number> {
  let kills = 0;
  for (;;) {
    const venue = place.startVenue();
    await venue.opened;
    const before = written(place);
    // Then it has begun something, given a nonce, prepared, or sent.
    while (!isDone() && (kills >= KILLS || written(place) === before)) await wait(5);
    venue.child.kill('SIGKILL');
    await venue.ended;
    if (isDone()) return kills;
    kills += 1;
  }
}

const written = ({ work }: RealPlace): string =>
  ['anvil.transfers', 'anvil.nonces']
    .map((name) => join(work, 'runs/anvil-venue', name))
    .map((path) => (existsSync(path) ? readFileSync(path, 'utf8').length : 0))
    .join();

/** How often the token went to an address, and how much. */
async function receivedAt({ chain }: RealPlace, address: string): Promise<readonly bigint[]> {
  const to = `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
  const asked = { fromBlock: '0x0', toBlock: 'latest', address: TOKEN, topics: [TRANSFER, null, to] }; // prettier-ignore
  const logs = (await chain.rpc('eth_getLogs', asked)) as readonly { readonly data: string }[];
  return logs.map(({ data }) => BigInt(data));
}

test.skipIf(ANVIL === undefined)(
  'a venue that is killed again and again takes the money of a swap on a real chain once, pays once, and loses nothing',
  async ({ annotate }) => {
    const place = await openRealPlace(['--block-time', '1', '--slots-in-an-epoch', '1']);
    onTestFinished(async () => place.close());
    const { work, here, held } = place;
    const shell = new PastingShell(work);
    for (const line of [
      `node examples/rebalancing/anvil-token.ts http://127.0.0.1:8545 ${OWNER} ${RESOLVER}`,
      `node examples/rebalancing/anvil-permit2.ts http://127.0.0.1:8545 ${OWNER}`,
    ]) {
      const { code, err } = await shell.paste(here(line));
      expect(code, err).toBe(0);
    }
    const config = readFileSync(join(work, 'config/anvil-swap.yaml'), 'utf8');
    const back = config.replace('weight: 0.6', 'weight: 0').replace('weight: 0.4', 'weight: 1');
    writeFileSync(join(work, 'config/back.yaml'), back);
    const fell: number[] = [];
    for (const file of ['anvil-swap', 'back']) {
      let isDone = false;
      const first = place.startVenue();
      await first.opened;
      const moving = started(['rebalance', `config/${file}.yaml`, '--execute', '--yes'], {
        cwd: work,
        env: { KEYS_PASSPHRASE: 'demo' },
      });
      await moving.says('is approved');
      first.child.kill('SIGKILL');
      await first.ended;
      void moving.ended.then(() => {
        isDone = true;
      });
      fell.push(await killedWhileIt(place, () => isDone));
      const { code } = await moving.ended;
      expect(code, moving.out() + moving.err()).toBe(0);
      expect(moving.out()).toContain('fulfilled');
    }
    await annotate(`the venue was killed ${fell.join(' and ')} times`);
    expect(Math.min(...fell)).toBeGreaterThan(0);
    // What is left in escrow, where the venue ended between payment and claim, is taken by it.
    const last = place.startVenue();
    await last.opened;
    while ((await held(TOKEN, ESCROW)) > 0n) await wait(100);
    last.child.kill('SIGTERM');
    await last.ended;
    const [deposit = 0n, ...more] = await receivedAt(place, ESCROW);
    expect(more).toEqual([]);
    const [given, payout = 0n, ...others] = await receivedAt(place, OWNER);
    expect([given, others]).toEqual([10_000_000_000n, []]);
    expect(await held(TOKEN, OWNER)).toBe(10_000_000_000n - deposit + payout);
    expect(await held(TOKEN, RESOLVER)).toBe(10_000_000_000n + deposit - payout);
  },
  300_000,
);
