import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CheckedNode } from '../../../src/gateways/chains/checked-node.ts';
import type { PreparedTransaction, SignDigest } from '../../../src/gateways/chains/node.ts';
import { readSigned } from '../../../src/gateways/chains/solana/message.ts';
import type { SolanaNodeOptions } from '../../../src/gateways/chains/solana/options.ts';
import { SolanaNode } from '../../../src/gateways/chains/solana/solana-node.ts';
import { ChainPayer } from '../../../src/gateways/rebalancing/payments/chain-payer.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { micros } from '../../../src/platform/time.ts';
import type { TransferData } from '../../../src/swaps/execution/transfer-route.ts';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';
import { granted, rejectedWith } from '../../swaps/chains/harness.ts';
import { FINAL_DEPTH, LIFETIME, SolanaLedger } from './solana-ledger.ts';
import { openSolana, type SolanaView } from './solana-server.ts';

const signer = keySigner('solana', '11'.repeat(32));
const OWNER = signer.address;
const BERT = keySigner('solana', '22'.repeat(32)).address;
const sign: SignDigest = signer.signTransfer ?? (async () => Promise.resolve(''));
const COIN = 1;
const USD = 2;
const FEE_USD = 3;
const SOL = 10n ** 9n;
const ACCOUNT_RENT = 2_039_280n;

interface World {
  readonly ledger: SolanaLedger;
  readonly view: SolanaView;
  readonly usd: string;
  readonly feeUsd: string;
  open(changes?: Partial<SolanaNodeOptions>): SolanaNode;
}

async function world(): Promise<World> {
  const ledger = new SolanaLedger();
  const usd = ledger.mint('usd', 6);
  const feeUsd = ledger.mint('fee usd', 6, 100);
  ledger.give(OWNER, 100n * SOL);
  ledger.give(BERT, SOL);
  ledger.hold(OWNER, usd, 10n ** 18n);
  ledger.hold(OWNER, feeUsd, 10n ** 12n);
  const view = await openSolana(ledger);
  onTestFinished(async () => view.close());
  const terms = { network: 'solana', name: '', ticker: '', listed: true };
  const open = (changes: Partial<SolanaNodeOptions> = {}): SolanaNode => {
    const node = new SolanaNode({
      network: { id: 5, code: 'solana', name: 'Solana', family: 'solana', blockUs: 400_000, confirmations: 32, customTokens: false }, // prettier-ignore
      genesis: ledger.genesis,
      coin: COIN,
      tokens: [
        { ...terms, id: COIN, asset: 'SOL', contract: 'SOL', decimals: 9 },
        { ...terms, id: USD, asset: 'USD', contract: usd, decimals: 6 },
        { ...terms, id: FEE_USD, asset: 'FUSD', contract: feeUsd, decimals: 6 },
      ],
      urls: [view.proxy.url],
      feeBound: 10n ** 7n,
      dayBound: 10n ** 9n,
      priorityPercentile: 75,
      payments: join(mkdtempSync(join(tmpdir(), 'payments-')), 'payments'),
      http: { retries: { attempts: 3, firstUs: 1, longestUs: 1 }, timeoutUs: 3_000_000 },
      ...changes,
    });
    onTestFinished(async () => node.close());
    return node;
  };
  return { ledger, view, usd, feeUsd, open };
}

let count = 0;
const transfer = (lots: bigint, token = USD) => {
  count += 1;
  return { network: 'solana', token, from: OWNER, to: BERT, lots, nonce: `order-${count}` };
};
const sent = async (node: SolanaNode, { raw }: PreparedTransaction): Promise<unknown> => node.send('solana', raw); // prettier-ignore
const outcome = async (node: SolanaNode, ...candidates: PreparedTransaction[]) => node.outcome('solana', candidates); // prettier-ignore

describe('a node of Solana before a ledger over litesvm', () => {
  test('reads balances to the last unit, of all accounts of a mint, beyond what a number holds', async () => {
    const { ledger, usd, open } = await world();
    const node = open();
    expect(await node.balance(USD, BERT)).toBe(0n);
    expect(await node.balance(COIN, OWNER)).toBe(100n * SOL);
    ledger.hold(OWNER, usd, 12_345_678_901_234_567n, 'a second account');
    expect(await node.balance(USD, OWNER)).toBe(10n ** 18n + 12_345_678_901_234_567n);
    ledger.give(BERT, 2n ** 62n);
    expect(await node.balance(COIN, BERT)).toBe(2n ** 62n + SOL);
  });

  test('refuses a wrong chain, what is no mint, and other decimals, by name', async () => {
    const { usd, open } = await world();
    const [coin, token] = await open().tokens();
    if (coin === undefined || token === undefined) throw new Error('both are there');
    const cases: readonly (readonly [Partial<SolanaNodeOptions>, string])[] = [
      [{ genesis: usd }, 'genesis'],
      [{ tokens: [coin, { ...token, contract: BERT }] }, 'tokens.USD'],
      [{ tokens: [coin, { ...token, decimals: 9 }] }, 'tokens.USD.decimals'],
    ];
    for (const [change, field] of cases) {
      const asked = open(change).networks();
      await expect(asked).rejects.toMatchObject({ code: 'config-invalid', field: `chains.solana.solana.${field}` }); // prettier-ignore
    }
  });

  test('knows the id before it sends, sends the same twice, and moves the money once', async () => {
    const { ledger, open } = await world();
    const node = open();
    const made = granted(await node.prepare(transfer(5n), sign));
    expect(made.id).toBe(readSigned(made.raw)?.id);
    expect(await outcome(node, made)).toEqual({ kind: 'unseen' });
    expect(await sent(node, made)).toEqual({ id: made.id });
    expect(await sent(node, made)).toEqual({ id: made.id });
    expect(await outcome(node, made)).toEqual({ kind: 'unseen' });
    ledger.mine();
    expect(await outcome(node, made)).toEqual({ kind: 'waiting' });
    ledger.mine();
    expect(await sent(node, made)).toEqual({ id: made.id });
    const transaction = { hash: made.id, token: USD, from: OWNER, to: BERT, lots: 5n };
    expect(await outcome(node, made)).toMatchObject({ kind: 'made', isFinal: false, transaction: { ...transaction, confirmations: 1 } }); // prettier-ignore
    expect(await node.balance(USD, BERT)).toBe(0n);
    ledger.mine(FINAL_DEPTH);
    expect(await outcome(node, made)).toMatchObject({ kind: 'made', isFinal: true, transaction: { ...transaction, confirmations: 32 } }); // prettier-ignore
    expect(await node.transaction('solana', made.id)).toMatchObject(transaction);
    expect(await node.balance(USD, BERT)).toBe(5n);
  });

  test('does not pay again where an older copy of its payments was put back', async () => {
    const { ledger, open } = await world();
    const payments = join(mkdtempSync(join(tmpdir(), 'payments-')), 'payments');
    const order = transfer(5n);
    const node = open({ payments });
    const made = granted(await node.prepare(order, sign));
    const older = readFileSync(payments);
    await sent(node, made);
    ledger.mine(FINAL_DEPTH + 3);
    await node.close();
    writeFileSync(payments, older);
    const again = await open({ payments }).prepare(order, sign);
    expect(again).toEqual(made);
  });

  test('pays to the last lamport, the fee and the rent of a new account counted in', async () => {
    const { ledger, view, open } = await world();
    const node = open();
    view.fees = [0, 10_000, 5_000_000, 20_000];
    const pay = async (lots: bigint, token: number) => {
      const before = await node.balance(COIN, OWNER);
      const made = granted(await node.prepare(transfer(lots, token), sign));
      await sent(node, made);
      ledger.mine(FINAL_DEPTH + 1);
      expect(await outcome(node, made)).toMatchObject({ kind: 'made', isFinal: true, transaction: { lots } }); // prettier-ignore
      return { spent: before - (await node.balance(COIN, OWNER)), fee: made.feeLots };
    };
    const first = await pay(7n, USD);
    expect(first.spent).toBe(first.fee);
    expect(first.fee).toBeGreaterThan(ACCOUNT_RENT + 5_000n);
    const second = await pay(8n, USD);
    expect(second.spent).toBe(second.fee);
    expect(second.fee).toBeLessThan(ACCOUNT_RENT);
    const third = await pay(SOL, COIN);
    expect(third.spent).toBe(SOL + third.fee);
    expect(await node.balance(COIN, BERT)).toBe(2n * SOL);
    expect(await node.fee(COIN)).toEqual({ lots: 2n * third.fee, expectedLots: third.fee, coin: COIN }); // prettier-ignore
    expect((await node.fee(USD)).lots).toBeGreaterThanOrEqual(first.fee);
  });

  test('pays tokens out of several accounts, and refuses what is in too many', async () => {
    const { ledger, usd, open } = await world();
    const node = open();
    for (let at = 0; at < 9; at += 1) ledger.hold(BERT, usd, 10n, `account ${at}`);
    const bert = keySigner('solana', '22'.repeat(32));
    const order = { ...transfer(75n), from: BERT, to: OWNER };
    const made = granted(await node.prepare(order, bert.signTransfer ?? sign));
    await sent(node, made);
    ledger.mine(FINAL_DEPTH + 1);
    expect(await outcome(node, made)).toMatchObject({ kind: 'made', transaction: { lots: 75n } });
    expect(await node.balance(USD, BERT)).toBe(15n);
    for (let at = 9; at < 19; at += 1) ledger.hold(BERT, usd, 10n, `account ${at}`);
    expect(rejectedWith(await node.prepare({ ...order, lots: 115n, nonce: 'n' }, sign))).toBe('transfer-invalid'); // prettier-ignore
  });

  test('refuses before it signs what cannot be paid, and says the figures', async () => {
    const { ledger, usd, open } = await world();
    const node = open();
    const signed: string[] = [];
    const watched: SignDigest = async (message) => {
      signed.push(message);
      return sign(message);
    };
    const no = async (order: Parameters<SolanaNode['prepare']>[0], by = node) => rejectedWith(await by.prepare(order, watched)); // prettier-ignore
    const held = await node.balance(COIN, OWNER);
    expect(await no(transfer(10n ** 18n + 1n))).toBe('funds-insufficient');
    expect(await no(transfer(held, COIN))).toBe('funds-insufficient');
    expect(await no(transfer(held - 5_001n, COIN))).toBe('funds-insufficient');
    expect(await no(transfer(2n ** 64n))).toBe('transfer-invalid');
    const nobody = keySigner('solana', '33'.repeat(32)).address;
    expect(await no({ ...transfer(890_879n, COIN), to: nobody })).toBe('transfer-invalid');
    expect(await no({ ...transfer(1n), to: usd })).toBe('address-invalid');
    expect(await no({ ...transfer(1n, COIN), to: usd })).toBe('address-invalid');
    expect(await no({ ...transfer(1n), to: OWNER })).toBe('address-invalid');
    const account = ledger.hold(BERT, usd, 1n);
    expect(await no({ ...transfer(1n), to: account })).toBe('address-invalid');
    expect(await no({ ...transfer(1n), to: '0x063aA85AD815219C347D18f0a51D5639874AB12F' })).toBe('address-invalid'); // prettier-ignore
    expect(await no({ ...transfer(1n), memo: 'm'.repeat(1_000) })).toBe('transfer-invalid');
    expect(await no({ ...transfer(1n), to: nobody }, open({ feeBound: ACCOUNT_RENT }))).toBe('transfer-invalid'); // prettier-ignore
    expect(await no(transfer(1n), open({ dayBound: 4_999n }))).toBe('transfer-invalid');
    expect(await no({ network: 'solana', token: USD, owner: OWNER, lots: 1n, nonce: 'a' })).toBe('transfer-invalid'); // prettier-ignore
    expect(signed).toEqual([]);
    const other: SignDigest = keySigner('solana', '22'.repeat(32)).signTransfer ?? sign;
    expect(rejectedWith(await node.prepare(transfer(1n), other))).toBe('transfer-invalid');
  });

  test('offers what others pay, within the bound', async () => {
    const { view, open } = await world();
    view.fees = [10 ** 12];
    const node = open({ feeBound: ACCOUNT_RENT + 100_000n });
    expect(granted(await node.prepare(transfer(1n), sign)).feeLots).toBeLessThanOrEqual(ACCOUNT_RENT + 100_000n); // prettier-ignore
    expect((await node.fee(USD)).lots).toBe(ACCOUNT_RENT + 100_000n);
  });

  test('gives the same order the same bytes, also after a restart, and another one under its nonce none', async () => {
    const { ledger, open } = await world();
    const payments = join(mkdtempSync(join(tmpdir(), 'payments-')), 'payments');
    const order = transfer(3n);
    const first = open({ payments });
    const made = granted(await first.prepare(order, sign));
    await first.close();
    const node = open({ payments });
    const [again, same] = await Promise.all([node.prepare(order, sign), node.prepare(order, sign)]);
    expect([again, same]).toEqual([made, made]);
    expect(rejectedWith(await node.prepare({ ...order, lots: 4n }, sign))).toBe('transfer-invalid');
    await sent(node, made);
    ledger.mine(FINAL_DEPTH + 1);
    await node.close();
    expect(await open({ payments }).prepare(order, sign)).toEqual(made);
  });

  test('lets two orders of one moment both arrive, also where they ask for the same', async () => {
    const { ledger, open } = await world();
    const node = open();
    const orders = [transfer(2n), transfer(2n), transfer(3n)];
    const made = await Promise.all(orders.map(async (order) => node.prepare(order, sign)));
    expect(new Set(made.map((one) => granted(one).id)).size).toBe(3);
    for (const one of made) await sent(node, granted(one));
    ledger.mine(FINAL_DEPTH + 1);
    expect(await node.balance(USD, BERT)).toBe(7n);
    // Each alone is within the bound of a day, and the second to be sent is not.
    const bound = open({ dayBound: 7_000n });
    const one = granted(await bound.prepare(transfer(1n), sign));
    const other = granted(await bound.prepare(transfer(1n), sign));
    await sent(bound, one);
    expect(rejectedWith(await sent(bound, other))).toBe('transfer-invalid');
  });

  test('prepares a second transaction only when it is proven that the first is in no block', async () => {
    const { ledger, view, open } = await world();
    const node = new CheckedNode('node.ts', open());
    const order = transfer(11n);
    const made = granted(await node.prepare(order, sign));
    ledger.drops = 1;
    await node.send('solana', made.raw);
    const follow = async () => node.prepare(order, sign, [made]);
    expect(rejectedWith(await follow())).toBe('transfer-invalid');
    ledger.mine(LIFETIME - 1);
    expect(await node.outcome('solana', [made])).toEqual({ kind: 'unseen' });
    ledger.mine(2);
    expect(await node.outcome('solana', [made])).toEqual({ kind: 'waiting' });
    expect(rejectedWith(await follow())).toBe('transfer-invalid');
    ledger.skip(40);
    ledger.mine(FINAL_DEPTH - 2);
    expect(await node.outcome('solana', [made])).toEqual({ kind: 'waiting' });
    ledger.mine(2);
    view.since = ledger.head.slot;
    expect(await node.outcome('solana', [made])).toEqual({ kind: 'waiting' });
    view.since = 0;
    expect(await node.outcome('solana', [made])).toMatchObject({ kind: 'dead', mayFollow: true });
    const next = granted(await follow());
    expect(next.uses).toBe(made.uses);
    expect(next.id).not.toBe(made.id);
    expect(await follow()).toEqual(next);
    expect(rejectedWith(await node.send('solana', made.raw))).toBe('transfer-invalid');
    expect(await node.send('solana', next.raw)).toEqual({ id: next.id });
    ledger.mine(FINAL_DEPTH + 1);
    expect(await node.outcome('solana', [made, next])).toMatchObject({
      kind: 'made',
      isFinal: true,
    });
    expect(rejectedWith(await node.prepare(order, sign, [made, next]))).toBe('transfer-invalid');
    expect(await node.balance(USD, BERT)).toBe(11n);
  });

  test('takes nothing for dead while a provider is behind, or has it', async () => {
    const { ledger, view, open } = await world();
    const other = await openSolana(ledger);
    onTestFinished(async () => other.close());
    const node = open({ urls: [view.proxy.url, other.proxy.url] });
    const made = granted(await node.prepare(transfer(1n), sign));
    await sent(node, made);
    ledger.mine(LIFETIME + FINAL_DEPTH + 2);
    for (const one of [view, other]) one.lag = LIFETIME + FINAL_DEPTH + 2;
    expect(await outcome(node, made)).toEqual({ kind: 'unseen' });
    view.lag = 0;
    expect(await outcome(node, made)).toEqual({ kind: 'waiting' });
    // Both say that the chain is far, and then one is asked that is not there yet, behind its balancer.
    const { slot, height } = ledger.at(ledger.final);
    const result = { absoluteSlot: slot, blockHeight: height };
    view.lag = LIFETIME + FINAL_DEPTH + 2;
    for (const one of [view, other]) one.proxy.fault('getEpochInfo', { result });
    expect(await outcome(node, made)).toEqual({ kind: 'unseen' });
    for (const one of [view, other]) one.lag = 0;
    view.since = ledger.head.slot;
    expect(await outcome(node, made)).toEqual({ kind: 'waiting' });
    view.since = 0;
    expect(await outcome(node, made)).toMatchObject({ kind: 'made', isFinal: true });
  });

  test('reports a transaction that failed in its block, with its reason and its cost', async () => {
    const { ledger, open } = await world();
    const node = open();
    const both = await Promise.all([1, 2].map(async () => node.prepare(transfer(6n * 10n ** 17n), sign))); // prettier-ignore
    const [first, made] = both.map((one) => granted(one)) as [PreparedTransaction, PreparedTransaction]; // prettier-ignore
    await sent(node, first);
    await sent(node, made);
    ledger.mine(2);
    expect(await outcome(node, made)).toMatchObject({
      kind: 'failed',
      id: made.id,
      isFinal: false,
    });
    ledger.mine(FINAL_DEPTH);
    const found = await outcome(node, made);
    expect(found).toMatchObject({ kind: 'failed', id: made.id, isFinal: true });
    expect(found).toHaveProperty('reason', expect.stringMatching(/Custom.*it cost \d+ lamports/));
    expect(await node.transaction('solana', made.id)).toBeUndefined();
  });

  test('lets confirmations fall when the chain forks, and sends the same bytes again', async () => {
    const { ledger, open } = await world();
    const node = open();
    const made = granted(await node.prepare(transfer(13n), sign));
    await sent(node, made);
    ledger.mine(4);
    expect(await outcome(node, made)).toMatchObject({ kind: 'made', isFinal: false, transaction: { confirmations: 3 } }); // prettier-ignore
    ledger.reorganise(4);
    expect(await outcome(node, made)).toEqual({ kind: 'unseen' });
    expect(await sent(node, made)).toEqual({ id: made.id });
    ledger.mine(FINAL_DEPTH + 1);
    expect(await outcome(node, made)).toMatchObject({ kind: 'made', isFinal: true });
    expect(await node.balance(USD, BERT)).toBe(13n);
  });

  test('rejects a balance on which two providers differ, a malformed one, and one of a node that goes back', async () => {
    const { ledger, view, open } = await world();
    const other = await openSolana(ledger);
    onTestFinished(async () => other.close());
    const node = open({ urls: [view.proxy.url, other.proxy.url] });
    const balance = await node.balance(COIN, BERT);
    const context = { slot: ledger.at(ledger.final).slot };
    other.proxy.fault('getBalance', { result: { context, value: 5 } });
    await expect(node.balance(COIN, BERT)).rejects.toMatchObject({ code: 'answer-invalid' });
    for (const result of [
      null,
      5,
      { context },
      { context, value: -1 },
      { context, value: '1.5' },
    ]) {
      for (const one of [view, other]) one.proxy.fault('getBalance', { result });
      await expect(node.balance(COIN, BERT)).rejects.toMatchObject({ code: 'answer-invalid' });
    }
    // Where one provider failed, the other was not asked as often.
    await Promise.all([view, other].map(async ({ proxy }) => proxy.heal()));
    ledger.mine(FINAL_DEPTH);
    for (const fault of ['html', '429', 'half', 'lose answer'] as const) {
      view.proxy.fault('getBalance', fault);
      expect(await node.balance(COIN, BERT)).toBe(balance);
    }
    other.lag = 60;
    await expect(node.balance(COIN, BERT)).rejects.toMatchObject({ code: 'service-unavailable' });
    other.lag = 0;
    other.proxy.fault('getBalance', { error: 'Node is behind by 42 slots', code: -32_005 });
    expect(await node.balance(COIN, BERT)).toBe(balance);
  });

  test('takes the answers to a send as what they mean', async () => {
    const { ledger, view, open } = await world();
    const node = open();
    const failed = (err: unknown) => ({ error: 'Transaction simulation failed', code: -32_002, data: { err, logs: [] } }); // prettier-ignore
    const cases: readonly (readonly [{ error: string; code: number; data?: unknown }, string])[] = [
      [failed('AlreadyProcessed'), 'known'],
      [failed('BlockhashNotFound'), 'outcome-unknown'],
      [failed({ InstructionError: [3, { Custom: 1 }] }), 'refused'],
      [{ error: 'Transaction signature verification failure', code: -32_003 }, 'refused'],
      [{ error: 'Node is unhealthy', code: -32_005 }, 'outcome-unknown'],
      [{ error: 'Minimum context slot has not been reached', code: -32_016 }, 'outcome-unknown'],
      [{ error: 'internal error', code: -32_603 }, 'outcome-unknown'],
    ];
    for (const [error, meaning] of cases) {
      const made = granted(await node.prepare(transfer(1n), sign));
      view.proxy.fault('sendTransaction', error);
      const said = await sent(node, made).catch((thrown: unknown) => thrown);
      const due = { known: { id: made.id }, refused: { code: 'transfer-invalid' } }[meaning];
      expect(said).toMatchObject(due ?? { code: meaning });
      // Whoever has sent it once may not take a later no for a no.
      view.proxy.fault(
        'sendTransaction',
        failed({ InsufficientFundsForRent: { account_index: 0 } }),
      );
      await expect(sent(node, made)).rejects.toMatchObject({ code: 'outcome-unknown' });
    }
    const made = granted(await node.prepare(transfer(1n), sign));
    await sent(node, made);
    ledger.mine(2);
    view.proxy.fault('sendTransaction', failed('BlockhashNotFound'));
    expect(await sent(node, made)).toEqual({ id: made.id });
  });

  test('lets a payer pay once where its transaction is dropped again and again, and reports when it gives up', async () => {
    const { ledger, open } = await world();
    const node = open();
    const [network] = await node.networks();
    const token = (await node.tokens()).find(({ id }) => id === USD);
    if (network === undefined || token === undefined) throw new Error('there are both');
    const payer = new ChainPayer(node, { network, token, signer });
    const pay = async (id: string) => {
      const amount = decimal('0.000021');
      const payment = { id, to: { address: BERT }, amount, most: amount, since: micros(0) };
      let data: TransferData = {};
      for (let turn = 0; turn < 100; turn += 1) {
        const step = payer.next(payment, data);
        const change = step === undefined ? await payer.observe(payment, data) : await payer.perform(payment, data, step); // prettier-ignore
        data = { ...data, ...change.data };
        if (!['begun', 'sent'].includes(change.stage)) return { ...change, data };
        if (step === undefined) ledger.mine(LIFETIME / 2);
      }
      throw new Error('it does not end');
    };
    ledger.drops = 5;
    const paid = await pay('p/1');
    expect(paid.stage).toBe('arrived');
    expect(JSON.parse(String(paid.data['payCandidates']))).toHaveLength(2);
    expect(await node.balance(USD, BERT)).toBe(21n);
    ledger.drops = 1_000;
    const given = await pay('p/2');
    expect(given).toMatchObject({ stage: 'refused', reason: expect.stringContaining('expired') as string }); // prettier-ignore
    expect(JSON.parse(String(given.data['payCandidates']))).toHaveLength(5);
    expect(await node.balance(USD, BERT)).toBe(21n);
  });

  test('has neither outputs nor an allowance', async () => {
    const { open } = await world();
    const node = open();
    await expect(node.outputs()).rejects.toMatchObject({ code: 'service-refused' });
    expect(await node.allowance()).toBe(0n);
    await expect(node.balance(9, OWNER)).rejects.toMatchObject({ code: 'service-refused' });
    await expect(node.balance(COIN, '0x1')).rejects.toMatchObject({ code: 'service-refused' });
    expect(await node.transaction('solana', 'none')).toBeUndefined();
  });
});
