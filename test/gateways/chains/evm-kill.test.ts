import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { IS_FULL } from '../../kit/size.ts';
import { ANVIL, openChain } from './anvil.ts';

const KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const ERRAND = fileURLToPath(new URL('./evm-payer.ts', import.meta.url));
/** Writes and requests of one payment, before and after each: 4 writes, 1 request. */
const MOMENTS = IS_FULL ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [4, 7, 8];

test.skipIf(ANVIL === undefined)(
  'a payment whose process is killed before and after each write and each send is paid exactly once',
  async () => {
    const chain = await openChain();
    const pay = async (folder: string, to: string, killAt: number): Promise<string> => {
      const errand = JSON.stringify({ url: chain.url, folder, key: KEY, to, killAt });
      const child = spawn(process.execPath, [ERRAND, errand], { stdio: ['ignore', 'pipe', 'inherit'] }); // prettier-ignore
      let out = '';
      child.stdout.on('data', (part: Buffer) => (out += part.toString()));
      const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
      return signal ?? `${code ?? 0}: ${out}`;
    };
    try {
      for (const killAt of MOMENTS) {
        const folder = mkdtempSync(join(tmpdir(), 'payer-'));
        const to = `0x${`${killAt}`.padStart(40, 'a')}`;
        expect(await pay(folder, to, killAt)).toBe('SIGKILL');
        expect(await pay(folder, to, 0)).toMatch(/^0: arrived/);
        const held = await chain.rpc('eth_getBalance', to, 'latest');
        expect(BigInt(String(held))).toBe(5n * 10n ** 17n);
      }
    } finally {
      await chain.close();
    }
  },
  120_000,
);
