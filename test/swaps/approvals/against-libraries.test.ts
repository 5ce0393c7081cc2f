import { createHash } from 'node:crypto';
import * as ecc from '@bitcoinerlab/secp256k1';
import {
  address as solanaAddress,
  createKeyPairFromPrivateKeyBytes,
  getAddressEncoder,
  getCompiledTransactionMessageDecoder,
  getProgramDerivedAddress,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
} from '@solana/kit';
import { initEccLib, Psbt, Transaction } from 'bitcoinjs-lib';
import { Signature, TypedDataEncoder, verifyTypedData, Wallet } from 'ethers';
import { describe, expect, it } from 'vitest';
import { isRejection } from '../../../src/model/rejections.ts';
import { PROGRAMS } from '../../../src/swaps/approvals/cosign/programs.ts';
import { checkPermit2 } from '../../../src/swaps/approvals/permit2/check.ts';
import { digestOf } from '../../../src/swaps/approvals/permit2/typed-data.ts';
import { signApproval } from '../../../src/swaps/approvals/check.ts';
import { verifyApproval } from '../../../src/swaps/approvals/verify.ts';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';
import { agreedTo, BACKEND, ESCROW, issuedFor, orderOn, RESOLVER, secretOf, USER } from './kit.ts';

initEccLib(ecc);

const mutable = (types: Readonly<Record<string, readonly { name: string; type: string }[]>>) =>
  Object.fromEntries(Object.entries(types).map(([name, members]) => [name, [...members]]));

describe.each(['evm', 'tron'] as const)('a permit on %s, beside ethers', (family) => {
  const order = orderOn(family);
  const issued = issuedFor(order);
  const typed = checkPermit2(issued.params, agreedTo(order));
  const { domain, types, message } = typed;

  it('has the same digest and the same witness hash', () => {
    const digest = TypedDataEncoder.hash(domain, mutable(types), message);
    expect(digestOf(typed)).toBe(digest);
    const { PermitWitnessTransferFrom: _, TokenPermissions: __, ...witness } = mutable(types);
    const hash = TypedDataEncoder.hashStruct('SwapIntent', witness, message['witness'] as object);
    if (issued.form !== 'permit2') throw new Error(issued.form);
    expect(issued.params.additional_data.witness_hash).toBe(hash);
  });

  it('has the type that Permit2 puts together', () => {
    if (issued.form !== 'permit2') throw new Error(issued.form);
    const stub =
      'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,';
    const whole = TypedDataEncoder.from(mutable(types)).encodeType('PermitWitnessTransferFrom');
    expect(`${stub}${issued.params.additional_data.witness_type_string}`).toBe(whole);
  });

  it('is taken with a signature of ethers, long and compact, and ethers knows the signer', async () => {
    const wallet = new Wallet(`0x${Buffer.from(secretOf(USER)).toString('hex')}`);
    const signature = await wallet.signTypedData(domain, mutable(types), message);
    const compact = Signature.from(signature).compactSerialized;
    for (const one of [signature, compact]) {
      expect(verifyApproval(order, issued, { form: 'permit2', signature: one })).toEqual({
        form: 'permit2',
      });
    }
    const own = await keySigner(family, secretOf(USER)).signTypedData?.(typed);
    expect(verifyTypedData(domain, mutable(types), message, own ?? '')).toBe(wallet.address);
  });
});

describe('a transaction of Bitcoin, beside bitcoinjs-lib', () => {
  const order = orderOn('bitcoin');
  const issued = issuedFor(order);
  if (issued.form !== 'htlc') throw new Error(issued.form);

  it('is signed by its signer, and taken', () => {
    const psbt = Psbt.fromBase64(issued.params.psbt);
    const key = Buffer.from(secretOf(USER));
    const internal = ecc.xOnlyPointFromScalar(key);
    const odd = (ecc.pointFromScalar(key, true)?.[0] ?? 2) === 3;
    const even = odd ? ecc.privateNegate(key) : key;
    const hash = taggedHash('TapTweak', internal);
    const tweaked = ecc.privateAdd(even, hash);
    if (tweaked === null) throw new Error('No key.');
    const publicKey = ecc.pointFromScalar(tweaked, true);
    if (publicKey === null) throw new Error('No point.');
    for (const at of issued.params.inputs) {
      psbt.signTaprootInput(at, {
        publicKey,
        sign: () => new Uint8Array(64),
        signSchnorr: (message) => ecc.signSchnorr(message, tweaked),
      });
    }
    const verified = verifyApproval(order, issued, { form: 'htlc', psbt: psbt.toBase64() });
    expect(isRejection(verified) ? verified : verified.transaction?.length).toBeGreaterThan(200);
  });

  it('is finished to the same bytes, with one unit and more for each virtual byte', async () => {
    const signer = keySigner('bitcoin', secretOf(USER));
    const signed = await signApproval(issued.params, 'htlc', agreedTo(order), signer);
    if (signed.form !== 'htlc') throw new Error(signed.form);
    const verified = verifyApproval(order, issued, signed);
    if (isRejection(verified)) throw new Error(verified.message);
    const psbt = Psbt.fromBase64(signed.psbt);
    const valid = psbt.validateSignaturesOfAllInputs((key, message, signature) =>
      ecc.verifySchnorr(message, key, signature),
    );
    expect(valid).toBe(true);
    psbt.finalizeAllInputs();
    const final = psbt.extractTransaction();
    expect(verified.transaction).toBe(final.toHex());
    const fee = psbt.getFee();
    expect(Number(fee) / Transaction.fromHex(final.toHex()).virtualSize()).toBeGreaterThanOrEqual(
      1,
    );
    expect(final.outs.map(({ value }) => value)).toEqual([5_000_000n, 3_999_000n - fee, 0n]);
  });
});

function taggedHash(tag: string, data: Uint8Array): Uint8Array {
  const hash = (...parts: Uint8Array[]): Buffer =>
    createHash('sha256').update(Buffer.concat(parts)).digest();
  const name = hash(Buffer.from(tag));
  return hash(name, name, data);
}

describe('a transaction of Solana, beside @solana/kit', () => {
  const order = orderOn('solana');
  const keys = { resolver: secretOf(RESOLVER), backend: secretOf(BACKEND) };
  const issued = issuedFor(order, keys);
  if (issued.form !== 'cosign') throw new Error(issued.form);
  const bytes = Buffer.from(issued.params.transaction, 'hex');
  const decoded = getTransactionDecoder().decode(bytes);

  it('has its signers in order: resolver, user, backend', () => {
    const backend = keySigner('solana', secretOf(BACKEND)).address;
    expect(Object.keys(decoded.signatures)).toEqual([order.resolver, order.from, backend]);
    expect(Object.values(decoded.signatures).map((one) => one !== null)).toEqual([
      true,
      false,
      true,
    ]);
    const message = getCompiledTransactionMessageDecoder().decode(decoded.messageBytes);
    expect(message.version).toBe(0);
    expect(message.header).toMatchObject({ numSignerAccounts: 3, numReadonlySignerAccounts: 1 });
    expect(bytes[1 + 3 * 64]).toBe(0x80);
  });

  it('moves tokens between the accounts that the program derives', async () => {
    const message = getCompiledTransactionMessageDecoder().decode(decoded.messageBytes);
    if (message.version !== 0) throw new Error('It is of another version.');
    const derived = await Promise.all(
      [USER, ESCROW].map(async (owner) => {
        const encoder = getAddressEncoder();
        const [found] = await getProgramDerivedAddress({
          programAddress: solanaAddress(PROGRAMS.tokenAccount),
          seeds: [
            encoder.encode(solanaAddress(keySigner('solana', secretOf(owner)).address)),
            encoder.encode(solanaAddress(PROGRAMS.token)),
            encoder.encode(solanaAddress(order.token.contract)),
          ],
        });
        return found;
      }),
    );
    const transfer = message.instructions[1];
    const accounts = transfer?.accountIndices?.map((at) => message.staticAccounts[at]);
    expect(accounts).toEqual([derived[0], order.token.contract, derived[1], order.from]);
    const data = Buffer.from(transfer?.data ?? []);
    expect([data[0], data.readBigUInt64LE(1), data[9]]).toEqual([12, 5_000_000n, 6]);
  });

  it('is signed by it, and taken; and both sign the same bytes', async () => {
    const user = await createKeyPairFromPrivateKeyBytes(secretOf(USER));
    const signed = await partiallySignTransaction([user], decoded);
    const transaction = Buffer.from(getTransactionEncoder().encode(signed)).toString('hex');
    const theirs = { form: 'cosign', transaction, userAddress: order.from } as const;
    expect(verifyApproval(order, issued, theirs)).toEqual({ form: 'cosign' });
    const signer = keySigner('solana', secretOf(USER));
    const ours = await signApproval(issued.params, 'cosign', agreedTo(order), signer);
    expect(ours).toEqual(theirs);
  });
});
