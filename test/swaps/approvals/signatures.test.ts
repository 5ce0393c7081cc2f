import { secp256k1 } from '@noble/curves/secp256k1.js';
import { describe, expect, it } from 'vitest';
import { isRejection } from '../../../src/model/rejections.ts';
import { checkHtlc } from '../../../src/swaps/approvals/htlc/check.ts';
import { readPsbt, writePsbt } from '../../../src/swaps/approvals/htlc/psbt.ts';
import { signApproval } from '../../../src/swaps/approvals/check.ts';
import { verifyApproval } from '../../../src/swaps/approvals/verify.ts';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';
import { BTC, granted, isConserved, world } from '../chains/harness.ts';
import { agreedTo, issuedFor, orderOn, secretOf, USER } from './kit.ts';

const SIGHASHES = [
  ['ALL', 0x01],
  ['NONE', 0x02],
  ['SINGLE', 0x03],
  ['ALL of one input', 0x81],
  ['NONE of one input', 0x82],
  ['SINGLE of one input', 0x83],
] as const;

const order = orderOn('bitcoin');
const signer = keySigner('bitcoin', secretOf(USER));
const issued = issuedFor(order);
if (issued.form !== 'htlc') throw new Error(issued.form);
const { params } = issued;

type Fields = Map<string, string>;

/** A PSBT with each of its inputs altered. */
function altered(text: string, alter: (fields: Fields) => void): string {
  const psbt = readPsbt(text);
  if (psbt === undefined) throw new Error('It is no PSBT.');
  const inputs = psbt.inputs.map((map) => {
    const fields = new Map(map);
    alter(fields);
    return fields;
  });
  return writePsbt({ ...psbt, inputs });
}

const asking = (type: number): string =>
  altered(params.psbt, (fields) => fields.set('03', Buffer.of(type, 0, 0, 0).toString('hex')));

async function signedAs(psbt: string): Promise<string> {
  const signed = await signer.signPsbt?.(psbt, params.inputs);
  if (signed === undefined) throw new Error('It signs nothing.');
  return signed;
}

const taken = (psbt: string, signed: string): boolean =>
  !isRejection(verifyApproval(order, { form: 'htlc', params: { ...params, psbt } }, { form: 'htlc', psbt: signed })); // prettier-ignore

describe('a Taproot signature of 65 bytes', () => {
  it.each(SIGHASHES)('covers what its input asks for: %s', async (_, type) => {
    const signed = await signedAs(asking(type));
    const lengths = readPsbt(signed)?.inputs.map((map) => map.get('13')?.length);
    expect(new Set(lengths)).toEqual(new Set([130]));
    expect(taken(asking(type), signed)).toBe(true);
  });

  it.each(SIGHASHES)('may say %s where nothing is asked for, if that is all', async (_, type) => {
    const bare = altered(await signedAs(asking(type)), (fields) => fields.delete('03'));
    expect(taken(params.psbt, bare)).toBe(type === 0x01);
  });

  it.each([
    ['DEFAULT', 0x00],
    ['an unknown one', 0x04],
    ['ALL OF ONE INPUT of nothing', 0x80],
    ['an unknown one of one input', 0x84],
  ])('is refused with %s as its type, whatever it covers', async (_, type) => {
    const signed = altered(await signedAs(params.psbt), (fields) => {
      fields.set('13', `${fields.get('13') ?? ''}${Buffer.of(type).toString('hex')}`);
    });
    expect(taken(params.psbt, signed)).toBe(false);
  });

  it.each(SIGHASHES)('is made for an input that asks for %s, if that is all', (_, type) => {
    const check = (): unknown =>
      checkHtlc({ ...params, psbt: asking(type) }, agreedTo(order), order.publicKey);
    if (type === 0x01) expect(check()).toMatchObject({ inputs: params.inputs });
    else expect(check).toThrow(expect.objectContaining({ field: 'psbt.inputs.0' }));
  });
});

describe.each(['evm', 'tron'] as const)('a signature of a permit on %s', (family) => {
  const permit = orderOn(family);
  const handed = issuedFor(permit);

  it('is refused with an s of the upper half, and with another v', async () => {
    const owner = keySigner(family, secretOf(USER));
    const signed = await signApproval(handed.params, 'permit2', agreedTo(permit), owner);
    if (signed.form !== 'permit2') throw new Error(signed.form);
    const { signature } = signed;
    const [r, s, v] = [signature.slice(0, 66), signature.slice(66, 130), signature.slice(130)];
    const verdict = (one: string) => verifyApproval(permit, handed, { form: 'permit2', signature: one }); // prettier-ignore
    const high = (secp256k1.Point.Fn.ORDER - BigInt(`0x${s}`)).toString(16).padStart(64, '0');
    const other = v === '1b' ? '1c' : '1b';
    expect(verdict(signature)).toEqual({ form: 'permit2' });
    const twins = [`${r}${high}${other}`, `${r}${high}${v}`, `${r}${s}${other}`];
    const strange = ['02', '1a', '1d', '23', '25', '26', 'ff'].map((one) => `${r}${s}${one}`);
    for (const one of [...twins, ...strange]) {
      expect(verdict(one)).toMatchObject({ code: 'approval-invalid' });
    }
  });
});

describe('what an approval of Bitcoin comes to', () => {
  it('is a transaction that the chain takes: escrow has the amount, the miner his fee, the user the rest', async () => {
    const { chains } = world();
    const [anna, escrow, miner] = ['anna', 'escrow', 'miner'].map((name) =>
      chains.addressOf('bitcoin', name),
    ) as [string, string, string];
    for (const lots of [40_000n, 50_000n, 60_000n]) granted(chains.mint(BTC, anna, lots));
    const owner = keySigner('bitcoin', chains.keyOf('bitcoin', 'anna'));
    const outputs = chains.outputs(anna);
    for (const lots of [70_000n, 60_000n]) {
      const own = orderOn('bitcoin', {
        from: anna,
        escrow,
        lots,
        publicKey: owner.publicKey ?? '',
        outputs: lots === 70_000n ? outputs : chains.outputs(anna),
      });
      const [held, had, earned] = [chains.balance(BTC, anna), chains.balance(BTC, escrow), chains.balance(BTC, miner)]; // prettier-ignore
      const asked = issuedFor(own);
      const signed = await signApproval(asked.params, 'htlc', agreedTo(own), owner);
      const verified = verifyApproval(own, asked, signed);
      const transaction = isRejection(verified) ? undefined : verified.transaction;
      const made = granted(chains.spend('bitcoin', transaction ?? ''));
      expect(made.map(({ to, lots: paid }) => [to, paid])).toEqual([[escrow, lots]]);
      expect(chains.balance(BTC, escrow) - had).toBe(lots);
      const fee = chains.balance(BTC, miner) - earned;
      // At least one unit for each virtual byte, and not much more.
      expect(fee).toBeGreaterThan(100n);
      expect(fee).toBeLessThan(800n);
      expect(held - chains.balance(BTC, anna)).toBe(lots + fee);
      expect(isConserved(chains)).toBe(true);
    }
  });
});
