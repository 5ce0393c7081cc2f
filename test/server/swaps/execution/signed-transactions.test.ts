import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { schnorr } from '@noble/curves/secp256k1.js';
import { Transaction } from '@scure/btc-signer';
import { taprootTweakPrivKey } from '@scure/btc-signer/utils.js';
import { describe, expect, test } from 'vitest';
import {
  BTC,
  openSwapVenue,
  sharedSwapVenue,
  SOL,
  USDC_ETHEREUM,
  USDC_TRON,
  type SwapAnswer,
} from '../kit.ts';
import { signCosign, signPsbt, type User } from '../users.ts';

type Members = Readonly<Record<string, unknown>>;

const venue = sharedSwapVenue();

const sent = (created: Members, json: unknown): Promise<SwapAnswer> =>
  venue().call('POST', `/v1/intents/${String(created['id'])}/approvals`, { json });

const rejected = (message: RegExp) => ({
  status: 422,
  body: {
    code: 422,
    type: 'unprocessable',
    message: expect.stringMatching(message) as string,
  },
});

/** Sends an approval, and looks whether anything was changed by it. */
async function traceless(created: Members, json: unknown, why: object): Promise<void> {
  const before = venue().state();
  expect(await sent(created, json)).toMatchObject(why);
  expect(venue().state()).toBe(before);
}

const psbtOf = (text: string): Transaction =>
  Transaction.fromPSBT(Buffer.from(text, 'base64'), { allowUnknownOutputs: true });
const base64Of = (transaction: Transaction): string =>
  Buffer.from(transaction.toPSBT()).toString('base64');

interface AskedPsbt {
  readonly psbt: string;
  readonly inputs: number[];
  readonly memo: string;
}

const asked = (created: Members): AskedPsbt => created['params_to_sign'] as AskedPsbt;

const psbt = (signed_data: unknown, approval_type = 'psbt'): Members => ({
  approval_type,
  signed_data,
});

describe('a transaction of Bitcoin', () => {
  const bitcoin = (): User => venue().user('bitcoin');
  const create = () => venue().createIntent(BTC, USDC_TRON, 0.5);

  test(
    'comes as Base64, with the indexes of the inputs to sign',
    { tags: ['server:swap-execution.approvals.htlc-params'] },
    async () => {
      const { psbt: text, inputs } = asked(await create());
      expect(Buffer.from(text, 'base64').subarray(0, 5)).toEqual(
        Buffer.from('psbt\u00ff', 'latin1'),
      );
      const transaction = psbtOf(text);
      expect(inputs).toEqual(Array.from({ length: transaction.inputsLength }, (_, at) => at));
      expect(transaction.getOutput(0).amount).toBe(50_000_000n);
    },
  );

  test.each(['psbt', 'htlc'])(
    'goes back as Base64 with its signatures, as %s',
    {
      tags: [
        'server:swap-execution.approvals.type-values',
        'server:swap-execution.approvals.htlc-signed-data',
      ],
    },
    async (type) => {
      const created = await create();
      const { psbt: text, inputs } = asked(created);
      expect(await sent(created, psbt(signPsbt(bitcoin(), text, inputs), type))).toMatchObject({
        status: 200,
      });
      expect(await venue().status(created)).toMatchObject({ status: 'Approved' });
    },
  );

  test(
    'without a signature, or with one of somebody else, is refused',
    { tags: ['server:swap-execution.approvals.htlc-server-verify'] },
    async () => {
      const created = await create();
      const { psbt: text, inputs } = asked(created);
      await traceless(created, psbt(text), rejected(/is not signed/));
      await traceless(created, psbt('AAAA'), rejected(/no partially signed transaction/));
      const signed = psbtOf(signPsbt(bitcoin(), text, inputs));
      const { tapKeySig = new Uint8Array(64) } = signed.getInput(0);
      const forged = psbtOf(text);
      forged.updateInput(0, {
        tapKeySig: tapKeySig.map((byte, at) => (at === 40 ? byte ^ 1 : byte)),
      });
      await traceless(created, psbt(base64Of(forged)), rejected(/signature of input 0 is wrong/));
      const other = asked(await venue().createIntent(BTC, USDC_TRON, 0.25));
      const { tapKeySig: elsewhere = new Uint8Array(64) } = psbtOf(
        signPsbt(bitcoin(), other.psbt, other.inputs),
      ).getInput(0);
      const moved = psbtOf(text);
      moved.updateInput(0, { tapKeySig: elsewhere });
      await traceless(created, psbt(base64Of(moved)), rejected(/signature of input 0 is wrong/));
    },
  );

  test(
    'signed for one intent is refused for another, of the same inputs and amount to elsewhere',
    { tags: ['server:swap-execution.approvals.htlc-server-unchanged'] },
    async () => {
      const [created, other] = [
        await create(),
        await venue().createIntent(BTC, USDC_ETHEREUM, 0.5),
      ];
      const [own, theirs] = [asked(created), asked(other)];
      const paid = ({ psbt: text }: AskedPsbt) => {
        const read = psbtOf(text);
        const { txid, index } = read.getInput(0);
        return [read.inputsLength, txid, index, read.getOutput(0), read.getOutput(1)];
      };
      expect(paid(own)).toEqual(paid(theirs));
      for (const { psbt: text, memo } of [own, theirs]) {
        const { script = new Uint8Array(), amount } = psbtOf(text).getOutput(2);
        const hash = createHash('sha256').update(memo).digest('hex');
        expect([Buffer.from(script).toString('hex'), amount]).toEqual([`6a20${hash}`, 0n]);
      }
      expect(JSON.parse(own.memo)).toMatchObject({
        intent: created['id'],
        network_id: 2,
        address: venue().user('tron', 'receiver').address,
      });
      const signed = psbt(signPsbt(bitcoin(), own.psbt, own.inputs));
      await traceless(other, signed, rejected(/differs from what was handed out/));
      expect(await sent(created, signed)).toMatchObject({ status: 200 });
    },
  );

  test(
    'with an altered output is refused, though it is signed',
    { tags: ['server:swap-execution.approvals.htlc-server-unchanged'] },
    async () => {
      const created = await create();
      const { psbt: text, inputs } = asked(created);
      for (const alter of [
        (transaction: Transaction) => {
          transaction.updateOutput(0, { amount: 49_999_999n });
        },
        (transaction: Transaction) => {
          transaction.updateOutput(1, { amount: 1_000n });
        },
        (transaction: Transaction) => {
          transaction.updateOutput(0, {
            script: transaction.getOutput(1).script ?? new Uint8Array(),
          });
        },
        (transaction: Transaction) => {
          transaction.updateInput(0, { sequence: 1 });
        },
      ]) {
        const transaction = psbtOf(text);
        alter(transaction);
        const signed = psbt(signPsbt(bitcoin(), base64Of(transaction), inputs));
        await traceless(created, signed, rejected(/differs from what was handed out/));
      }
    },
  );

  test(
    'is signed by the key, with 64 bytes or with 65 that say what they cover',
    {
      tags: [
        'server:swap-execution.approvals.htlc-key-or-script-path',
        'server:swap-execution.approvals.htlc-signature-length',
      ],
    },
    async () => {
      const { privateKey } = bitcoin();
      const tweaked = taprootTweakPrivKey(privateKey, new Uint8Array());
      const signedBy = (text: string, covers: number, length: number): string => {
        const transaction = psbtOf(text);
        const { witnessUtxo } = transaction.getInput(0);
        if (witnessUtxo === undefined) throw new Error('the input has an output to spend');
        const { script, amount } = witnessUtxo;
        const message = transaction.preimageWitnessV1(0, [script], covers, [amount]);
        const signature = schnorr.sign(message, tweaked, new Uint8Array(32));
        const bytes = Uint8Array.from([...signature, covers, covers]).subarray(0, length);
        return replaced(transaction, bytes);
      };
      for (const [covers, length] of [
        [0, 64],
        [1, 65],
      ] as const) {
        const created = await create();
        const { psbt: text, inputs } = asked(created);
        expect(inputs).toEqual([0]);
        await traceless(created, psbt(signedBy(text, 0, 65)), { status: 422 });
        await traceless(created, psbt(signedBy(text, covers, 63)), { status: 422 });
        await traceless(created, psbt(signedBy(text, covers, 66)), { status: 422 });
        expect(await sent(created, psbt(signedBy(text, covers, length)))).toMatchObject({
          status: 200,
        });
      }
    },
  );
});

/** A PSBT with a key-path signature of any length, which the library would not write. */
function replaced(transaction: Transaction, signature: Uint8Array): string {
  const marked = Transaction.fromPSBT(transaction.toPSBT(), { allowUnknownOutputs: true });
  marked.updateInput(0, { tapKeySig: new Uint8Array(64).fill(0xab) });
  const text = Buffer.from(marked.toPSBT()).toString('hex');
  const field = `011340${'ab'.repeat(64)}`;
  if (!text.includes(field)) throw new Error('the mark is there');
  const bytes = Buffer.from(signature).toString('hex');
  const length = signature.length.toString(16).padStart(2, '0');
  return Buffer.from(text.replace(field, `0113${length}${bytes}`), 'hex').toString('base64');
}

describe('a transaction of Solana', () => {
  const solana = (): User => venue().user('solana');
  const create = () => venue().createIntent(SOL, USDC_ETHEREUM, 20);
  const SLOT = 64;
  const at = (slot: number): number => 1 + SLOT * slot;

  const cosign = (transaction: string, user_address = solana().address): Members => ({
    approval_type: 'cosign',
    signed_data: { transaction, user_address },
  });

  const transactionOf = (created: Members): string =>
    (created['params_to_sign'] as { transaction: string }).transaction;

  test(
    'comes in hexadecimal, of version 0, signed by the resolver in slot 0 and open for the user in slot 1',
    {
      tags: [
        'server:swap-execution.approvals.cosign-params',
        'server:swap-execution.approvals.cosign-version-byte',
        'server:swap-execution.approvals.cosign-slots',
      ],
    },
    async () => {
      const bytes = Buffer.from(transactionOf(await create()), 'hex');
      const slots = bytes[0] ?? 0;
      const message = bytes.subarray(at(slots));
      expect(message[0]).toBe(0x80);
      expect(message[1]).toBe(slots);
      const keyOf = (slot: number) => message.subarray(5 + 32 * slot, 37 + 32 * slot);
      expect(ed25519.verify(bytes.subarray(at(0), at(1)), message, keyOf(0))).toBe(true);
      expect(bytes.subarray(at(1), at(2)).every((byte) => byte === 0)).toBe(true);
      expect(keyOf(1).toString('hex')).toBe(solana().publicKey);
    },
  );

  test(
    'goes back in hexadecimal with the address of the user',
    { tags: ['server:swap-execution.approvals.cosign-signed-data'] },
    async () => {
      const created = await create();
      const signed = signCosign(solana(), transactionOf(created));
      expect(await sent(created, cosign(signed))).toMatchObject({ status: 200 });
      expect(await venue().status(created)).toMatchObject({ status: 'Approved' });
    },
  );

  test(
    'goes back as the Base64 of that too',
    { tags: ['server:swap-execution.approvals.cosign-base64-form'] },
    async () => {
      const created = await create();
      const { signed_data } = cosign(signCosign(solana(), transactionOf(created)));
      const text = Buffer.from(JSON.stringify(signed_data)).toString('base64');
      const json = { approval_type: 'cosign', signed_data: text };
      expect(await sent(created, json)).toMatchObject({ status: 200 });
    },
  );

  test(
    'without a signature, or with one of somebody else or over something else, is refused',
    { tags: ['server:swap-execution.approvals.cosign-server-verify'] },
    async () => {
      const created = await create();
      const text = transactionOf(created);
      await traceless(created, cosign(text), { status: 422 });
      const stranger = venue().user('solana', 'stranger');
      await traceless(created, cosign(signCosign(stranger, text)), { status: 422 });
      const other = transactionOf(await create());
      const elsewhere = Buffer.from(signCosign(solana(), other), 'hex').subarray(at(1), at(2));
      const bytes = Buffer.from(text, 'hex');
      bytes.set(elsewhere, at(1));
      await traceless(created, cosign(bytes.toString('hex')), { status: 422 });
      await traceless(created, cosign('zz'), { status: 422 });
    },
  );

  test(
    'with a signature in another slot, or another message, is refused',
    {
      tags: [
        'server:swap-execution.approvals.cosign-server-unchanged',
        'server:swap-execution.approvals.cosign-slots',
      ],
    },
    async () => {
      const created = await create();
      const text = transactionOf(created);
      await traceless(created, cosign(signCosign(solana(), text, 0)), { status: 422 });
      const signed = Buffer.from(signCosign(solana(), text), 'hex');
      const swapped = Buffer.from(signed);
      swapped.set(signed.subarray(at(0), at(1)), at(1));
      swapped.set(signed.subarray(at(1), at(2)), at(0));
      await traceless(created, cosign(swapped.toString('hex')), { status: 422 });
      const emptied = Buffer.from(signed).fill(0, at(0), at(1));
      await traceless(created, cosign(emptied.toString('hex')), { status: 422 });
      const altered = Buffer.from(text, 'hex');
      const last = altered.length - 3;
      altered.set([(altered[last] ?? 0) ^ 1], last);
      const resigned = signCosign(solana(), altered.toString('hex'));
      await traceless(created, cosign(resigned), { status: 422 });
      expect(await sent(created, cosign(signed.toString('hex')))).toMatchObject({ status: 200 });
    },
  );

  test(
    'of another version is refused',
    { tags: ['server:swap-execution.approvals.cosign-version-byte'] },
    async () => {
      const created = await create();
      const bytes = Buffer.from(transactionOf(created), 'hex');
      const slots = bytes[0] ?? 0;
      for (const version of [0x81, 0x00]) {
        bytes.set([version], at(slots));
        const signed = signCosign(solana(), bytes.toString('hex'));
        await traceless(created, cosign(signed), { status: 422 });
      }
    },
  );

  test(
    'with the address of somebody else is refused',
    { tags: ['server:swap-execution.approvals.cosign-user-address'] },
    async () => {
      const created = await create();
      const signed = signCosign(solana(), transactionOf(created));
      const { address } = venue().user('solana', 'stranger');
      await traceless(created, cosign(signed, address), { status: 422 });
    },
  );
});

test(
  'money that a user of Bitcoin does not have is refused at once',
  { tags: ['server:swap-execution.error.unprocessable-422'] },
  async () => {
    const own = await openSwapVenue();
    const json = own.swapBody(BTC, USDC_TRON, '16.66666666');
    const before = own.state();
    expect(await own.call('POST', '/v1/intents', { json })).toMatchObject(
      rejected(/do not cover the amount/),
    );
    expect(own.state()).toBe(before);
  },
);
