import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRejection } from '../../../src/model/rejections.ts';
import { micros } from '../../../src/platform/time.ts';
import type {
  ApprovalSigner,
  IssuedApproval,
  SignedApproval,
} from '../../../src/swaps/approvals/approval.ts';
import { signApproval } from '../../../src/swaps/approvals/check.ts';
import { verifyApproval } from '../../../src/swaps/approvals/verify.ts';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';
import type { NetworkFamily } from '../../../src/swaps/tokens.ts';
import { addressOf, agreedTo, issuedFor, orderOn, secretOf, STRANGER, USER } from './kit.ts';
import { runs } from '../../kit/size.ts';

const FAMILIES = ['evm', 'tron', 'bitcoin', 'solana'] as const;
const KEYS = { resolver: secretOf(3), backend: secretOf(4) };

const signedOn = async (family: NetworkFamily): Promise<SignedApproval> => {
  const order = orderOn(family);
  const { form, params } = issuedFor(order, KEYS);
  return signApproval(params, form, agreedTo(order), keySigner(family, secretOf(USER)));
};

/** Changes one byte of text in hexadecimal or Base64. */
function flipped(text: string, encoding: 'hex' | 'base64', at: number, mask: number): string {
  const prefix = text.startsWith('0x') ? '0x' : '';
  const bytes = Buffer.from(text.slice(prefix.length), encoding);
  const index = at % bytes.length;
  bytes[index] = (bytes[index] ?? 0) ^ mask;
  return prefix + bytes.toString(encoding);
}

function flippedApproval(signed: SignedApproval, at: number, mask: number): SignedApproval {
  switch (signed.form) {
    case 'permit2':
      return { ...signed, signature: flipped(signed.signature, 'hex', at, mask) };
    case 'htlc':
      return { ...signed, psbt: flipped(signed.psbt, 'base64', at, mask) };
    case 'cosign':
      return { ...signed, transaction: flipped(signed.transaction, 'hex', at, mask) };
  }
}

/** Changes one byte of what is asked to be signed: of a permit, in one of its members at any depth. */
function changedParams({ form, params }: IssuedApproval, at: number, mask: number): unknown {
  switch (form) {
    case 'permit2':
      return changedMember(params, at, mask);
    case 'htlc':
      return { ...params, psbt: flipped(params.psbt, 'base64', at, mask) };
    case 'cosign':
      return { transaction: flipped(params.transaction, 'hex', at, mask) };
  }
}

/** Each remainder of `at` chooses a member, what is left of it the place within. */
function changedMember(value: unknown, at: number, mask: number): unknown {
  if (typeof value === 'number') return value ^ mask;
  if (typeof value === 'bigint') return value ^ (BigInt(mask) << BigInt(8 * (at % 32)));
  if (typeof value === 'string') {
    const index = at % value.length;
    const code = value.charCodeAt(index) ^ mask;
    return value.slice(0, index) + String.fromCharCode(code) + value.slice(index + 1);
  }
  if (typeof value !== 'object' || value === null) throw new Error('it is no member');
  const entries = Object.entries(value);
  const [name, member] = entries[at % entries.length] ?? [];
  if (name === undefined) throw new Error('there is no member');
  const changed = changedMember(member, Math.floor(at / entries.length), mask);
  return Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed };
}

const change = [fc.nat(), fc.integer({ min: 1, max: 255 })] as const;
/** v as 0 or 1 means the same signature; nothing else of 65 bytes does. */
const isSameSignature = (one: SignedApproval, other: SignedApproval): boolean =>
  one.form === 'permit2' &&
  other.form === 'permit2' &&
  one.signature.slice(0, -2) === other.signature.slice(0, -2) &&
  Number.parseInt(other.signature.slice(-2), 16) + 27 ===
    Number.parseInt(one.signature.slice(-2), 16);

describe.each(FAMILIES)('the service on %s', (family) => {
  const order = orderOn(family);
  const issued = issuedFor(order, KEYS);

  it('refuses what was signed with any byte of it changed', async () => {
    const signed = await signedOn(family);
    fc.assert(
      fc.property(...change, (at, mask) => {
        const other = flippedApproval(signed, at, mask);
        fc.pre(!isSameSignature(signed, other));
        expect(verifyApproval(order, issued, other)).toMatchObject({ code: 'approval-invalid' });
      }),
      { numRuns: runs(150) },
    );
  });

  it('refuses what was signed for another order', async () => {
    const signed = await signedOn(family);
    const others = [
      { lots: order.lots + 1n },
      { escrow: addressOf(family, STRANGER) },
      { intent: 'another' },
      { secretHash: `0x${'23'.repeat(32)}` },
      { destination: { ...order.destination, leastLots: 1n } },
      { destination: { ...order.destination, address: addressOf('tron', STRANGER) } },
      { destination: { ...order.destination, token: 'other' } },
      { destination: { ...order.destination, network: 9 } },
      ...(family === 'bitcoin' || family === 'solana'
        ? []
        : [{ nonce: order.nonce + 1n }, { deadline: micros(order.deadline + 1_000_000) }]),
    ];
    for (const changes of others) {
      const other = orderOn(family, changes);
      const rejection = verifyApproval(other, issuedFor(other, KEYS), signed);
      expect(rejection).toMatchObject({ code: 'approval-invalid' });
    }
  });

  it('refuses what was handed out, unsigned', () => {
    for (const unsigned of unsignedOf(issued, order.from)) {
      expect(verifyApproval(order, issued, unsigned)).toMatchObject({ code: 'approval-invalid' });
    }
  });
});

/** A permit is handed out without a signature: what stands for none has the size of one, or nothing. */
function unsignedOf({ form, params }: IssuedApproval, userAddress: string): SignedApproval[] {
  switch (form) {
    case 'permit2':
      return ['0x', `0x${'00'.repeat(65)}`].map((signature) => ({ form, signature }));
    case 'htlc':
      return [{ form, psbt: params.psbt }];
    case 'cosign':
      return [{ form, ...params, userAddress }];
  }
}

/** A signer that must not be asked. */
const watched = (signer: ApprovalSigner, asked: () => void): ApprovalSigner => ({
  ...signer,
  signTypedData: () => (asked(), Promise.reject(new Error('asked'))),
  signPsbt: () => (asked(), Promise.reject(new Error('asked'))),
  signMessage: () => (asked(), Promise.reject(new Error('asked'))),
});

describe.each(FAMILIES)('the user on %s', (family) => {
  const order = orderOn(family);
  const agreed = agreedTo(order, { escrows: [order.escrow] });

  const isNotSigned = async (issuedParams: unknown, terms = agreed): Promise<void> => {
    let count = 0;
    const signer = watched(keySigner(family, secretOf(USER)), () => (count += 1));
    const { form } = issuedFor(order);
    await expect(signApproval(issuedParams, form, terms, signer)).rejects.toMatchObject({
      code: 'approval-refused',
    });
    expect(count).toBe(0);
  };

  it('signs nothing that differs from what was agreed', async () => {
    const wrong = [
      { lots: order.lots + 1n },
      { lots: order.lots - 1n },
      { escrow: addressOf(family, STRANGER) },
      { destination: { ...order.destination, leastLots: order.destination.leastLots - 1n } },
      { destination: { ...order.destination, address: addressOf('tron', STRANGER) } },
      { destination: { ...order.destination, token: 'other' } },
      { destination: { ...order.destination, network: 9 } },
      ...(family === 'bitcoin'
        ? []
        : [{ token: { ...order.token, contract: addressOf(family, STRANGER) } }]),
    ];
    for (const changes of wrong) {
      const other = orderOn(family, changes);
      if (issuedFor(other).form === 'permit2' && ('lots' in changes || 'token' in changes)) {
        // A permit names neither: the user signs his own, which the service then refuses.
        const signer = keySigner(family, secretOf(USER));
        const signed = await signApproval(issuedFor(other).params, 'permit2', agreed, signer);
        expect(isRejection(verifyApproval(other, issuedFor(other), signed))).toBe(true);
        continue;
      }
      await isNotSigned(issuedFor(other).params);
    }
  });

  it('trusts no escrow but those that he named', async () => {
    const escrows = [addressOf(family, STRANGER)];
    await isNotSigned(issuedFor(order).params, { ...agreed, escrows });
  });

  if (family === 'evm' || family === 'tron') {
    it('signs no permit that ends later than agreed, without an end, or of a contract not trusted', async () => {
      const { params } = issuedFor(order);
      await isNotSigned(params, { ...agreed, latest: micros(order.deadline - 1) });
      const { deadline: _, ...timeless } = agreed;
      await isNotSigned(params, timeless);
      await isNotSigned(params, { ...agreed, permit2Contracts: [addressOf(family, STRANGER)] });
    });
  }

  it('signs nothing of which any byte that he can judge was changed', async () => {
    const issued = issuedFor(order);
    const signer = keySigner(family, secretOf(USER));
    const unchanged = await signedOn(family);
    await fc.assert(
      fc.asyncProperty(...change, async (at, mask) => {
        const other = changedParams(issued, at, mask);
        const signed = await signApproval(other, issued.form, agreed, signer).catch(
          (error: unknown) => error,
        );
        if (signed instanceof Error) expect(signed).toMatchObject({ code: 'approval-refused' });
        // An address of a permit can be written in other letters: the same is signed then.
        else if (issued.form === 'permit2' && isDeepStrictEqual(signed, unchanged)) return;
        // What he cannot judge, such as the block that it names, the service finds.
        else
          expect(isRejection(verifyApproval(order, issued, signed as SignedApproval))).toBe(true);
      }),
      { numRuns: runs(150) },
    );
  });
});
