import { p2tr, Transaction } from '@scure/btc-signer';
import { schnorr } from '@noble/curves/secp256k1.js';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SimulatedNode } from '../../../src/gateways/chains/simulated-node.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import { mountChains } from '../../../src/server/chains/mount.ts';
import { transferHash } from '../../../src/swaps/chains/signed-transfer.ts';
import { openVenue } from '../../server/kit.ts';
import { micros } from '../../../src/platform/time.ts';
import { chainSigner } from '../rebalancing/kit/chain-signer.ts';
import {
  BTC,
  granted,
  NETWORKS,
  rejectedWith,
  TOKENS,
  USDC_ETHEREUM,
  world,
} from '../../swaps/chains/harness.ts';

/** A node, and the chains that it stands before. Anna holds 10^20 USDC lots and 700 of Bitcoin. */
async function open() {
  const { chains, scheduler } = world();
  const { base } = await openVenue({
    setup: {
      services: [
        (app) => {
          mountChains(app, chains);
        },
      ],
    },
  });
  const node = nodeAt(base);
  const anna = chains.addressOf('ethereum', 'anna');
  const bert = chains.addressOf('ethereum', 'bert');
  granted(chains.mint(USDC_ETHEREUM, anna, 10n ** 20n));
  const miner = chains.addressOf('bitcoin', 'anna');
  for (const lots of [300n, 400n]) granted(chains.mint(BTC, miner, lots));
  return { chains, scheduler, node, base, anna, bert };
}

function nodeAt(url: string): SimulatedNode {
  const node = new SimulatedNode({ url, retries: { firstUs: 1, longestUs: 1 } });
  onTestFinished(async () => node.close());
  return node;
}

/** A server that answers everything alike, and counts how often it was asked. */
async function answering(status: number, body: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    if (status === 0) request.socket.destroy();
    else response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { asked, node: nodeAt(`http://127.0.0.1:${port}`) };
}

const noSign = async (): Promise<string> => Promise.resolve('00');

async function thrown(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
  } catch (error) {
    if (error instanceof MillraceError) return error.code;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const TRANSFER = {
  network: 'ethereum',
  token: USDC_ETHEREUM,
  from: 'a',
  to: 'b',
  lots: 1n,
  nonce: '1',
};
/** Bytes of a transfer that nobody has signed. */
const UNSIGNED = JSON.stringify({ transfer: { ...TRANSFER, lots: '1', signature: '00' } });

describe('the node over HTTP', () => {
  test('describes networks and tokens', async () => {
    const { node } = await open();
    expect(await node.networks()).toEqual(NETWORKS);
    expect(await node.tokens()).toEqual(TOKENS);
  });

  test('reads balances beyond a safe integer, in any letter case of the address', async () => {
    const { node, anna, bert } = await open();
    expect(await node.balance(USDC_ETHEREUM, anna)).toBe(10n ** 20n);
    expect(await node.balance(USDC_ETHEREUM, anna.toLowerCase())).toBe(10n ** 20n);
    expect(await node.balance(USDC_ETHEREUM, bert)).toBe(0n);
  });

  test('sends what the owner has signed, once, and finds it again', async () => {
    const { node, chains, scheduler, anna, bert } = await open();
    const transfer = {
      network: 'ethereum',
      token: USDC_ETHEREUM,
      from: anna,
      to: bert,
      lots: 5n,
      memo: 'rent',
      nonce: 'move-1',
    };
    const hash = transferHash('evm', transfer);
    expect(await node.transaction('ethereum', hash)).toBeUndefined();
    const { signTransfer: sign = noSign } = chainSigner(chains, 'ethereum', 'anna');
    const prepared = granted(await node.prepare(transfer, sign));
    expect(prepared).toMatchObject({ id: hash, feeLots: 0n });
    expect(await node.outcome('ethereum', [prepared])).toEqual({ kind: 'unseen' });
    expect(await node.send('ethereum', prepared.raw)).toEqual({ id: hash });
    expect(await node.send('ethereum', prepared.raw)).toEqual({ id: hash });
    const found = await node.transaction('ethereum', hash);
    expect(found).toEqual(chains.transaction('ethereum', hash));
    expect(found).toMatchObject({ hash, lots: 5n, memo: 'rent' });
    const waits = { kind: 'made', transaction: found, isFinal: false };
    expect(await node.outcome('ethereum', [prepared])).toEqual(waits);
    scheduler.advanceTo(micros(scheduler.now() + 60_000_000));
    expect(await node.outcome('ethereum', [prepared])).toMatchObject({
      kind: 'made',
      isFinal: true,
    });
    expect(await node.balance(USDC_ETHEREUM, bert)).toBe(5n);
  });

  test('gives what is refused as a value, and nothing has moved', async () => {
    const { node, chains, anna, bert } = await open();
    const transfer = { ...TRANSFER, from: bert, to: anna };
    const by = async (owner: string) => {
      const { signTransfer: sign = noSign } = chainSigner(chains, 'ethereum', owner);
      const { raw } = granted(await node.prepare(transfer, sign));
      return rejectedWith(await node.send('ethereum', raw));
    };
    expect(await by('anna')).toBe('transfer-invalid');
    expect(await by('bert')).toBe('funds-insufficient');
    expect(rejectedWith(await node.send('bitcoin', '00'))).toBe('transfer-invalid');
    expect(rejectedWith(await node.send('nowhere', '00'))).toBe('transfer-invalid');
    expect(rejectedWith(await node.send('ethereum', '{"transfer":{}}'))).toBe('transfer-invalid');
    const elsewhere = { ...transfer, network: 'nowhere' };
    expect(rejectedWith(await node.prepare(elsewhere, noSign))).toBe('network-unknown');
    expect(chains.balance(USDC_ETHEREUM, bert)).toBe(0n);
  });

  test('throws what a read is refused with', async () => {
    const { node, anna } = await open();
    expect(await thrown(async () => node.balance(99, anna))).toBe('service-refused');
    expect(await thrown(async () => node.balance(USDC_ETHEREUM, 'a/b c'))).toBe('service-refused');
    expect(await thrown(async () => node.outputs('nowhere', anna))).toBe('service-refused');
    expect(await thrown(async () => node.allowance(BTC, anna))).toBe('service-refused');
  });

  test('spends outputs of Bitcoin by signed transactions', async () => {
    const { node, chains } = await open();
    const anna = chains.addressOf('bitcoin', 'anna');
    const bert = chains.addressOf('bitcoin', 'bert');
    const outputs = await node.outputs('bitcoin', anna);
    expect(outputs).toEqual(chains.outputs(anna));
    expect(outputs).toHaveLength(2);
    const key = chains.keyOf('bitcoin', 'anna');
    const tapInternalKey = schnorr.getPublicKey(key);
    const { script } = p2tr(tapInternalKey);
    const made = new Transaction();
    for (const { txid, index, lots } of outputs) {
      made.addInput({ txid, index, witnessUtxo: { script, amount: lots }, tapInternalKey });
    }
    made.addOutputAddress(bert, 690n);
    made.sign(key);
    made.finalize();
    expect(await node.send('bitcoin', made.hex)).toEqual({ id: made.id });
    expect(await node.balance(BTC, bert)).toBe(690n);
    expect(await node.send('bitcoin', made.hex)).toEqual({ id: made.id });
  });

  test('lets the permit2 contract take a token, when the owner has signed that', async () => {
    const { node, chains, anna } = await open();
    const asked = { network: 'ethereum', token: USDC_ETHEREUM, owner: anna };
    const send = async (owner: string, lots: bigint, nonce: string) => {
      const { signTransfer: sign = noSign } = chainSigner(chains, 'ethereum', owner);
      const prepared = granted(await node.prepare({ ...asked, lots, nonce }, sign));
      return node.send('ethereum', prepared.raw);
    };
    expect(rejectedWith(await send('bert', 5n, '1'))).toBe('transfer-invalid');
    expect(await node.allowance(USDC_ETHEREUM, anna)).toBe(0n);
    granted(await send('anna', 5n, '1'));
    expect(await node.allowance(USDC_ETHEREUM, anna)).toBe(2n ** 256n - 1n);
    granted(await send('anna', 0n, '2'));
    expect(await node.allowance(USDC_ETHEREUM, anna)).toBe(0n);
  });
});

describe('a node that does not answer as it should', () => {
  test('nobody there: nothing has left', async () => {
    const { node } = await answering(0, '');
    await node.close();
    expect(await thrown(async () => node.send('ethereum', UNSIGNED))).toBe('unreachable');
  });

  test('a connection that ends leaves the outcome of a transfer unknown, and a read is repeated', async () => {
    const { node, asked } = await answering(0, '');
    expect(await thrown(async () => node.send('ethereum', UNSIGNED))).toBe('outcome-unknown');
    expect(asked).toHaveLength(1);
    expect(await thrown(async () => node.networks())).toBe('service-unavailable');
    expect(asked).toHaveLength(6);
  });

  test('an error inside leaves the outcome unknown too', async () => {
    const error = JSON.stringify({ code: 'transfer-invalid', message: 'No.' });
    const { node } = await answering(500, error);
    expect(await thrown(async () => node.send('ethereum', UNSIGNED))).toBe('outcome-unknown');
    expect(await thrown(async () => node.transaction('ethereum', '0x'))).toBe(
      'service-unavailable',
    );
  });

  test('a rejection in another form than that of a node is an error', async () => {
    const page = await answering(404, '<html>');
    expect(await thrown(async () => page.node.send('ethereum', UNSIGNED))).toBe('outcome-unknown');
    expect(await thrown(async () => page.node.transaction('ethereum', '0x'))).toBe(
      'service-refused',
    );
    const strange = await answering(400, JSON.stringify({ code: 'toString', message: 'No.' }));
    expect(await thrown(async () => strange.node.send('ethereum', UNSIGNED))).toBe(
      'outcome-unknown',
    );
  });

  test.each([
    '<html>',
    '{}',
    '{"token":1,"lots":"-1","permitted":false}',
    '{"token":1,"lots":1.5}',
  ])('what cannot be read is no balance: %s', async (body) => {
    const { node } = await answering(200, body);
    expect(await thrown(async () => node.balance(1, 'a'))).toBe('answer-invalid');
    expect(await thrown(async () => node.send('ethereum', UNSIGNED))).toBe('outcome-unknown');
  });
});
