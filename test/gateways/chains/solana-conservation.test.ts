import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SolanaNode } from '../../../src/gateways/chains/solana/solana-node.ts';
import { isRejection } from '../../../src/model/rejections.ts';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';
import { runs, seed } from '../../kit/size.ts';
import { granted } from '../../swaps/chains/harness.ts';
import { COIN, NETWORK, optionsOf, USD } from './contract/solana-node-of.ts';
import { freshFolder } from './contract/suite.ts';
import { FINAL_DEPTH, SolanaLedger, tokenIn } from './solana-ledger.ts';
import { openSolana } from './solana-server.ts';

const SIGNERS = [1, 2, 3].map((digit) => keySigner('solana', `${digit}${digit}`.repeat(32)));
const FEE = 5_000n;
const RENT = 890_880n;
/** What an account of a token keeps. */
const ACCOUNT = 2_039_280n;

/** What wallets hold, reckoned by hand: nothing of it is read from the chain. */
class Naive {
  readonly coins = [10_000_000n, 3_000_000n, 0n];
  readonly tokens = [1_000n, 0n, 0n];
  readonly accounts = [true, false, false];
  fees = 0n;

  /** Makes a transfer, or says that it cannot be made. */
  pay(from: number, to: number, isCoin: boolean, lots: bigint): boolean {
    const isNew = !isCoin && !(this.accounts[to] ?? false);
    const cost = FEE + (isNew ? ACCOUNT : 0n);
    const left = (this.coins[from] ?? 0n) - cost - (isCoin ? lots : 0n);
    if (left < 0n || (left > 0n && left < RENT)) return false;
    if (isCoin && (this.coins[to] ?? 0n) + lots < RENT) return false;
    if (!isCoin && (this.tokens[from] ?? 0n) < lots) return false;
    this.coins[from] = left;
    if (isCoin) this.coins[to] = (this.coins[to] ?? 0n) + lots;
    else {
      this.tokens[from] = (this.tokens[from] ?? 0n) - lots;
      this.tokens[to] = (this.tokens[to] ?? 0n) + lots;
      this.accounts[to] = true;
    }
    this.fees += FEE;
    return true;
  }
}

const transfers = fc.array(
  fc.record({
    from: fc.nat(2),
    by: fc.integer({ min: 1, max: 2 }),
    isCoin: fc.boolean(),
    lots: fc.oneof(
      fc.bigInt({ min: 1n, max: 1_200n }),
      fc.bigInt({ min: 800_000n, max: 4_000_000n }),
    ),
  }),
  { minLength: 1, maxLength: 8 },
);

test('transfers of lamports and tokens among wallets are made or refused as a ledger by hand says, with each fee and each rent', async () => {
  await fc.assert(
    fc.asyncProperty(transfers, async (all) => {
      const ledger = new SolanaLedger();
      const mint = ledger.mint('usd', 6);
      const naive = new Naive();
      const addresses = SIGNERS.map(({ address }) => address);
      naive.coins.forEach((lots, at) => lots > 0n && ledger.give(addresses[at] ?? '', lots));
      ledger.hold(addresses[0] ?? '', mint, 1_000n);
      const view = await openSolana(ledger);
      const node = new SolanaNode(optionsOf(view.proxy.url, freshFolder(), { genesis: ledger.genesis, mint })); // prettier-ignore
      try {
        for (const [at, { from, by, isCoin, lots }] of all.entries()) {
          const to = (from + by) % 3;
          const order = { network: NETWORK.code, token: isCoin ? COIN : USD, from: addresses[from] ?? '', to: addresses[to] ?? '', lots, nonce: `order-${at}` }; // prettier-ignore
          const made = await node.prepare(order, async (text) => (await SIGNERS[from]?.signTransfer?.(text)) ?? ''); // prettier-ignore
          expect(!isRejection(made), JSON.stringify(made, (_, one: unknown) => (typeof one === 'bigint' ? `${one}` : one))).toBe(naive.pay(from, to, isCoin, lots)); // prettier-ignore
          if (isRejection(made)) continue;
          granted(await node.send(NETWORK.code, made.raw));
          ledger.mine(FINAL_DEPTH + 2);
          expect(await node.outcome(NETWORK.code, [made])).toMatchObject({ kind: 'made', isFinal: true, transaction: { lots } }); // prettier-ignore
          const held = async (token: number) => Promise.all(addresses.map(async (one) => node.balance(token, one))); // prettier-ignore
          expect(await held(COIN)).toEqual(naive.coins);
          expect(await held(USD)).toEqual(naive.tokens);
        }
        const accounts = [...ledger.head.accounts.values()];
        const rents = accounts.filter((one) => tokenIn(one) !== undefined).map(({ lamports }) => lamports); // prettier-ignore
        // One account of the token was there before.
        const sum = [...naive.coins, ...rents, naive.fees].reduce((total, one) => total + one, -ACCOUNT); // prettier-ignore
        expect(sum).toBe(13_000_000n);
      } finally {
        await node.close();
        await view.close();
      }
    }),
    { numRuns: runs(50), seed: seed(27) },
  );
}, 300_000);
