import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';
import { ANVIL, openAnvil } from '../../gateways/chains/anvil.ts';
import { millraceHere } from '../command.ts';

/** The first two accounts of anvil, whose keys everybody knows. */
const HOT = keySigner('evm', 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const COLD = keySigner('evm', '59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');

test.skipIf(ANVIL === undefined)(
  'a rebalance signs by another process, without a key file, and a no of it ends the transfer with its words',
  async () => {
    const purposes: string[] = [];
    let no: string | undefined = 'the owner is asleep';
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (part: Buffer) => (text += part.toString()));
      request.on('end', () => {
        const asked = JSON.parse(text) as Record<'address' | 'payload' | 'purpose', string>;
        purposes.push(asked.purpose);
        if (no !== undefined) return void response.end(JSON.stringify({ refused: no }));
        expect(asked.address).toBe(HOT.address);
        void HOT.signTransfer?.(asked.payload).then((signature) => {
          response.end(JSON.stringify({ signature }));
        });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const chain = await openAnvil('--block-time', '1', '--slots-in-an-epoch', '1');
    onTestFinished(async () => {
      await chain.close();
      server.close();
    });
    const signer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const folder = mkdtempSync(join(tmpdir(), 'millrace-remote-signing-'));
    const path = join(folder, 'portfolio.yaml');
    const evm = { urls: [chain.proxy.url], chainId: 31_337, block: '1s', feeBound: 1, dayBound: 1 };
    const config = {
      chains: {
        hot: { evm, signer: { url: signer, address: HOT.address } },
        cold: { evm, signer: { url: signer, address: COLD.address } },
      },
      prices: { ETH: 3000 },
      targets: { 'ETH@hot': { weight: 0.4, band: 0.02 }, 'ETH@cold': { weight: 0.6, band: 0.02 } },
    };
    writeFileSync(path, JSON.stringify(config));
    const balance = async (): Promise<bigint> =>
      BigInt(String(await chain.rpc('eth_getBalance', COLD.address, 'latest')));
    const before = await balance();

    const refused = await millraceHere(['rebalance', path, '--execute', '--yes']);
    expect(refused.code).not.toBe(0);
    expect(refused.out + refused.err).toContain(
      `The signer at ${signer} refuses: the owner is asleep.`,
    );
    expect(await balance()).toBe(before);

    no = undefined;
    const made = await millraceHere(['rebalance', path, '--execute', '--yes']);
    expect(made.code, made.out + made.err).toBe(0);
    expect(await balance()).toBeGreaterThan(before);
    expect(purposes.at(-1)).toMatch(
      new RegExp(`^send 1[78]\\d\\d(?:\\.\\d+)? ETH of ${HOT.address} to ${COLD.address} on hot$`),
    );
  },
  120_000,
);
