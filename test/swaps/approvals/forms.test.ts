import { describe, expect, it } from 'vitest';
import { signApproval } from '../../../src/swaps/approvals/check.ts';
import { verifyApproval } from '../../../src/swaps/approvals/verify.ts';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';
import { addressOf, agreedTo, issuedFor, orderOn, secretOf, STRANGER, USER } from './kit.ts';

const FORMS = [
  ['evm', 'permit2'],
  ['tron', 'permit2'],
  ['bitcoin', 'htlc'],
  ['bitcoin', 'psbt'],
  ['solana', 'cosign'],
] as const;

describe.each(FORMS)('an approval on %s called %s', (family, form) => {
  const order = orderOn(family);
  const issued = issuedFor(order);

  it('is signed by who has agreed to it, and taken', async () => {
    const signer = keySigner(family, secretOf(USER));
    const signed = await signApproval(issued.params, form, agreedTo(order), signer);
    expect(verifyApproval(order, issued, signed)).toMatchObject({ form: issued.form });
  });

  it('is not signed by a key of somebody else', async () => {
    const signer = keySigner(family, secretOf(STRANGER));
    const signing = signApproval(issued.params, form, agreedTo(order), signer);
    await expect(signing).rejects.toMatchObject({ code: 'approval-refused', field: 'from' });
  });

  it('is not signed where another form is named', async () => {
    const signer = keySigner(family, secretOf(USER));
    for (const other of ['permit2', 'htlc', 'cosign'].filter((name) => name !== issued.form)) {
      const signing = signApproval(issued.params, other, agreedTo(order), signer);
      await expect(signing).rejects.toMatchObject({ code: 'approval-refused' });
    }
    const signing = signApproval(issued.params, 'permit3', agreedTo(order), signer);
    await expect(signing).rejects.toMatchObject({
      code: 'approval-refused',
      field: 'approval_type',
    });
  });
});

it('is refused in another form than the intent asks for', () => {
  const [permit, cosign] = [orderOn('evm'), orderOn('solana')];
  const issued = issuedFor(cosign);
  const signed = { form: 'permit2', signature: `0x${'11'.repeat(65)}` } as const;
  expect(verifyApproval(cosign, issued, signed)).toMatchObject({ code: 'approval-form-invalid' });
  const other = { form: 'htlc', psbt: 'cHNidP8=' } as const;
  expect(verifyApproval(permit, issuedFor(permit), other)).toMatchObject({
    code: 'approval-form-invalid',
  });
});

it('is signed whatever the case of the letters of addresses that was agreed in', async () => {
  const order = orderOn('evm', {
    destination: { network: 1, token: SHOUTED, address: addressOf('evm', STRANGER), leastLots: 1n },
  });
  const { destination, from } = order;
  const small = {
    ...destination,
    token: SHOUTED.toLowerCase(),
    address: destination.address.toLowerCase(),
  };
  const agreed = agreedTo(order, { from: from.toLowerCase(), destination: small });
  const issued = issuedFor(order);
  const signed = await signApproval(
    issued.params,
    'permit2',
    agreed,
    keySigner('evm', secretOf(USER)),
  );
  expect(verifyApproval(order, issued, signed)).toEqual({ form: 'permit2' });
});

const SHOUTED = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
