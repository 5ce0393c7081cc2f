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
import { signedPermit, signedTransfer } from '../../swaps/chains/keys.ts';
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
  const { chains } = world();
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
  return { chains, node, base, anna, bert };
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
  signature: '00',
};

describe('the node over HTTP', () => {
  test('tells networks and tokens as they are', async () => {
    const { node } = await open();
    expect(await node.networks()).toEqual(NETWORKS);
    expect(await node.tokens()).toEqual(TOKENS);
  });

  test('tells balances beyond what a number holds, in whatever letters the address is written', async () => {
    const { node, anna, bert } = await open();
    expect(await node.balance(USDC_ETHEREUM, anna)).toBe(10n ** 20n);
    expect(await node.balance(USDC_ETHEREUM, anna.toLowerCase())).toBe(10n ** 20n);
    expect(await node.balance(USDC_ETHEREUM, bert)).toBe(0n);
  });

  test('sends what the owner has signed, once, and finds it again', async () => {
    const { node, chains, anna, bert } = await open();
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
    const signed = signedTransfer(chains, 'anna', transfer);
    const sent = granted(await node.send(signed));
    expect(sent).toEqual(chains.transaction('ethereum', hash));
    expect(sent).toMatchObject({ hash, lots: 5n, memo: 'rent' });
    expect(await node.send(signed)).toEqual(sent);
    expect(await node.transaction('ethereum', hash)).toEqual(sent);
    expect(await node.balance(USDC_ETHEREUM, bert)).toBe(5n);
  });

  test('gives what is refused as a value, and nothing has moved', async () => {
    const { node, chains, anna, bert } = await open();
    const transfer = { ...TRANSFER, from: bert, to: anna };
    expect(rejectedWith(await node.send(transfer))).toBe('transfer-invalid');
    expect(rejectedWith(await node.send(signedTransfer(chains, 'bert', transfer)))).toBe(
      'funds-insufficient',
    );
    expect(rejectedWith(await node.spend('bitcoin', '00'))).toBe('transfer-invalid');
    expect(rejectedWith(await node.spend('nowhere', '00'))).toBe('transfer-invalid');
    expect(chains.balance(USDC_ETHEREUM, bert)).toBe(0n);
  });

  test('throws what a read is refused with', async () => {
    const { node, anna } = await open();
    expect(await thrown(async () => node.balance(99, anna))).toBe('service-refused');
    expect(await thrown(async () => node.balance(USDC_ETHEREUM, 'a/b c'))).toBe('service-refused');
    expect(await thrown(async () => node.outputs('nowhere', anna))).toBe('service-refused');
    expect(await thrown(async () => node.hasApproved(BTC, anna))).toBe('service-refused');
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
    const paid = granted(await node.spend('bitcoin', made.hex));
    expect(paid).toEqual([chains.transaction('bitcoin', made.id)]);
    expect(await node.balance(BTC, bert)).toBe(690n);
    expect(await node.spend('bitcoin', made.hex)).toEqual(paid);
  });

  test('lets the permit2 contract take a token, when the owner has signed that', async () => {
    const { node, chains, anna } = await open();
    const asked = { network: 'ethereum', token: USDC_ETHEREUM, owner: anna, allowed: true };
    const byBert = signedPermit(chains, 'bert', { ...asked, nonce: '1' });
    expect(rejectedWith(await node.permit(byBert))).toBe('transfer-invalid');
    expect(await node.hasApproved(USDC_ETHEREUM, anna)).toBe(false);
    const byAnna = signedPermit(chains, 'anna', { ...asked, nonce: '1' });
    expect(await node.permit(byAnna)).toBeUndefined();
    expect(await node.hasApproved(USDC_ETHEREUM, anna)).toBe(true);
    const back = signedPermit(chains, 'anna', { ...asked, allowed: false, nonce: '2' });
    expect(await node.permit(back)).toBeUndefined();
    expect(await node.hasApproved(USDC_ETHEREUM, anna)).toBe(false);
  });
});

describe('a node that does not answer as it should', () => {
  test('nobody there: nothing has left', async () => {
    const { node } = await answering(0, '');
    await node.close();
    expect(await thrown(async () => node.send(TRANSFER))).toBe('unreachable');
  });

  test('a connection that ends leaves the fate of a transfer unknown, and a read is repeated', async () => {
    const { node, asked } = await answering(0, '');
    expect(await thrown(async () => node.send(TRANSFER))).toBe('fate-unknown');
    expect(asked).toHaveLength(1);
    expect(await thrown(async () => node.networks())).toBe('service-unavailable');
    expect(asked).toHaveLength(6);
  });

  test('an error inside leaves the fate unknown too', async () => {
    const error = JSON.stringify({ code: 'transfer-invalid', message: 'No.' });
    const { node } = await answering(500, error);
    expect(await thrown(async () => node.send(TRANSFER))).toBe('fate-unknown');
    expect(await thrown(async () => node.transaction('ethereum', '0x'))).toBe(
      'service-unavailable',
    );
  });

  test('a no in other words than those of a node is an error', async () => {
    const page = await answering(404, '<html>');
    expect(await thrown(async () => page.node.send(TRANSFER))).toBe('service-refused');
    expect(await thrown(async () => page.node.transaction('ethereum', '0x'))).toBe(
      'service-refused',
    );
    const strange = await answering(400, JSON.stringify({ code: 'toString', message: 'No.' }));
    expect(await thrown(async () => strange.node.send(TRANSFER))).toBe('service-refused');
  });

  test.each([
    '<html>',
    '{}',
    '{"token":1,"lots":"-1","permitted":false}',
    '{"token":1,"lots":1.5}',
  ])('what cannot be read is no balance: %s', async (body) => {
    const { node } = await answering(200, body);
    expect(await thrown(async () => node.balance(1, 'a'))).toBe('answer-invalid');
    expect(await thrown(async () => node.send(TRANSFER))).toBe('answer-invalid');
  });
});
