import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'; // prettier-ignore
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ANVIL, openAnvil } from '../../gateways/chains/anvil.ts';
import { blocksIn, linesOf } from '../pages.ts';
import { PastingShell } from '../shell.ts';

const EXAMPLE = 'http://127.0.0.1:8545';

test.skipIf(ANVIL === undefined)(
  'docs/rebalancing.md moves a token between two wallets of an EVM node and back when it is pasted',
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
    expect(there).toMatch(/5900 USDC@cold +fulfilled/);
    const cold = '3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'.padStart(64, '0');
    const call = { to: contract, data: `0x70a08231${cold}` };
    expect(BigInt(String(await chain.rpc('eth_call', call, 'latest')))).toBe(100_000_000n);
    expect(back).toMatch(/5800 USDC@hot +fulfilled/);
    expect(last).toContain('Everything is in its band');
  },
  120_000,
);
