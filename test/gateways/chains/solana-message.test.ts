import { getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';
import { base58, base64 } from '@scure/base';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  budget,
  coinTransfer,
  createAccount,
  memoCall,
  messageOf,
  readSigned,
  signedBytes,
  tokenTransfer,
  type Call,
} from '../../../src/gateways/chains/solana/message.ts';
import { PROGRAMS } from '../../../src/swaps/approvals/cosign/programs.ts';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';

const signer = keySigner('solana', '11'.repeat(32));
const FROM = signer.address;
const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => base58.encode(bytes));
const lots = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n });
const mint = fc.record({
  address: key,
  decimals: fc.integer({ min: 0, max: 18 }),
  program: fc.constantFrom(PROGRAMS.token, PROGRAMS.token2022),
});
const calls = fc.oneof(
  fc.tuple(key, lots).map(([to, all]) => [coinTransfer(FROM, to, all)]),
  fc.tuple(key, mint, lots, fc.array(key, { minLength: 1, maxLength: 4 })).map(([to, of, all, sources]) => [
    createAccount(FROM, to, of),
    ...sources.map((source) => tokenTransfer(FROM, of, { source, target: to, lots: all })),
  ]), // prettier-ignore
);

/** A call as kit shows it, with accounts by their keys. */
const shown = ({ program, accounts, data }: Call) => ({
  program,
  accounts: accounts.map((one) => one.key),
  data: bytesToHex(data),
});

test('every message decodes in @solana/kit to the same calls, keys and blockhash', async () => {
  await fc.assert(
    fc.asyncProperty(
      calls,
      key,
      lots,
      fc.string({ maxLength: 40 }),
      async (made, blockhash, price, memo) => {
        const all = [
          ...budget(1_400_000n, price),
          ...made,
          ...(memo === '' ? [] : [memoCall(memo)]),
        ];
        const message = messageOf(FROM, all, blockhash);
        const signature = hexToBytes((await signer.signTransfer?.(bytesToHex(message))) ?? '');
        const raw = signedBytes(message, signature);
        const { messageBytes, signatures } = getTransactionDecoder().decode(base64.decode(raw));
        const decoded = getCompiledTransactionMessageDecoder().decode(messageBytes);
        if (decoded.version !== 0) throw new Error('it is of version 0');
        const { staticAccounts, header, instructions } = decoded;
        const found = instructions.map(({ programAddressIndex, accountIndices = [], data }) => ({
          program: staticAccounts[programAddressIndex],
          accounts: accountIndices.map((at) => staticAccounts[at]),
          data: bytesToHex(new Uint8Array(data ?? [])),
        }));
        expect(found).toEqual(all.map(shown));
        expect(decoded.lifetimeToken).toBe(blockhash);
        expect(header).toMatchObject({ numSignerAccounts: 1, numReadonlySignerAccounts: 0 });
        const written = staticAccounts.slice(0, staticAccounts.length - header.numReadonlyNonSignerAccounts); // prettier-ignore
        const due = new Set(all.flatMap(({ accounts }) => accounts.filter((one) => one.writes === true).map((one) => one.key))); // prettier-ignore
        expect(new Set(written)).toEqual(due.add(FROM));
        expect(Object.keys(signatures)).toEqual([FROM]);
        expect(readSigned(raw)).toMatchObject({ id: base58.encode(signature), from: FROM });
      },
    ),
    { numRuns: 100 },
  );
});

test('bytes that somebody else has signed, or that are no transaction, are read as none', async () => {
  const message = messageOf(FROM, [coinTransfer(FROM, PROGRAMS.memo, 1n)], PROGRAMS.token);
  const other = keySigner('solana', '22'.repeat(32));
  const signature = hexToBytes((await other.signTransfer?.(bytesToHex(message))) ?? '');
  expect(readSigned(signedBytes(message, signature))).toBeUndefined();
  expect(readSigned('AAAA')).toBeUndefined();
  expect(readSigned('no base 64')).toBeUndefined();
});
