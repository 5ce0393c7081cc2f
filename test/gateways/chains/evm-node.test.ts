import { readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { EvmNode } from '../../../src/gateways/chains/evm/evm-node.ts';
import { hex, readSigned } from '../../../src/gateways/chains/evm/encoding.ts';
import type { EvmNodeOptions } from '../../../src/gateways/chains/evm/options.ts';
import type { PreparedTransaction, SignDigest } from '../../../src/gateways/chains/node.ts';
import type { Rejection } from '../../../src/model/rejections.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { micros, US_PER_DAY, US_PER_MINUTE, type Micros } from '../../../src/platform/time.ts';
import { granted, rejectedWith } from '../../swaps/chains/harness.ts';
import { ANVIL, oracleCode } from './anvil.ts';
import { COIN, NETWORK, SIGNER, tokensOf, USD } from './contract/evm-node-of.ts';
import { startEvm, type EvmChain } from './contract/evm.ts';
import type { FaultProxy } from './contract/fault-proxy.ts';
import { freshFolder } from './contract/suite.ts';

/** The clock of the machine, which somebody sets. */
class Clock extends SystemScheduler {
  ahead = 0;

  override now(): Micros {
    return micros(super.now() + this.ahead);
  }
}

const OWNER = SIGNER.address;
const BERT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

let chain: EvmChain;
let count = 0;
const sign: SignDigest = async (digest) => chain.owner.sign(digest);
const transfer = (lots: bigint, id = USD) => {
  count += 1;
  return { network: 'ethereum', token: id, from: OWNER, to: BERT, lots, nonce: `order-${count}` };
};
const sent = async (node: EvmNode, { raw }: PreparedTransaction): Promise<unknown> => node.send('ethereum', raw); // prettier-ignore
const outcome = async (node: EvmNode, ...candidates: PreparedTransaction[]) => node.outcome('ethereum', candidates); // prettier-ignore

/** What the contract of all nodes asks is in contract/; here is what EVM chains alone have. */
describe.skipIf(ANVIL === undefined)('an EVM node alone', () => {
  beforeEach(async () => {
    chain = await startEvm();
    return async () => chain.close();
  });

  test('refuses a wrong chain, an address without a contract, other decimals, a wrong permit2 and a wrong oracle', async () => {
    const { token, permit2 } = chain.contracts;
    const [coin, usd] = tokensOf(chain.contracts);
    const cases: readonly (readonly [Partial<EvmNodeOptions>, string])[] = [
      [{ network: { ...NETWORK, chainId: 1 } }, 'chainId'],
      [{ tokens: [coin, { ...usd, contract: BERT }] }, 'tokens.USD'],
      [{ tokens: [coin, { ...usd, decimals: 18 }] }, 'tokens.USD.decimals'],
      [{ tokens: [coin, { ...usd, contract: permit2 }] }, 'tokens.USD'],
      [{ permit2: BERT }, 'permit2'],
      [{ permit2: token }, 'permit2'],
      [{ dataFeeOracle: BERT }, 'dataFeeOracle'],
      [{ dataFeeOracle: token }, 'dataFeeOracle'],
    ];
    for (const [change, field] of cases) {
      const asked = chain.openEvm(change).networks();
      await expect(asked).rejects.toMatchObject({ code: 'config-invalid', field: `chains.ethereum.evm.${field}` }); // prettier-ignore
    }
  });

  test('gives an order the same nonce after a restart', async () => {
    const nonces = `${freshFolder()}/nonces`;
    const one = transfer(1n);
    const first = chain.openEvm({ nonces });
    const made = granted(await first.prepare(one, sign));
    await first.close();
    const again = granted(await chain.openEvm({ nonces }).prepare(one, sign));
    expect(again.uses).toBe(made.uses);
  });

  test('signs no order again that was sent and mined, where its journal is lost', async () => {
    const node = chain.openEvm();
    const order = transfer(1n);
    await sent(node, granted(await node.prepare(order, sign)));
    await chain.mine();
    await expect(node.prepare(order, sign)).rejects.toMatchObject({ code: 'outcome-unknown' });
  });

  test('does not pay again where an older copy of its nonces was put back', async () => {
    const nonces = `${freshFolder()}/nonces`;
    const node = chain.openEvm({ nonces });
    const order = transfer(1n);
    const made = granted(await node.prepare(order, sign));
    const older = readFileSync(nonces);
    await sent(node, made);
    await chain.mine();
    await node.close();
    writeFileSync(nonces, older);
    const later = chain.openEvm({ nonces });
    await expect(later.prepare(order, sign)).rejects.toMatchObject({ code: 'outcome-unknown' });
  });

  test('signs nothing new with a key that others use, and goes on with what is under way', async () => {
    const nonces = `${freshFolder()}/nonces`;
    const node = chain.openEvm({ nonces });
    const first = granted(await node.prepare(transfer(1n), sign));
    await sent(node, first);
    await chain.mine();
    // Another process with the same key and a folder of its own.
    const other = chain.openEvm();
    await sent(other, granted(await other.prepare(transfer(2n), sign)));
    await chain.mine();
    await chain.finalize();
    const foreign = await node.prepare(transfer(4n), sign).catch((error: unknown) => error);
    expect(foreign).toMatchObject({
      code: 'key-shared',
      field: 'chains.ethereum.evm.acknowledged',
    });
    const mined = Number(await chain.anvil.rpc('eth_getTransactionCount', OWNER, 'latest'));
    expect(foreign).toHaveProperty('message', expect.stringMatching(`Nonce ${mined - 1} .* set acknowledged: ${mined}`)); // prettier-ignore
    expect(await outcome(node, first)).toMatchObject({ kind: 'made', isFinal: true });
    expect(await sent(node, first)).toEqual({ id: first.id });
    const back = { network: 'ethereum', token: USD, owner: OWNER, lots: 0n, nonce: 'back' };
    await sent(node, granted(await node.prepare(back, sign)));
    await chain.mine();
    await node.close();
    // Who runs it knows of that one, and of none that follows.
    const told = chain.openEvm({ nonces, acknowledged: mined });
    const order = transfer(4n);
    const next = granted(await told.prepare(order, sign));
    await sent(told, next);
    await chain.raiseFees?.();
    await sent(told, granted(await told.prepare(order, sign, [next])));
    await chain.finalize();
    const again = chain.openEvm();
    await sent(again, granted(await again.prepare(transfer(8n), sign)));
    await chain.finalize();
    await expect(told.prepare(transfer(16n), sign)).rejects.toMatchObject({ code: 'key-shared' });
  });

  test('does not pay again where an older copy of its nonces does not have the order at all', async () => {
    const nonces = `${freshFolder()}/nonces`;
    const node = chain.openEvm({ nonces });
    await sent(node, granted(await node.prepare(transfer(1n), sign)));
    await chain.mine();
    const older = readFileSync(nonces);
    const order = transfer(2n);
    await sent(node, granted(await node.prepare(order, sign)));
    await chain.mine();
    await node.close();
    writeFileSync(nonces, older);
    await expect(chain.openEvm({ nonces }).prepare(order, sign)).rejects.toMatchObject({ code: 'key-shared' }); // prettier-ignore
    expect(await chain.held(USD, BERT)).toBe(3n);
  });

  test('signs nothing in a spike of fees, and pays when it is over', async () => {
    const node = chain.openEvm();
    const noSign: SignDigest = async () => Promise.reject(new Error('it was signed'));
    const order = transfer(1n);
    chain.proxy.fault('eth_maxPriorityFeePerGas', { result: hex(10n ** 30n) });
    expect(rejectedWith(await node.prepare(order, noSign))).toBe('transfer-invalid');
    chain.proxy.fault('eth_estimateGas', { result: hex(2n ** 255n) });
    expect(rejectedWith(await node.prepare(order, noSign))).toBe('transfer-invalid');
    await chain.anvil.rpc('anvil_setNextBlockBaseFeePerGas', hex(10n ** 14n));
    await chain.mine();
    expect(rejectedWith(await node.prepare(order, noSign))).toBe('transfer-invalid');
    await chain.anvil.rpc('anvil_setNextBlockBaseFeePerGas', hex(10n ** 9n));
    await chain.mine();
    await sent(node, granted(await node.prepare(order, sign)));
    await chain.mine();
    expect(await chain.held(USD, BERT)).toBe(1n);
  });

  test('sends nothing above a nonce that was given and not sent, until that is sent', async () => {
    const node = chain.openEvm();
    const [one, other] = [granted(await node.prepare(transfer(1n), sign)), granted(await node.prepare(transfer(2n), sign))]; // prettier-ignore
    const asked = chain.proxy.asked.length;
    await expect(sent(node, other)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/was not sent yet\. This one is sent after it, or given up at 20\d\d-/) as string, // prettier-ignore
    });
    expect(chain.proxy.asked.slice(asked)).not.toContain('eth_sendRawTransaction');
    await sent(node, one);
    await sent(node, other);
    await chain.mine();
    expect(await chain.held(USD, BERT)).toBe(3n);
  });

  test.each([
    ['a few minutes later', 3 * US_PER_MINUTE],
    ['a clock that was set back by a year', -365 * US_PER_DAY],
  ])('gives a nonce that was given up to the next payment, %s', async (_, later) => {
    const scheduler = new Clock();
    const node = chain.openEvm({ http: { scheduler } });
    const [gone, above] = [granted(await node.prepare(transfer(1n), sign)), granted(await node.prepare(transfer(2n), sign))]; // prettier-ignore
    scheduler.ahead = later;
    expect(rejectedWith((await node.send('ethereum', above.raw)) as Rejection)).toBe('transfer-invalid'); // prettier-ignore
    const made = [granted(await node.prepare(transfer(4n), sign))];
    expect(made[0]?.uses).toBe(gone.uses);
    for (const one of made) await sent(node, one);
    made.push(granted(await node.prepare(transfer(8n), sign)));
    expect(made[1]?.uses).toBe(above.uses);
    await sent(node, made[1] ?? gone);
    await chain.mine();
    for (const one of [gone, above]) {
      expect(rejectedWith((await node.send('ethereum', one.raw)) as Rejection)).toBe('transfer-invalid'); // prettier-ignore
    }
    await chain.mine();
    expect(await chain.held(USD, BERT)).toBe(12n);
  });

  test('signs nothing for a node that says a nonce of a thousand million, and goes on without it', async () => {
    const node = chain.openEvm();
    await sent(node, granted(await node.prepare(transfer(1n), sign)));
    chain.proxy.fault('eth_getTransactionCount', { result: '0x3b9aca00' });
    await expect(node.prepare(transfer(2n), sign)).rejects.toMatchObject({ code: 'key-shared' });
    await sent(node, granted(await node.prepare(transfer(2n), sign)));
    await chain.mine();
    expect(await chain.held(USD, BERT)).toBe(3n);
  });

  test('refuses before it signs what leaves nothing for the fee, and a memo', async () => {
    const node = chain.openEvm();
    const noSign: SignDigest = async () => Promise.reject(new Error('it was signed'));
    const coins = await node.balance(COIN, OWNER);
    const no = async (order: Parameters<EvmNode['prepare']>[0]) => rejectedWith(await node.prepare(order, noSign)); // prettier-ignore
    expect(await no(transfer(coins - 1n, COIN))).toBe('funds-insufficient');
    expect(await no({ ...transfer(1n), memo: 'rent' })).toBe('transfer-invalid');
  });

  test('counts what was prepared and not sent yet in the bound of a day', async () => {
    const { feeLots } = granted(await chain.openEvm().prepare(transfer(1n), sign));
    const node = chain.openEvm({ dayBound: (feeLots * 3n) / 2n });
    const made = await Promise.all(
      [1n, 2n].map(async (lots) => node.prepare(transfer(lots), sign)),
    );
    expect(made.filter((one) => 'raw' in one)).toHaveLength(1);
    expect(made.filter((one) => 'code' in one)).toMatchObject([{ code: 'transfer-invalid' }]);
  });

  test('raises each fee of a successor by 15 % at least', async () => {
    const node = chain.openEvm();
    const order = transfer(11n);
    const made = granted(await node.prepare(order, sign));
    const next = granted(await node.prepare(order, sign, [made]));
    expect(next.feeLots * 100n).toBeGreaterThanOrEqual(made.feeLots * 115n);
  });

  test('counts confirmations where the chain has no tag for what is final', async () => {
    const node = chain.openEvm({ finality: 30 });
    const made = granted(await node.prepare(transfer(13n), sign));
    await sent(node, made);
    await chain.mine(29);
    expect(await outcome(node, made)).toMatchObject({ kind: 'made', isFinal: false });
    await chain.mine(1);
    expect(await outcome(node, made)).toMatchObject({ kind: 'made', isFinal: true });
  });

  test('reports outcome-unknown for what is sent when its nonce is used', async () => {
    const node = chain.openEvm();
    const made = granted(await node.prepare(transfer(17n), sign));
    await chain.displace?.(made.raw);
    await expect(sent(node, made)).rejects.toMatchObject({ code: 'outcome-unknown' });
  });

  test('counts in what a rollup takes for the data of a transaction', async () => {
    const dataFeeOracle = await chain.deployed(oracleCode());
    const plain = chain.openEvm();
    const rollup = chain.openEvm({ dataFeeOracle });
    const order = transfer(1n);
    const [cheap, dear] = [granted(await plain.prepare(order, sign)), granted(await rollup.prepare(order, sign))]; // prettier-ignore
    // Its signature, 67 bytes at most, is no part of what the oracle is asked for.
    const bytes = BigInt(cheap.raw.length / 2 - 1);
    expect(dear.feeLots - cheap.feeLots).toBeGreaterThan((bytes - 67n) * 10n ** 12n);
    expect((await rollup.fee(USD)).lots).toBeGreaterThan(dear.feeLots);
    const bound = { dataFeeOracle, feeBound: dear.feeLots - 1n };
    expect(rejectedWith(await chain.openEvm(bound).prepare(transfer(1n), sign))).toBe('transfer-invalid'); // prettier-ignore
    // The whole balance less the gas alone would never be taken by such a chain.
    const coins = await plain.balance(COIN, OWNER);
    const whole = transfer(coins - granted(await plain.prepare(transfer(1n, COIN), sign)).feeLots, COIN); // prettier-ignore
    granted(await plain.prepare(whole, sign));
    expect(rejectedWith(await rollup.prepare(whole, sign))).toBe('funds-insufficient');
  });

  test('pays and approves on a chain without EIP-1559, by one price of gas', async () => {
    const old = await startEvm('--hardfork', 'berlin');
    onTestFinished(async () => old.close());
    const node = old.openEvm();
    const order = transfer(11n);
    const made = granted(await node.prepare(order, sign));
    const next = granted(await node.prepare(order, sign, [made]));
    expect(readSigned(next.raw)).toMatchObject({ isLegacy: true, chainId: 31_337, from: OWNER.toLowerCase() }); // prettier-ignore
    expect(next.uses).toBe(made.uses);
    expect(next.feeLots * 100n).toBeGreaterThanOrEqual(made.feeLots * 115n);
    for (const one of [made, next]) expect(await sent(node, one)).toEqual({ id: one.id });
    const approval = { network: 'ethereum', token: USD, owner: OWNER, lots: 5n, nonce: 'a' };
    await sent(node, granted(await node.prepare(approval, sign)));
    await old.finalize();
    expect(await outcome(node, made, next)).toMatchObject({ kind: 'made', isFinal: true, transaction: { hash: next.id } }); // prettier-ignore
    expect(await old.held(USD, BERT)).toBe(11n);
    expect(await old.allowed?.(OWNER)).toBe(5n);
  });

  test.each([
    ['without EIP-1559, whose price of gas rises', ['--hardfork', 'berlin'], 'eth_gasPrice'],
    ['whose tips rise', [], 'eth_maxPriorityFeePerGas'],
  ] as const)(
    'raises a payment that others outbid for some blocks, on a chain %s',
    async (_, flags, method) => {
      const own = await startEvm(...flags);
      onTestFinished(async () => own.close());
      const second = await own.proxy.second();
      onTestFinished(async () => second.close());
      const asked = BigInt(String(await own.anvil.rpc(method)));
      const ask = (percent: bigint, ...proxies: readonly FaultProxy[]): void => {
        for (const one of proxies) one.fault(method, { result: hex((asked * percent) / 100n) }, 1_000); // prettier-ignore
      };
      const nonces = `${freshFolder()}/nonces`;
      const urls = [own.proxy.url, second.url];
      const node = own.openEvm({ nonces, urls });
      const order = transfer(11n);
      const made = granted(await node.prepare(order, sign));
      await sent(node, made);
      const later = granted(await node.prepare(transfer(1n), sign));
      await sent(node, later);
      // A successor would pay more than is asked, or one node alone asks for so much.
      ask(110n, own.proxy, second);
      expect(await outcome(node, made)).toEqual({ kind: 'waiting' });
      await second.heal();
      ask(900n, own.proxy);
      expect(await outcome(node, made)).toEqual({ kind: 'waiting' });
      await own.proxy.heal();
      ask(200n, own.proxy, second);
      // It waits for the one before it, which is raised.
      expect(await outcome(node, later)).toEqual({ kind: 'waiting' });
      expect(await outcome(node, made)).toEqual({ kind: 'stuck' });
      const next = granted(await node.prepare(order, sign, [made]));
      const [before, after] = [readSigned(made.raw), readSigned(next.raw)];
      expect(next.uses).toBe(made.uses);
      expect((after?.tip ?? 0n) * 100n).toBeGreaterThanOrEqual((before?.tip ?? 0n) * 115n);
      await sent(node, next);
      expect(await outcome(node, made, next)).toEqual({ kind: 'waiting' });
      await node.close();
      // Blocks that take an hour: nobody can say yet that it is outbid.
      const slow = own.openEvm({ nonces, urls, network: { ...NETWORK, blockUs: 3_600_000_000 } });
      ask(400n, own.proxy, second);
      expect(await outcome(slow, made, next)).toEqual({ kind: 'waiting' });
      await own.finalize();
      expect(await outcome(slow, made, next)).toMatchObject({ kind: 'made', transaction: { hash: next.id } }); // prettier-ignore
      expect(await own.held(USD, BERT)).toBe(12n);
    },
  );

  test('signs one after the other and replaces none where nodes keep nothing that waits', async () => {
    const node = chain.openEvm({ oneByOne: true });
    const order = transfer(1n);
    const made = granted(await node.prepare(order, sign));
    await expect(node.prepare(transfer(2n), sign)).rejects.toMatchObject({ code: 'service-unavailable' }); // prettier-ignore
    await sent(node, made);
    await expect(node.prepare(transfer(2n), sign)).rejects.toMatchObject({ code: 'service-unavailable' }); // prettier-ignore
    expect(rejectedWith(await node.prepare(order, sign, [made]))).toBe('transfer-invalid');
    await chain.mine();
    expect(granted(await node.prepare(transfer(2n), sign)).uses).not.toBe(made.uses);
  });

  test('asks a token that wants so for an allowance of 0 first', async () => {
    const node = chain.openEvm();
    const approve = async (lots: bigint, nonce: string) => {
      const order = { network: 'ethereum', token: USD, owner: OWNER, lots, nonce };
      await sent(node, granted(await node.prepare(order, sign)));
      await chain.mine();
      return node.allowance(USD, OWNER);
    };
    expect(await approve(5n, 'a')).toBe(5n);
    expect(await approve(8n, 'b')).toBe(0n);
    expect(await approve(8n, 'c')).toBe(8n);
    expect(await approve(0n, 'd')).toBe(0n);
  });

  test('takes "already known" of one provider and "underpriced" of another as what they mean', async () => {
    const other = await chain.proxy.second();
    onTestFinished(async () => other.close());
    const node = chain.openEvm({ urls: [chain.proxy.url, other.url] });
    const made = granted(await node.prepare(transfer(1n), sign));
    other.fault('eth_sendRawTransaction', { error: 'nonce too low' });
    expect(await sent(node, made)).toEqual({ id: made.id });
    for (const one of [chain.proxy, other]) one.fault('eth_sendRawTransaction', { error: 'replacement transaction underpriced' }); // prettier-ignore
    await expect(sent(node, made)).rejects.toMatchObject({ code: 'outcome-unknown' });
    for (const one of [chain.proxy, other]) one.fault('eth_sendRawTransaction', { error: 'already known' }); // prettier-ignore
    expect(await sent(node, made)).toEqual({ id: made.id });
    await chain.mine();
  });
});
