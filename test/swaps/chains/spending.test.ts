import { p2tr, p2wpkh, SigHash, Transaction } from '@scure/btc-signer';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { describe, expect, test } from 'vitest';
import type { ChainTransaction, Output } from '../../../src/swaps/chains/chain-world.ts';
import type { SimulatedChains } from '../../../src/swaps/chains/simulated-chains.ts';
import { BTC, granted, isConserved, rejectedWith, world } from './harness.ts';

const addressOf = (chains: SimulatedChains, owner: string): string =>
  chains.addressOf('bitcoin', owner);

interface Draft {
  readonly inputs: readonly Output[];
  readonly outputs: readonly (readonly [address: string, lots: bigint])[];
  /** Whose money it is, and who signs where that is another. */
  readonly owner?: string;
  readonly signer?: string;
  readonly covers?: SigHash;
  /** An output behind the others. */
  readonly reported?: { readonly script: Uint8Array; readonly amount: bigint };
}

function draft(chains: SimulatedChains, asked: Draft): Transaction {
  const { inputs, outputs, owner = 'anna', signer = owner, covers } = asked;
  const { script } = p2tr(schnorr.getPublicKey(chains.keyOf('bitcoin', owner)));
  const tapInternalKey = schnorr.getPublicKey(chains.keyOf('bitcoin', signer));
  const made = new Transaction({ allowUnknownOutputs: true });
  for (const { txid, index, lots } of inputs) {
    const spent = { script: signer === owner ? script : p2tr(tapInternalKey).script, amount: lots };
    const sighash = covers === undefined ? {} : { sighashType: covers };
    made.addInput({ txid, index, witnessUtxo: spent, tapInternalKey, ...sighash });
  }
  for (const [address, lots] of outputs) made.addOutputAddress(address, lots);
  if (asked.reported !== undefined) made.addOutput(asked.reported);
  made.sign(chains.keyOf('bitcoin', signer), covers === undefined ? undefined : [covers]);
  made.finalize();
  return made;
}

const raw = (chains: SimulatedChains, asked: Draft): string => draft(chains, asked).hex;

/** Anna has outputs of 100, 200 and 400. */
function open() {
  const { chains } = world();
  for (const lots of [100n, 200n, 400n]) granted(chains.mint(BTC, addressOf(chains, 'anna'), lots));
  const outputs = chains.outputs(addressOf(chains, 'anna'));
  return { chains, outputs, bert: addressOf(chains, 'bert'), anna: addressOf(chains, 'anna') };
}

const shape = ({ to, lots, index }: ChainTransaction): unknown => [to, lots, index];

describe('a signed transaction of Bitcoin', () => {
  test('spends its inputs, pays its outputs and leaves the rest to the miner', () => {
    const { chains, outputs, anna, bert } = open();
    const carl = addressOf(chains, 'carl');
    const reported: ChainTransaction[] = [];
    chains.follow((each) => reported.push(each));
    const inputs = outputs.slice(0, 2);
    const pays = [
      [bert, 150n],
      [anna, 60n],
      [carl, 80n],
    ] as const;
    const transaction = draft(chains, { inputs, outputs: pays });
    const made = granted(chains.spend('bitcoin', transaction.hex));
    expect(made.map(shape)).toEqual([
      [bert, 150n, 0],
      [carl, 80n, 2],
    ]);
    expect(new Set(made.map(({ hash }) => hash))).toEqual(new Set([transaction.id]));
    expect(chains.transaction('bitcoin', transaction.id)).toEqual(made[0]);
    expect(chains.outputs(anna).map(({ lots }) => lots)).toEqual([400n, 60n]);
    expect(chains.outputs(bert)).toEqual([{ txid: transaction.id, index: 0, lots: 150n }]);
    const miner = addressOf(chains, 'miner');
    expect(chains.balance(BTC, miner)).toBe(10n);
    expect(reported.map(({ to }) => to)).toEqual([bert, carl, miner]);
    expect(isConserved(chains)).toBe(true);
  });

  test('that pays oneself alone is told as it is', () => {
    const { chains, outputs, anna } = open();
    const signed = raw(chains, { inputs: outputs, outputs: [[anna, 700n]] });
    expect(granted(chains.spend('bitcoin', signed)).map(shape)).toEqual([[anna, 700n, 0]]);
    expect(chains.balance(BTC, addressOf(chains, 'miner'))).toBe(0n);
  });

  test('may say something by an output that nobody can spend, which holds nothing', () => {
    const { chains, outputs, bert } = open();
    const saying = (lots: bigint, pays: Draft['outputs']) => {
      const reported = { script: Uint8Array.of(0x6a, 2, 7, 7), amount: lots };
      return raw(chains, { inputs: outputs.slice(0, 1), outputs: pays, reported });
    };
    expect(rejectedWith(chains.spend('bitcoin', saying(1n, [[bert, 90n]])))).toBe(
      'address-invalid',
    );
    expect(rejectedWith(chains.spend('bitcoin', saying(0n, [])))).toBe('transfer-invalid');
    const made = granted(chains.spend('bitcoin', saying(0n, [[bert, 90n]])));
    expect(made.map(shape)).toEqual([[bert, 90n, 0]]);
    expect(chains.outputs(bert)).toHaveLength(1);
    expect(chains.balance(BTC, addressOf(chains, 'miner'))).toBe(10n);
    expect(isConserved(chains)).toBe(true);
  });

  test('that is sent again gives the same and moves nothing', () => {
    const { chains, outputs, bert } = open();
    const signed = raw(chains, { inputs: outputs.slice(2), outputs: [[bert, 390n]] });
    const first = granted(chains.spend('bitcoin', signed));
    expect(granted(chains.spend('bitcoin', signed))).toEqual(first);
    expect(chains.balance(BTC, bert)).toBe(390n);
  });

  test.each([SigHash.ALL, SigHash.ALL_ANYONECANPAY, SigHash.SINGLE, SigHash.NONE])(
    'may say what its signatures cover: %i',
    (covers) => {
      const { chains, outputs, bert } = open();
      const asked = { inputs: outputs.slice(0, 1), outputs: [[bert, 99n]], covers } as const;
      granted(chains.spend('bitcoin', raw(chains, asked)));
      expect(chains.balance(BTC, bert)).toBe(99n);
    },
  );

  test('is refused with outputs that are unknown, spent or named twice', () => {
    const { chains, outputs, bert } = open();
    const [first] = outputs;
    if (first === undefined) throw new Error('there are outputs');
    const pay = [[bert, 50n]] as const;
    const unknown = { ...first, index: 1 };
    granted(chains.spend('bitcoin', raw(chains, { inputs: [first], outputs: pay })));
    const again = raw(chains, { inputs: [first], outputs: [[bert, 51n]] });
    for (const signed of [again, raw(chains, { inputs: [unknown], outputs: pay })]) {
      expect(rejectedWith(chains.spend('bitcoin', signed))).toBe('transfer-invalid');
    }
    expect(chains.balance(BTC, bert)).toBe(50n);
    // No library makes one with an input that is there twice, so its bytes are doubled by hand.
    const [, second] = outputs;
    if (second === undefined) throw new Error('there are outputs');
    const once = raw(chains, { inputs: [second], outputs: pay });
    const input = once.slice(14, 14 + 82);
    const witness = once.slice(-8 - 132, -8);
    const twice = `${once.slice(0, 12)}02${input}${once
      .slice(12 + 2)
      .replace(input, input)
      .slice(0, -8)}${witness}${once.slice(-8)}`;
    const rejected = chains.spend('bitcoin', twice);
    expect(rejected).toMatchObject({
      code: 'transfer-invalid',
      message: 'Input 1 is there twice.',
    });
    expect(isConserved(chains)).toBe(true);
  });

  test('is refused when it pays more than it has', () => {
    const { chains, outputs, anna, bert } = open();
    const made = draft(chains, { inputs: outputs.slice(0, 1), outputs: [[bert, 100n]] });
    const richer = made.hex.replace('6400000000000000', '6500000000000000');
    expect(richer).not.toBe(made.hex);
    expect(rejectedWith(chains.spend('bitcoin', richer))).toBe('funds-insufficient');
    expect(chains.balance(BTC, anna)).toBe(700n);
  });

  test('is refused when an output was changed, or another key signed', () => {
    const { chains, outputs, anna, bert } = open();
    const inputs = outputs.slice(0, 1);
    const made = draft(chains, { inputs, outputs: [[bert, 99n]] });
    const poorer = made.hex.replace('6300000000000000', '6200000000000000');
    const byBert = raw(chains, { inputs, outputs: [[bert, 99n]], signer: 'bert' });
    const unsigned = Transaction.fromRaw(Buffer.from(made.hex, 'hex'));
    for (const signed of [poorer, byBert, Buffer.from(unsigned.unsignedTx).toString('hex')]) {
      expect(rejectedWith(chains.spend('bitcoin', signed))).toBe('transfer-invalid');
    }
    expect(chains.balance(BTC, anna)).toBe(700n);
    expect(chains.transaction('bitcoin', made.id)).toBeUndefined();
  });

  test('is refused when it spends from an address that no Taproot key signs for', () => {
    const { chains, bert } = open();
    const key = chains.keyOf('bitcoin', 'dora');
    const old = p2wpkh(secp256k1.getPublicKey(key));
    granted(chains.mint(BTC, old.address ?? '', 100n));
    const [output] = chains.outputs(old.address ?? '');
    if (output === undefined) throw new Error('there is an output');
    const made = new Transaction();
    const { txid, index, lots } = output;
    made.addInput({ txid, index, witnessUtxo: { script: old.script, amount: lots } });
    made.addOutputAddress(bert, 90n);
    made.sign(key);
    made.finalize();
    expect(rejectedWith(chains.spend('bitcoin', made.hex))).toBe('transfer-invalid');
  });

  test('is refused when there is more beside a signature, such as an annex', () => {
    const { chains, outputs, bert } = open();
    const signed = raw(chains, { inputs: outputs.slice(0, 1), outputs: [[bert, 90n]] });
    const [count, signature] = [signed.slice(-140, -138), signed.slice(-138, -8)];
    expect(count).toBe('01');
    const annexed = `${signed.slice(0, -140)}02${signature}0150${signed.slice(-8)}`;
    expect(rejectedWith(chains.spend('bitcoin', annexed))).toBe('transfer-invalid');
    granted(chains.spend('bitcoin', signed));
  });

  test('is refused when it pays to no address, or nothing', () => {
    const { chains, outputs, bert } = open();
    const old = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
    const inputs = outputs.slice(0, 1);
    const pay = (to: string, lots: bigint) => raw(chains, { inputs, outputs: [[to, lots]] });
    expect(rejectedWith(chains.spend('bitcoin', pay(old, 50n)))).toBe('address-invalid');
    expect(rejectedWith(chains.spend('bitcoin', pay(bert, 0n)))).toBe('amount-invalid');
  });

  test.each(['', '00', 'zz'.repeat(60), '00'.repeat(60), 'f'.repeat(500_000)])(
    'is refused when it cannot be read',
    (text) => {
      const { chains } = open();
      expect(rejectedWith(chains.spend('bitcoin', text))).toBe('transfer-invalid');
    },
  );

  test('is sent on networks of Bitcoin alone', () => {
    const { chains, outputs, bert } = open();
    const signed = raw(chains, { inputs: outputs.slice(0, 1), outputs: [[bert, 9n]] });
    expect(rejectedWith(chains.spend('ethereum', signed))).toBe('token-unknown');
    expect(rejectedWith(chains.spend('nowhere', signed))).toBe('token-unknown');
  });
});
