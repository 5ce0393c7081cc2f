import { appendFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transaction, Wallet } from 'ethers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashOf, readSigned, signedBytes, signingDigest } from '../../../src/gateways/chains/evm/encoding.ts'; // prettier-ignore
import { NonceBook, type NonceEntry } from '../../../src/gateways/chains/evm/nonce-book.ts';
import { answerToSend } from '../../../src/gateways/chains/evm/send-answer.ts';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';

const KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

test('signed bytes are those that ethers makes of the same transaction, and are read back', async () => {
  const signer = keySigner('evm', KEY);
  const wei = fc.bigInt({ min: 0n, max: 2n ** 128n });
  const bytes = fc
    .uint8Array({ maxLength: 300 })
    .map((of) => `0x${Buffer.from(of).toString('hex')}`);
  const transaction = fc.record({
    chainId: fc.integer({ min: 1, max: 2 ** 40 }),
    nonce: fc.nat(),
    tip: wei,
    maxFee: wei,
    gas: fc.bigInt({ min: 0n, max: 2n ** 40n }),
    to: fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .map((of) => `0x${Buffer.from(of).toString('hex')}`),
    value: wei,
    data: bytes,
    isLegacy: fc.boolean(),
  });
  const check = fc.asyncProperty(transaction, async ({ isLegacy, ...made }) => {
    // The tip is no more than the whole fee, which ethers asks for.
    const fees = made.tip > made.maxFee ? { tip: made.maxFee, maxFee: made.tip } : made;
    const tip = isLegacy ? fees.maxFee : fees.tip;
    const own = { ...made, tip, maxFee: fees.maxFee, ...(isLegacy && { isLegacy }) };
    const raw = signedBytes(own, (await signer.signTransfer?.(signingDigest(own))) ?? '');
    const theirs = Transaction.from({
      ...(isLegacy
        ? { type: 0, gasPrice: own.maxFee }
        : { type: 2, maxPriorityFeePerGas: own.tip, maxFeePerGas: own.maxFee }),
      chainId: own.chainId,
      nonce: own.nonce,
      gasLimit: own.gas,
      to: own.to,
      value: own.value,
      data: own.data,
    });
    expect(raw).toBe(await new Wallet(KEY).signTransaction(theirs));
    expect(hashOf(raw)).toBe(Transaction.from(raw).hash);
    expect(readSigned(raw)).toEqual({ ...own, from: signer.address.toLowerCase() });
  });
  await fc.assert(check, { numRuns: 100 });
});

test.each([
  '',
  '0x',
  '0xc0',
  '0xc9808080808080801b8080',
  '0x02',
  '0x02c0',
  '0x01c0',
  'many',
  '0x02f8ff',
])('%j is no signed transaction', (raw) => {
  expect(readSigned(raw)).toBeUndefined();
});

test.each([
  ['already known', 'known'],
  ['transaction already imported', 'known'],
  ['Transaction with the same hash was already imported', 'known'],
  ['nonce too low: next nonce 9, tx nonce 8', 'nonce-used'],
  ['Transaction nonce is too low. Try incrementing the nonce.', 'nonce-used'],
  ['INTERNAL_ERROR: nonce too low', 'nonce-used'],
  ['replacement transaction underpriced', 'too-cheap'],
  ['replacement fee too low', 'too-cheap'],
  ['transaction underpriced', 'too-cheap'],
  ['Insufficient funds for gas * price + value', 'funds'],
  ['intrinsic gas too low', 'wrong'],
  ['invalid chain id for signer', 'wrong'],
  ['internal error', 'unknown'],
])('%j means %s', (message, meaning) => {
  expect(answerToSend(message)).toBe(meaning);
});

test('nonces are kept by chain and address, and a line that a crash cut off is dropped', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'nonces-')), 'book');
  const entry: NonceEntry = { chainId: 1, address: '0xa', nonce: 5, key: 'k', ids: [], sent: false, feeLots: 3n, at: 1 }; // prettier-ignore
  const first = new NonceBook(path);
  first.write(entry);
  first.close();
  appendFileSync(path, '{"chainId":1,"addr');
  const book = new NonceBook(path);
  expect(book.of(1, '0xA')).toEqual([entry]);
  expect(book.of(10, '0xa')).toEqual([]);
  book.write({ ...entry, ids: ['0x1'], sent: true });
  book.close();
  const last = new NonceBook(path);
  expect(last.of(1, '0xa')).toEqual([{ ...entry, ids: ['0x1'], sent: true }]);
  last.close();
  appendFileSync(path, 'nobody wrote this\n');
  expect(() => new NonceBook(path).of(1, '0xa')).toThrow('no release has written');
});
