import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'; // prettier-ignore
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ANVIL, openAnvil } from '../../gateways/chains/anvil.ts';
import { blocksIn, linesOf } from '../pages.ts';
import { PastingShell } from '../shell.ts';

const EXAMPLE = 'http://127.0.0.1:8545';

test.skipIf(ANVIL === undefined)(
  'docs/rebalancing.md moves a token between two wallets of an EVM node and back when it is pasted, and tells the fees',
  async () => {
    const page = readFileSync('docs/rebalancing.md', 'utf8');
    const [, part = ''] = page.split('\n## On an EVM node\n');
    const [open = '', prepare = '', move = ''] = blocksIn(part, 'sh');
    const [line = ''] = linesOf(open);
    expect(line).toMatch(/^npx anvil /);
    const chain = await openAnvil(...line.split(' ').slice(2));
    const work = mkdtempSync(join(tmpdir(), 'millrace-anvil-page-'));
    onTestFinished(async () => {
      await chain.close();
      rmSync(work, { recursive: true, force: true });
    });
    for (const folder of ['config', 'examples', 'runs']) mkdirSync(join(work, folder));
    symlinkSync(resolve('node_modules'), join(work, 'node_modules'));
    cpSync('examples/rebalancing', join(work, 'examples/rebalancing'), { recursive: true });
    cpSync('package.json', join(work, 'package.json'));
    const config = readFileSync('config/anvil.yaml', 'utf8');
    writeFileSync(join(work, 'config/anvil.yaml'), config.replaceAll(EXAMPLE, chain.proxy.url));

    const shell = new PastingShell(work);
    const printed: string[] = [];
    for (const each of [...linesOf(prepare), ...linesOf(move)]) {
      const { code, out, err } = await shell.paste(each.replaceAll(EXAMPLE, chain.proxy.url));
      expect(code, `${each}\n${out}${err}`).toBe(0);
      printed.push(out);
    }
    const [, , , keys, token, plan, there, , back, last] = printed;
    expect(keys).toContain('0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC');
    const [contract = ''] = /0x[\da-f]{40}/.exec(token ?? '') ?? [];
    expect(config.toLowerCase()).toContain(contract);
    expect(plan).toMatch(/wallets +\d+ USDC@hot/);
    expect(plan).toMatch(/ 0\.000\d+ ETH@hot +0\.\d\d$/m);
    expect(plan).toMatch(/^The fees of networks are about 0\.000\d+ ETH@hot, worth 0\.\d\d; at the most 0\.00\d+ ETH@hot\.$/m); // prettier-ignore
    expect(plan).not.toMatch(/They cost 0\.00 /);
    expect(there).toMatch(/5900 USDC@cold +0\.000\d+ ETH@hot +fulfilled/);
    expect(there).toMatch(/^They cost 0\.\d\d, with 0\.000\d+ ETH@hot as fees of networks\./m);
    const cold = '3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'.padStart(64, '0');
    const call = { to: contract, data: `0x70a08231${cold}` };
    expect(BigInt(String(await chain.rpc('eth_call', call, 'latest')))).toBe(100_000_000n);
    expect(back).toMatch(/5800 USDC@hot +0\.000\d+ ETH@cold +fulfilled/);
    expect(last).toContain('Everything is in its band');

    // Without a price the fee is told and not counted; without the coin nothing is planned.
    const planned = 'npm run -s millrace -- rebalance config/anvil.yaml --plan';
    const path = join(work, 'config/anvil.yaml');
    const priced = readFileSync(path, 'utf8');
    writeFileSync(path, priced.replace(/^prices:.*$/m, 'prices: { USDC: 1 }'));
    const unpriced = await shell.paste(planned);
    expect(unpriced.out).toMatch(/^They cost 0\.00 \(/m);
    expect(unpriced.out).toMatch(/^ETH has no price, so that the fees of 0\.000\d+ ETH@hot are not counted in what the moves cost: set prices\.ETH\.$/m); // prettier-ignore
    await chain.rpc('anvil_setBalance', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0x1');
    const poor = await shell.paste(planned);
    expect(poor.code).not.toBe(0);
    expect(poor.err).toMatch(/holds 0\.0{17}1 ETH on hot, and a transfer may cost 0\.00\d+ ETH: send some there first\./); // prettier-ignore
  },
  300_000,
);
