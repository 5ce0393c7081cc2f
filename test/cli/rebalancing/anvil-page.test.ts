import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { ANVIL } from '../../gateways/chains/anvil.ts';
import { PastingShell } from '../shell.ts';
import { openRealPlace, SERVICE_KEYS, type RealPlace } from './real-venue.ts';

/** The commands that an example begins with, as docs/rebalancing.md says. */
const commandsOf = (name: string): readonly string[] =>
  Array.from(
    readFileSync(`config/${name}.yaml`, 'utf8').matchAll(/^# {3}(\S.*)$/gm),
    ([, line]) => line,
  );

/** Lines after those of an example: the same with the weights the other way round, so that the money moves back. */
function backOf(name: string, edit: string): readonly string[] {
  const there = `runs/${name}-back.yaml`;
  const rebalance = `npm run -s millrace -- rebalance ${there}`;
  return [
    `sed '${edit}' config/${name}.yaml > ${there}`,
    `${rebalance} --execute --yes`,
    `${rebalance} --plan`,
  ];
}

/** The anvil that the examples start, for the test that asks. */
async function place(): Promise<RealPlace> {
  const [line = ''] = commandsOf('anvil');
  expect(line).toMatch(/^npx anvil /);
  const made = await openRealPlace(line.split(' ').slice(2));
  onTestFinished(async () => made.close());
  return made;
}

/** Pastes lines; gives what each has printed. */
async function pasted({ here }: RealPlace, shell: PastingShell, lines: readonly string[]) {
  const printed: string[] = [];
  for (const each of lines) {
    const { code, out, err } = await shell.paste(here(each));
    expect(code, `${each}\n${out}${err}`).toBe(0);
    printed.push(out);
  }
  return printed;
}

test.skipIf(ANVIL === undefined)(
  'config/anvil.yaml moves a token between two wallets of an EVM node and back when it is pasted, and shows the fees',
  async () => {
    const opened = await place();
    const [, ...commands] = commandsOf('anvil');
    const shell = new PastingShell(opened.work);
    const printed = await pasted(opened, shell, [
      ...commands,
      ...backOf('anvil', 's/weight: 0.4/weight: 1/; s/weight: 0.6/weight: 0/'),
    ]);
    const [, , , keys, token, plan, there, , back, last] = printed;
    expect(keys).toContain('0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC');
    const [contract = ''] = /0x[\da-f]{40}/.exec(token ?? '') ?? [];
    expect(readFileSync('config/anvil.yaml', 'utf8').toLowerCase()).toContain(contract);
    expect(plan).toMatch(/wallets +\d+ USDC@hot/);
    expect(plan).toMatch(/ 0\.000\d+ ETH@hot +0\.\d\d$/m);
    expect(plan).toMatch(/^The fees of networks are about 0\.000\d+ ETH@hot, worth 0\.\d\d; at the most 0\.00\d+ ETH@hot\.$/m); // prettier-ignore
    expect(plan).not.toMatch(/They cost 0\.00 /);
    expect(there).toMatch(/5900 USDC@cold +0\.000\d+ ETH@hot +fulfilled/);
    expect(there).toMatch(/^They cost 0\.\d\d, with 0\.000\d+ ETH@hot as fees of networks\./m);
    const cold = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
    // From half way into the band to its target all amounts cost one fee; which is sent depends on the fee.
    const [, sent = ''] =
      /(5[89]\d\d(?:\.\d+)?) USDC@hot +0\.000\d+ ETH@cold +fulfilled/.exec(back ?? '') ?? [];
    expect(
      decimal(sent).greaterThanOrEqualTo(5_800) && decimal(sent).lessThanOrEqualTo(5_900),
      back,
    ).toBe(true);
    const left = decimal('5900').minus(decimal(sent)).times(1_000_000);
    expect(await opened.held(contract, cold)).toBe(BigInt(left.toFixed()));
    expect(last).toContain('Everything is in its band');

    // Without a price the fee is told and not counted; without the coin nothing is planned.
    const planned = 'npm run -s millrace -- rebalance config/anvil.yaml --plan';
    const path = join(opened.work, 'config/anvil.yaml');
    const priced = readFileSync(path, 'utf8');
    writeFileSync(path, priced.replace(/^prices:.*$/m, 'prices: { USDC: 1 }'));
    const unpriced = await shell.paste(planned);
    expect(unpriced.out).toMatch(/^They cost 0\.00 \(/m);
    expect(unpriced.out).toMatch(/^ETH has no price, so that the fees of 0\.000\d+ ETH@hot are not counted in what the transfers cost: set prices\.ETH\.$/m); // prettier-ignore
    await opened.chain.rpc('anvil_setBalance', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0x1');
    const poor = await shell.paste(planned);
    expect(poor.code).not.toBe(0);
    expect(poor.err).toMatch(/holds 0\.0{17}1 ETH on hot, and a transfer may cost 0\.00\d+ ETH: send some there first\./); // prettier-ignore
  },
  240_000,
);

test.skipIf(ANVIL === undefined)(
  'config/anvil-venue.yaml and config/anvil-swap.yaml swap a token of an EVM node by the service of a venue and back when they are pasted',
  async () => {
    const opened = await place();
    const shell = new PastingShell(opened.work);
    const first = commandsOf('anvil-venue');
    // It runs until it is stopped.
    expect(first.at(-1)).toMatch(/^npm run -s millrace -- venue config\/anvil-venue.yaml --data /);
    await pasted(opened, shell, first.slice(0, -1));
    expect(shell.env).toMatchObject(SERVICE_KEYS);
    const venue = opened.startVenue();
    onTestFinished(async () => {
      venue.child.kill('SIGTERM');
      await venue.ended;
    });
    await venue.opened;
    const [, plan, there, , back, last] = await pasted(opened, shell, [
      ...commandsOf('anvil-swap'),
      ...backOf('anvil-swap', 's/weight: 0.6/weight: 0/; s/weight: 0.4/weight: 1/'),
    ]);
    expect(plan).toMatch(/swaps +\d+\.\d+ USDC@anvil/);
    expect(there).toMatch(
      /USDC@anvil +\d+\.\d+ USDC@local +(?:(?:about )?0\.000\d+ ETH@anvil +)?fulfilled/,
    );
    expect(back).toMatch(/USDC@local +\d+\.\d+ USDC@anvil +fulfilled/);
    expect(last).toContain('Everything is in its band');
  },
  300_000,
);
