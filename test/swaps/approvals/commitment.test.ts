import { createHash } from 'node:crypto';
import { Transaction } from '@scure/btc-signer';
import { describe, expect, it } from 'vitest';
import type { AgreedTerms } from '../../../src/swaps/approvals/approval.ts';
import { checkHtlc } from '../../../src/swaps/approvals/htlc/check.ts';
import { agreedTo, issuedFor, orderOn } from './kit.ts';

const order = orderOn('bitcoin');
const issued = issuedFor(order);
if (issued.form !== 'htlc') throw new Error(issued.form);
const { psbt, inputs, memo = '' } = issued.params;

const read = (): Transaction =>
  Transaction.fromPSBT(Buffer.from(psbt, 'base64'), { allowUnknownOutputs: true });

const COMMITMENT = 2;
const scriptFor = (text: string): Uint8Array =>
  Buffer.concat([Buffer.of(0x6a, 32), createHash('sha256').update(text).digest()]);

/** What is found amiss in a transaction that was altered, or in another memo. */
function fieldOf(
  alter: (transaction: Transaction) => void,
  text?: string,
  agreed: Partial<AgreedTerms> = {},
): unknown {
  const transaction = read();
  alter(transaction);
  const asked = { psbt: Buffer.from(transaction.toPSBT()).toString('base64'), inputs, memo: text };
  try {
    checkHtlc(asked, agreedTo(order, agreed), order.publicKey);
    return undefined;
  } catch (error) {
    return (error as { readonly field?: unknown }).field;
  }
}

const asItIs = (): void => undefined;

describe('what a transaction of Bitcoin commits to', () => {
  it('is the hash of a memo that says what the user gets, and of which intent', () => {
    const { script, amount } = read().getOutput(COMMITMENT);
    expect([Buffer.from(script ?? []), amount]).toEqual([scriptFor(memo), 0n]);
    expect(JSON.parse(memo)).toEqual({
      intent: order.intent,
      secret_hash: order.secretHash,
      network_id: order.destination.network,
      token: order.destination.token,
      address: order.destination.address,
      min_amount_lots: `${order.destination.leastLots}`,
    });
    expect(fieldOf(asItIs, memo)).toBeUndefined();
    expect(fieldOf(asItIs, memo, { intent: order.intent })).toBeUndefined();
  });

  it.each([
    ['destination.network', { destination: { ...order.destination, network: 9 } }, 'network_id'],
    ['destination.token', { destination: { ...order.destination, token: 'other' } }, 'token'],
    ['destination.address', { destination: { ...order.destination, address: 'a' } }, 'address'],
    [
      'destination.leastLots',
      { destination: { ...order.destination, leastLots: order.destination.leastLots + 1n } },
      'min_amount_lots',
    ],
    ['intent', { intent: 'another' }, 'intent'],
  ])('is not what was agreed where its %s is another', (_, agreed, member) => {
    expect(fieldOf(asItIs, memo, agreed)).toBe(`memo.${member}`);
  });

  it('is told, once, by an output that takes nothing', () => {
    expect(fieldOf(asItIs)).toBe('memo');
    expect(fieldOf(asItIs, 'no JSON')).toBe('memo');
    const field = 'psbt.outputs.commitment';
    const other = memo.replace('22', '23');
    expect(fieldOf(asItIs, other)).toBe(field);
    const exchanged = (transaction: Transaction): void => {
      transaction.updateOutput(COMMITMENT, { script: scriptFor(other) });
    };
    expect(fieldOf(exchanged, memo)).toBe(field);
    expect(fieldOf(exchanged, other)).toBeUndefined();
    const paid = (transaction: Transaction): void => {
      transaction.updateOutput(COMMITMENT, { amount: 1n });
    };
    expect(fieldOf(paid, memo)).toBe(field);
    const twice = (transaction: Transaction): void => {
      transaction.addOutput({ script: scriptFor(memo), amount: 0n });
    };
    expect(fieldOf(twice, memo)).toBe(field);
    const never = (transaction: Transaction): void => {
      transaction.updateOutput(COMMITMENT, { script: Uint8Array.of(0x51) });
    };
    expect(fieldOf(never, memo)).toBe(field);
  });
});
