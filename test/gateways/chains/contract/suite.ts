import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MillraceError } from '../../../../src/model/errors.ts';
import { isRejection } from '../../../../src/model/rejections.ts';
import type {
  ChainNode,
  PaymentOutcome,
  PreparedTransaction,
} from '../../../../src/gateways/chains/node.ts';
import type { OwnTransfer } from '../../../../src/swaps/chains/signed-transfer.ts';
import { granted, rejectedWith } from '../../../swaps/chains/harness.ts';
import { SENTENCES, type ChainHarness, type ChainUnderTest, type Sentence } from './harness.ts';
import { checkKills } from './kills.ts';

/**
 * The tests that every node of a chain passes: one for each of `SENTENCES`. A sentence that the
 * harness exempts has its reason in the title, and its test checks what the node does in place of it.
 */
export function testChainNode(harness: ChainHarness, { skip = false } = {}): void {
  describe.skipIf(skip)(harness.name, () => {
    for (const sentence of Object.keys(SENTENCES) as Sentence[]) {
      const exemption = harness.exempt[sentence];
      const title = `${SENTENCES[sentence]}${exemption === undefined ? '' : ` (not here: ${exemption.reason})`}`;
      const check = exemption?.instead ?? CHECKS[sentence];
      // Ten kills start twenty processes, on a machine that may be busy.
      test(title, { timeout: sentence === 'killed' ? 600_000 : 120_000 }, async () => {
        const chain = await harness.start();
        onTestFinished(async () => chain.close());
        await check(chain);
      });
    }
  });
}

/** A folder for what a node keeps. */
export const freshFolder = (): string => mkdtempSync(join(tmpdir(), 'chain-node-'));

let count = 0;
/** A payment of the owner to the other address, with a key of its own. */
export function transferOf(chain: ChainUnderTest, lots = chain.lots): OwnTransfer {
  count += 1;
  const { network, token, owner, other } = chain;
  return { network, token, from: owner.address, to: other, lots, nonce: `order-${count}` };
}

/** Prepares a payment, which has to be granted. */
async function prepared(
  chain: ChainUnderTest,
  node: ChainNode,
  order = transferOf(chain),
  earlier: readonly PreparedTransaction[] = [],
): Promise<PreparedTransaction> {
  return granted(await node.prepare(order, chain.owner.sign, earlier));
}

const sent = async ({ network }: ChainUnderTest, node: ChainNode, { raw }: PreparedTransaction) =>
  granted(await node.send(network, raw));

const outcome = async (
  { network }: ChainUnderTest,
  node: ChainNode,
  ...candidates: PreparedTransaction[]
): Promise<PaymentOutcome> => node.outcome(network, candidates);

const paid = async ({ token, other, held }: ChainUnderTest): Promise<bigint> => held(token, other);

/** An outcome by a block. */
const minedOf = (found: PaymentOutcome) =>
  found.kind === 'made' || found.kind === 'failed' ? found : undefined;

/** The error that an act has to throw. */
async function thrown(act: () => Promise<unknown>): Promise<MillraceError> {
  try {
    await act();
  } catch (error) {
    if (error instanceof MillraceError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const codeOf = async (act: () => Promise<unknown>): Promise<string> => (await thrown(act)).code;

const codeIn = (error: unknown): string => {
  if (error instanceof MillraceError) return error.code;
  throw error;
};

/** What a chain has for a sentence that its harness does not exempt. */
function having<Act>(act: Act | undefined): Act {
  if (act === undefined) throw new Error('The harness has no way to do this, and no exemption.');
  return act;
}

/** A signer of which a test sees whether it was asked. */
function watched({ owner }: ChainUnderTest) {
  const digests: string[] = [];
  const sign = async (digest: string): Promise<string> => {
    digests.push(digest);
    return owner.sign(digest);
  };
  return { digests, sign };
}

const CHECKS: Readonly<Record<Sentence, (chain: ChainUnderTest) => Promise<void>>> = {
  network: async (chain) => {
    expect(await codeOf(async () => chain.open({ isWrongNetwork: true }).networks())).toBe('config-invalid'); // prettier-ignore
    expect(await chain.open().networks()).toMatchObject([{ code: chain.network }]);
  },

  balance: async (chain) => {
    const node = chain.open({ timeoutUs: 1_000_000 });
    const { token, owner, other, proxy, asks } = chain;
    expect(await node.balance(token, other)).toBe(0n);
    const all = await chain.held(token, owner.address);
    expect(await node.balance(token, owner.address)).toBe(all);
    if (token !== chain.coin) expect(all).toBeGreaterThan(2n ** 53n);
    expect(chain.malformed.length).toBeGreaterThan(0);
    for (const fault of chain.malformed) {
      proxy.fault(asks.balance, fault);
      expect(await codeOf(async () => node.balance(token, owner.address))).toBe('answer-invalid');
    }
    expect(await node.balance(token, owner.address)).toBe(all);
  },

  decimals: async (chain) => {
    const node = chain.open({ isWrongDecimals: true });
    const error = await thrown(async () => node.networks());
    expect(error.code).toBe('config-invalid');
    const asset = (await chain.open().tokens()).find(({ id }) => id === chain.token)?.asset;
    expect(error.message).toContain(having(asset));
  },

  id: async (chain) => {
    const node = chain.open();
    const made = await prepared(chain, node);
    expect(await outcome(chain, node, made)).toEqual({ kind: 'unseen' });
    expect(await chain.hasMined(made.id)).toBe(false);
    expect(await sent(chain, node, made)).toEqual({ id: made.id });
    await chain.mine();
    expect(await chain.hasMined(made.id)).toBe(true);
    expect(await node.transaction(chain.network, made.id)).toMatchObject({ hash: made.id, lots: chain.lots }); // prettier-ignore
  },

  twice: async (chain) => {
    const node = chain.open();
    const made = await prepared(chain, node);
    const both = await Promise.all([sent(chain, node, made), sent(chain, node, made)]);
    expect(both).toEqual([{ id: made.id }, { id: made.id }]);
    await chain.mine();
    expect(await sent(chain, node, made)).toEqual({ id: made.id });
    await chain.finalize();
    expect(await sent(chain, node, made)).toEqual({ id: made.id });
    await chain.mine();
    expect(await paid(chain)).toBe(chain.lots);
  },

  lost: async (chain) => {
    const node = chain.open();
    const made = await prepared(chain, node);
    chain.proxy.fault(chain.asks.send, 'lose answer');
    expect(await codeOf(async () => sent(chain, node, made))).toBe('outcome-unknown');
    // What was sent before may have been taken then, whatever is said now.
    if (chain.refusal !== undefined) {
      chain.proxy.fault(chain.asks.send, chain.refusal);
      const again = await node.send(chain.network, made.raw).catch(codeIn);
      expect([{ id: made.id }, 'outcome-unknown']).toContainEqual(again);
    }
    // The same where all that could be asked afterwards is lost too.
    chain.proxy.fault(/./, 'lose answer', 1_000);
    expect(await codeOf(async () => sent(chain, node, made))).toBe('outcome-unknown');
    await chain.proxy.heal();
    expect(await sent(chain, node, made)).toEqual({ id: made.id });
    await chain.finalize();
    expect(await outcome(chain, node, made)).toMatchObject({ kind: 'made', isFinal: true });
    expect(await paid(chain)).toBe(chain.lots);
  },

  unreachable: async (chain) => {
    const node = chain.open({ timeoutUs: 1_000_000 });
    const made = await prepared(chain, node);
    await chain.proxy.refuse();
    expect(await codeOf(async () => sent(chain, node, made))).toBe('unreachable');
    await chain.proxy.heal();
    await chain.mine();
    expect(await chain.hasMined(made.id)).toBe(false);
    expect(await sent(chain, node, made)).toEqual({ id: made.id });
    await chain.mine();
    expect(await paid(chain)).toBe(chain.lots);
  },

  killed: checkKills,

  together: async (chain) => {
    const node = chain.open();
    const made = await Promise.all([prepared(chain, node), prepared(chain, node)]);
    expect(new Set(made.map(({ uses }) => uses)).size).toBe(2);
    for (const one of made) await sent(chain, node, one);
    await chain.finalize();
    for (const one of made) expect(await outcome(chain, node, one)).toMatchObject({ kind: 'made' });
    expect(await paid(chain)).toBe(2n * chain.lots);
  },

  short: async (chain) => {
    const node = chain.open();
    const { digests, sign } = watched(chain);
    const { owner, token, coin } = chain;
    const all = await chain.held(token, owner.address);
    const no = await node.prepare(transferOf(chain, all + 1n), sign);
    expect(rejectedWith(no)).toBe('funds-insufficient');
    expect(no).toHaveProperty('message', expect.stringContaining(`${all}`));
    const coins = await chain.held(coin, owner.address);
    const whole = { ...transferOf(chain, coins), token: coin };
    expect(rejectedWith(await node.prepare(whole, sign))).toBe('funds-insufficient');
    expect(digests).toEqual([]);
    // One that the node refuses is refused, and holds up none that comes after it.
    const refused = await prepared(chain, node, transferOf(chain, 2n * chain.lots));
    chain.proxy.fault(chain.asks.send, having(chain.refusal));
    expect(isRejection(await node.send(chain.network, refused.raw))).toBe(true);
    await sent(chain, node, await prepared(chain, node));
    await chain.finalize();
    expect(await chain.hasMined(refused.id)).toBe(false);
    expect(await paid(chain)).toBe(chain.lots);
  },

  bound: async (chain) => {
    const { digests, sign } = watched(chain);
    const order = transferOf(chain);
    const made = await prepared(chain, chain.open(), order);
    const { lots } = await chain.open().fee(chain.token);
    expect(lots).toBeGreaterThan(0n);
    for (const change of [{ feeBound: 1n }, { dayBound: 1n }]) {
      expect(rejectedWith(await chain.open(change).prepare(order, sign))).toBe('transfer-invalid');
    }
    // Every pool wants more than a tenth above what it has.
    const poor = chain.open({ feeBound: (made.feeLots * 11n) / 10n });
    expect(isRejection(await poor.prepare(order, sign, [made]))).toBe(true);
    expect(digests).toEqual([]);
  },

  stuck: async (chain) => {
    const node = chain.open();
    const order = transferOf(chain);
    const made = await prepared(chain, node, order);
    await sent(chain, node, made);
    await having(chain.raiseFees)();
    expect(await outcome(chain, node, made)).toEqual({ kind: 'stuck' });
    const next = await prepared(chain, node, order, [made]);
    expect(next.uses).toBe(made.uses);
    expect(next.id).not.toBe(made.id);
    expect(next.feeLots).toBeGreaterThan(made.feeLots);
    await sent(chain, node, next);
    await chain.finalize();
    const found = await outcome(chain, node, made, next);
    expect(found).toMatchObject({ kind: 'made', isFinal: true, transaction: { hash: next.id } });
    expect(await chain.hasMined(made.id)).toBe(false);
    expect(await paid(chain)).toBe(chain.lots);
  },

  fee: async (chain) => {
    const node = chain.open();
    const { coin, token, owner, lots } = chain;
    const foreseen = await node.fee(token);
    expect(foreseen.coin).toBe(coin);
    expect(foreseen.expectedLots ?? foreseen.lots).toBeLessThanOrEqual(foreseen.lots);
    const before = await chain.held(coin, owner.address);
    const made = await prepared(chain, node);
    await sent(chain, node, made);
    await chain.finalize();
    const { fee } = having(minedOf(await outcome(chain, node, made)));
    const left = before - (await chain.held(coin, owner.address));
    expect(fee).toEqual({ lots: left - (token === coin ? lots : 0n), coin });
    expect(fee?.lots).toBeGreaterThan(0n);
    expect(fee?.lots).toBeLessThanOrEqual(made.feeLots);
    expect(made.feeLots).toBeLessThanOrEqual(foreseen.lots);
    expect(await paid(chain)).toBe(lots);
  },

  failed: async (chain) => {
    const node = chain.open();
    const made = await prepared(chain, node);
    await having(chain.fail)(true);
    const { coin, owner } = chain;
    const before = await chain.held(coin, owner.address);
    await sent(chain, node, made);
    await chain.finalize();
    const found = await outcome(chain, node, made);
    const left = before - (await chain.held(coin, owner.address));
    expect(minedOf(found)?.fee).toEqual({ lots: left, coin });
    expect(found).toMatchObject({ kind: 'failed', id: made.id, isFinal: true });
    expect(found).toHaveProperty('reason', expect.stringMatching(/cost \d+/));
    expect(await node.transaction(chain.network, made.id)).toBeUndefined();
    expect(await paid(chain)).toBe(0n);
  },

  dropped: async (chain) => {
    const node = chain.open();
    const made = await prepared(chain, node);
    await sent(chain, node, made);
    await having(chain.drop)();
    expect(await outcome(chain, node, made)).toEqual({ kind: 'unseen' });
    await sent(chain, node, made);
    await chain.finalize();
    expect(await outcome(chain, node, made)).toMatchObject({ kind: 'made', isFinal: true });
    expect(await paid(chain)).toBe(chain.lots);
    const lost = await prepared(chain, node);
    await having(chain.displace)(lost.raw);
    expect((await outcome(chain, node, lost)).kind).not.toBe('dead');
    await chain.finalize();
    expect(await outcome(chain, node, lost)).toMatchObject({ kind: 'dead' });
    expect(await paid(chain)).toBe(chain.lots);
  },

  reorganised: async (chain) => {
    const node = chain.open();
    const made = await prepared(chain, node);
    await sent(chain, node, made);
    await chain.mine(1);
    const seen = await node.transaction(chain.network, made.id);
    expect(seen?.confirmations).toBe(1);
    expect(await outcome(chain, node, made)).toMatchObject({ kind: 'made', isFinal: false });
    await having(chain.reorganise)(1);
    expect(await node.transaction(chain.network, made.id)).toBeUndefined();
    expect(['unseen', 'waiting']).toContain((await outcome(chain, node, made)).kind);
    await sent(chain, node, made);
    await chain.finalize();
    expect(await outcome(chain, node, made)).toMatchObject({ kind: 'made', isFinal: true });
    expect(await paid(chain)).toBe(chain.lots);
  },

  arrived: async (chain) => {
    const node = chain.open();
    await having(chain.takeFees)();
    const lots = 100n * chain.lots;
    const made = await prepared(chain, node, transferOf(chain, lots));
    await sent(chain, node, made);
    await chain.finalize();
    const transaction = { hash: made.id, lots: 99n * chain.lots };
    expect(await outcome(chain, node, made)).toMatchObject({ kind: 'made', transaction });
    expect(await paid(chain)).toBe(99n * chain.lots);
  },

  lagging: async (chain) => {
    const { proxy, asks, token, owner, network } = chain;
    const other = await proxy.second();
    onTestFinished(async () => other.close());
    const folder = freshFolder();
    const node = chain.open({ folder, urls: [proxy.url, other.url] });
    const before = await node.balance(token, owner.address);
    const [first, later] = [transferOf(chain), transferOf(chain)];
    const made = await prepared(chain, node, first);
    await outcome(chain, node, made);
    other.freeze();
    await sent(chain, node, made);
    await chain.mine();
    expect((await outcome(chain, node, made)).kind).not.toBe('dead');
    // Whether it waits or pays: what was used by the first is not used again.
    const next = await node.prepare(later, owner.sign).catch(() => undefined);
    if (next !== undefined && !isRejection(next)) expect(next.uses).not.toBe(made.uses);
    const held = await node.balance(token, owner.address).catch(() => 0n);
    expect(held).toBeLessThanOrEqual(before);
    await other.heal();
    await chain.finalize();
    expect(await outcome(chain, node, made)).toMatchObject({ kind: 'made', isFinal: true });
    other.fault(asks.balance, having(chain.inflated));
    expect(await codeOf(async () => node.balance(token, owner.address))).toBe('answer-invalid');
    await node.close?.();
    expect(await chain.open({ folder }).send(network, made.raw)).toEqual({ id: made.id });
    await chain.mine();
    expect(await paid(chain)).toBe(chain.lots);
  },

  slow: async (chain) => {
    const node = chain.open({ timeoutUs: 1_000_000 });
    const { proxy, asks, token, owner } = chain;
    const held = await node.balance(token, owner.address);
    for (const fault of ['hang', 'html', '429', 'half', 'lose answer', HUGE] as const) {
      proxy.fault(asks.balance, fault);
      // Asked again, or said that it cannot be read.
      const read = await node.balance(token, owner.address).catch(codeIn);
      expect([held, 'answer-invalid']).toContain(read);
    }
    proxy.fault(asks.balance, 'hang', 1_000);
    expect(await codeOf(async () => node.balance(token, owner.address))).toBe('service-unavailable'); // prettier-ignore
    await proxy.heal();
    for (const fault of ['hang', 'html', '429', 'half', HUGE] as const) {
      const made = await prepared(chain, node);
      proxy.fault(asks.send, fault);
      const asked = proxy.asked.length;
      expect(await codeOf(async () => sent(chain, node, made))).toBe('outcome-unknown');
      const sends = proxy.asked.slice(asked).filter((name) => isNamed(asks.send, name));
      expect(sends).toHaveLength(1);
      expect(await sent(chain, node, made)).toEqual({ id: made.id });
      await chain.mine();
    }
    expect(await paid(chain)).toBe(5n * chain.lots);
  },

  allowance: async (chain) => {
    const node = chain.open();
    const { network, token, owner } = chain;
    const allowed = async (): Promise<bigint> => having(chain.allowed)(owner.address);
    const approve = async (lots: bigint): Promise<bigint> => {
      count += 1;
      const order = { network, token, owner: owner.address, lots, nonce: `order-${count}` };
      const made = granted(await node.prepare(order, owner.sign));
      await sent(chain, node, made);
      await chain.finalize();
      expect(await outcome(chain, node, made)).toMatchObject({ kind: 'made', isFinal: true });
      expect(await node.allowance(token, owner.address)).toBe(await allowed());
      return allowed();
    };
    expect(await node.allowance(token, owner.address)).toBe(0n);
    expect(await approve(5n)).toBeGreaterThanOrEqual(5n);
    // A token that wants so goes by way of 0, which the caller sees.
    const changed = await approve(8n);
    expect(changed === 0n ? await approve(8n) : changed).toBeGreaterThanOrEqual(8n);
    expect(await approve(0n)).toBe(0n);
  },

  addresses: async (chain) => {
    const node = chain.open();
    const { digests, sign } = watched(chain);
    expect(chain.wrongAddresses.length).toBeGreaterThan(1);
    for (const to of chain.wrongAddresses) {
      expect(rejectedWith(await node.prepare({ ...transferOf(chain), to }, sign))).toBe('address-invalid'); // prettier-ignore
    }
    expect(digests).toEqual([]);
    const made = await prepared(chain, node);
    chain.proxy.fault(chain.asks.send, 'html');
    const error = await thrown(async () => sent(chain, node, made));
    const told = `${error.message} ${JSON.stringify(error)} ${error.stack ?? ''}`;
    expect(told).not.toContain(made.raw.slice(-40));
  },
};

/** Ten million bytes where a few are due. */
const HUGE = { status: 200, body: `{"result":"0x${'f'.repeat(10 << 20)}"}` } as const;

const isNamed = (what: string | RegExp, name: string): boolean =>
  typeof what === 'string' ? what === name : what.test(name);
