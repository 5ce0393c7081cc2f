import { p2tr, Transaction } from '@scure/btc-signer';
import { schnorr } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRejection } from '../../../src/model/rejections.ts';
import type { SimulatedChains } from '../../../src/swaps/chains/simulated-chains.ts';
import { signedTransfer } from './keys.ts';
import { BTC, isConserved, TOKENS, world } from './harness.ts';

const OWNERS = ['anna', 'bert', 'carl'] as const;

/** Balances as anybody would write them down, by token and owner. */
class NaiveLedger {
  readonly #lots = new Map<string, bigint>();

  balance(token: number, owner: string): bigint {
    return this.#lots.get(`${token} ${owner}`) ?? 0n;
  }

  add(token: number, owner: string, lots: bigint): void {
    this.#lots.set(`${token} ${owner}`, this.balance(token, owner) + lots);
  }

  /** Moves what is there; false where it is not. */
  move(token: number, from: string, to: string, lots: bigint): boolean {
    if (lots <= 0n || this.balance(token, from) < lots) return false;
    this.add(token, from, -lots);
    this.add(token, to, lots);
    return true;
  }
}

const token = fc.constantFrom(...TOKENS.map(({ id }) => id));
const owner = fc.constantFrom(...OWNERS);
const lots = fc.bigInt({ min: -1n, max: 60n });

const operation = fc.oneof(
  fc.record({ kind: fc.constant('mint' as const), token, owner, lots }),
  fc.record({ kind: fc.constant('move' as const), token, from: owner, to: owner, lots }),
  fc.record({
    kind: fc.constant('signed' as const),
    token,
    from: owner,
    to: owner,
    lots,
    nonce: fc.constantFrom('1', '2'),
  }),
  fc.record({ kind: fc.constant('spend' as const), from: owner, to: owner, lots, fee: lots }),
);

type Operation = typeof operation extends fc.Arbitrary<infer Each> ? Each : never;

/** Spends all outputs of an owner: a payment, change where something is over, and a fee. */
function spendAll(
  chains: SimulatedChains,
  { from, to, lots, fee }: Extract<Operation, { kind: 'spend' }>,
): string | undefined {
  const held = chains.outputs(chains.addressOf('bitcoin', from));
  const change = held.reduce((sum, output) => sum + output.lots, 0n) - lots - fee;
  if (held.length === 0 || lots <= 0n || fee < 0n || change < 0n) return undefined;
  const key = chains.keyOf('bitcoin', from);
  const tapInternalKey = schnorr.getPublicKey(key);
  const { script } = p2tr(tapInternalKey);
  const made = new Transaction();
  for (const { txid, index, lots: amount } of held) {
    made.addInput({ txid, index, witnessUtxo: { script, amount }, tapInternalKey });
  }
  made.addOutputAddress(chains.addressOf('bitcoin', to), lots);
  if (change > 0n) made.addOutputAddress(chains.addressOf('bitcoin', from), change);
  made.sign(key);
  made.finalize();
  return made.hex;
}

test('whatever is done, balances are those of a naive ledger and what was minted is held', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
      const { chains } = world();
      const naive = new NaiveLedger();
      const signedBefore = new Map<string, string>();
      const networkOf = (id: number): string =>
        TOKENS.find((each) => each.id === id)?.network ?? '';
      const address = (id: number, name: string): string => chains.addressOf(networkOf(id), name);
      for (const each of operations) {
        let isDone: boolean;
        let outcome: unknown;
        switch (each.kind) {
          case 'mint':
            outcome = chains.mint(each.token, address(each.token, each.owner), each.lots);
            isDone = each.lots > 0n;
            if (isDone) naive.add(each.token, each.owner, each.lots);
            break;
          case 'move': {
            const [from, to] = [address(each.token, each.from), address(each.token, each.to)];
            outcome = chains.transfer({ token: each.token, from, to, lots: each.lots });
            isDone = naive.move(each.token, each.from, each.to, each.lots);
            break;
          }
          case 'signed': {
            const { token: id, lots: amount, nonce } = each;
            const [from, to] = [address(id, each.from), address(id, each.to)];
            const transfer = { network: networkOf(id), token: id, from, to, lots: amount, nonce };
            outcome = chains.send(signedTransfer(chains, each.from, transfer));
            const name = `${networkOf(id)} ${from} ${nonce}`;
            const words = `${id} ${to} ${amount}`;
            const before = signedBefore.get(name);
            isDone =
              before === undefined ? naive.move(id, each.from, each.to, amount) : before === words;
            if (isDone) signedBefore.set(name, words);
            break;
          }
          case 'spend': {
            const raw = spendAll(chains, each);
            if (raw === undefined) continue;
            outcome = chains.spend('bitcoin', raw);
            isDone = naive.move(BTC, each.from, each.to, each.lots);
            if (each.fee > 0n) naive.move(BTC, each.from, 'miner', each.fee);
          }
        }
        expect(isRejection(outcome)).toBe(!isDone);
        expect(isConserved(chains)).toBe(true);
        for (const { id, network } of TOKENS) {
          for (const name of [...OWNERS, ...(network === 'bitcoin' ? ['miner'] : [])]) {
            expect(chains.balance(id, address(id, name))).toBe(naive.balance(id, name));
          }
        }
      }
    }),
    { numRuns: 60 },
  );
});
