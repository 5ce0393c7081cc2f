import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { EvmNode } from '../../../src/gateways/chains/evm/evm-node.ts';
import type { PaymentOutcome, PreparedTransaction } from '../../../src/gateways/chains/node.ts';
import { ServiceChain } from '../../../src/gateways/rebalancing/payments/service-chain.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import { micros, US_PER_SECOND } from '../../../src/platform/time.ts';
import { nextTurn } from '../../../src/platform/turn.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import type { RealTransfer, TransferResult } from '../../../src/swaps/chains/real-networks.ts';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';
import { NETWORKS, STARTED, TOKENS, USDC_ETHEREUM } from '../../swaps/chains/harness.ts';
import { secretOf } from '../../swaps/approvals/kit.ts';

const SIGNER = keySigner('evm', secretOf(3));
const [NETWORK] = NETWORKS;
if (NETWORK === undefined) throw new Error('there is no network');
const TRANSFER: RealTransfer = {
  ...{ id: 'intent fulfil 1', network: 'ethereum', token: USDC_ETHEREUM, lots: 5n },
  ...{ from: SIGNER.address, to: '0x90F79bf6EB2c4f870365E785982E1f101E93b906' },
};

/** A node whose answers a test sets. */
class TestNode {
  outcomes: PaymentOutcome[] = [{ kind: 'waiting' }];
  readonly sent: string[] = [];
  readonly prepared: PreparedTransaction[] = [];
  onSend = (_raw: string): Promise<{ readonly id: string }> => Promise.resolve({ id: '' });

  async prepare(): Promise<PreparedTransaction> {
    const id = `0x${this.prepared.length + 1}`;
    const made = { id, raw: `raw ${id}`, uses: 'nonce 0', feeLots: 1n };
    this.prepared.push(made);
    return Promise.resolve(made);
  }

  async send(_: string, raw: string): Promise<{ readonly id: string }> {
    this.sent.push(raw);
    return this.onSend(raw);
  }

  async outcome(): Promise<PaymentOutcome> {
    const [first = { kind: 'waiting' }, ...rest] = this.outcomes;
    if (rest.length > 0) this.outcomes = rest;
    return Promise.resolve(first);
  }

  async transaction(_: string, hash: string): Promise<object> {
    return Promise.resolve({ ...made(hash).transaction });
  }

  networks = async (): Promise<readonly object[]> => Promise.resolve([NETWORK]);
  tokens = async (): Promise<readonly object[]> => Promise.resolve(TOKENS);
  close = async (): Promise<void> => Promise.resolve();
}

const made = (hash: string) => ({
  kind: 'made' as const,
  isFinal: true,
  transaction: {
    ...{ token: USDC_ETHEREUM, from: SIGNER.address, to: TRANSFER.to, lots: 5n },
    ...{ hash, index: 0, network: 'ethereum', at: STARTED, confirmations: 9 },
  },
});

let folder: string;
let node: TestNode;
let scheduler: VirtualScheduler;
let logged: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-service-chain-'));
  node = new TestNode();
  scheduler = new VirtualScheduler(STARTED);
  logged = [];
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
});

function open(): ServiceChain {
  const chain = new ServiceChain({
    node: node as unknown as EvmNode,
    network: NETWORK,
    tokens: TOKENS,
    signers: [SIGNER],
    file: join(folder, 'transfers'),
    scheduler,
    log: (error, where) => logged.push(`${where}: ${(error as Error).message}`),
  });
  onTestFinished(async () => chain.close());
  return chain;
}

/** Lets so many blocks pass; gives the result where there is one by then. */
async function within(blocks: number, ending: Promise<TransferResult>) {
  let result: TransferResult | undefined;
  ending.then(
    (one) => (result = one),
    () => undefined,
  );
  for (let block = 0; block < blocks; block += 1) {
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    scheduler.advanceTo(micros(scheduler.now() + 12 * US_PER_SECOND));
  }
  return result;
}

test('a transfer is prepared, sent once and ends when it is final', async () => {
  const chain = open();
  await chain.check(true);
  node.outcomes = [{ kind: 'waiting' }, made('0x1')];
  expect(await within(6, chain.transfer(TRANSFER))).toEqual({ hash: '0x1', lots: 5n });
  expect(node.sent).toEqual(['raw 0x1']);
  // After a restart the same transfer is the same payment.
  await chain.close();
  const again = open();
  await again.check(false);
  expect(await within(3, again.transfer(TRANSFER))).toEqual({ hash: '0x1', lots: 5n });
  expect(node.sent).toEqual(['raw 0x1']);
});

test('a raise whose send fails as the first one was mined meanwhile ends with the first', async () => {
  const chain = open();
  node.onSend = (raw) =>
    raw === 'raw 0x1'
      ? Promise.resolve({ id: '0x1' })
      : Promise.reject(new MillraceError('outcome-unknown', 'nonce too low'));
  node.outcomes = [{ kind: 'stuck' }, made('0x1')];
  expect(await within(10, chain.transfer(TRANSFER))).toEqual({ hash: '0x1', lots: 5n });
  expect(node.sent).toEqual(['raw 0x1', 'raw 0x2']);
});

test('a payment that another transaction excluded before it was sent is refused for good', async () => {
  const chain = open();
  node.onSend = () => Promise.reject(new MillraceError('outcome-unknown', 'nonce too low'));
  node.outcomes = [{ kind: 'dead', reason: 'Nonce 0 was used by another transaction.' }];
  expect(await within(6, chain.transfer(TRANSFER))).toMatchObject({
    code: 'transfer-invalid',
    message: 'Nonce 0 was used by another transaction.',
  });
});

test('what was sent and nobody knows is sent again as it is, and said once', async () => {
  const chain = open();
  node.onSend = () => Promise.reject(new MillraceError('outcome-unknown', 'no answer'));
  node.outcomes = [{ kind: 'unseen' }];
  expect(await within(5, chain.transfer(TRANSFER))).toBeUndefined();
  expect(new Set(node.sent)).toEqual(new Set(['raw 0x1']));
  expect(node.prepared).toHaveLength(1);
  expect(logged).toEqual(['the transfer intent fulfil 1 on ethereum: no answer']);
});

test('a transfer whose deadline has passed is refused where nothing was signed, and goes on where something was', async () => {
  const chain = open();
  const late = { ...TRANSFER, notAfter: STARTED };
  expect(await within(2, chain.transfer(late))).toMatchObject({
    message: 'Its deadline passed before anything was signed.',
  });
  expect(node.prepared).toEqual([]);
  const soon = { ...TRANSFER, id: 'another', notAfter: micros(scheduler.now() + US_PER_SECOND) };
  node.outcomes = [made('0x1')];
  expect(await within(6, chain.transfer(soon))).toEqual({ hash: '0x1', lots: 5n });
});

test('an id that was used for something else sends nothing', async () => {
  const chain = open();
  node.outcomes = [made('0x1')];
  await within(5, chain.transfer(TRANSFER));
  const permit = { nonce: 1n, deadlineSeconds: 9n, witnessHash: '0x', witnessTypeString: '', signature: '0xab', spender: SIGNER.address }; // prettier-ignore
  for (const other of [
    { ...TRANSFER, lots: 6n },
    { ...TRANSFER, permit },
  ]) {
    expect(await within(3, chain.transfer(other))).toBeUndefined();
  }
  expect(node.sent).toEqual(['raw 0x1']);
  expect(logged[0]).toContain('neither is sent any more');
});

test('a new state does not take over the transfers of one that is gone', async () => {
  const chain = open();
  node.outcomes = [made('0x1')];
  await within(5, chain.transfer(TRANSFER));
  await expect(chain.check(true)).rejects.toMatchObject({ code: 'venue-data-invalid' });
  await chain.check(false);
});
