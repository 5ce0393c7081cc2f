import { z } from 'zod';
import type { ChainTransaction } from '../../../swaps/chains/chain-world.ts';
import type { TokenTerms } from '../../../swaps/tokens.ts';
import { slot, units } from './providers.ts';

const tokenBalance = z.object({
  accountIndex: slot,
  mint: z.string(),
  owner: z.string(),
  uiTokenAmount: z.object({ amount: units }),
});

/** The used members of a transaction from `getTransaction`. */
export const transactionForm = z.object({
  slot,
  blockTime: z.optional(z.int().nullable()),
  meta: z.object({
    err: z.unknown().transform((err) => err ?? null),
    fee: units,
    preBalances: z.array(units),
    postBalances: z.array(units),
    preTokenBalances: z.array(tokenBalance),
    postTokenBalances: z.array(tokenBalance),
  }),
  transaction: z.object({ message: z.object({ accountKeys: z.array(z.string()).min(1) }) }),
});

export type MetaTransaction = z.output<typeof transactionForm>;

type Moved = Pick<ChainTransaction, 'token' | 'from' | 'to' | 'lots'>;

/**
 * The amount that a transaction moved, by the balances before and after it: for a token with a fee the
 * amount that arrived. A token comes before SOL, which also pays for accounts.
 */
export function movedBy(
  found: MetaTransaction,
  tokens: readonly TokenTerms[],
  coin: number,
): Moved | undefined {
  const { preTokenBalances, postTokenBalances, preBalances, postBalances } = found.meta;
  for (const { id, contract } of tokens) {
    if (id === coin) continue;
    const changes = new Map<string, bigint>();
    const add = (rows: typeof preTokenBalances, sign: bigint): void => {
      for (const { mint, owner, uiTokenAmount } of rows) {
        if (mint !== contract) continue;
        changes.set(owner, (changes.get(owner) ?? 0n) + sign * uiTokenAmount.amount);
      }
    };
    add(preTokenBalances, -1n);
    add(postTokenBalances, 1n);
    const moved = between([...changes]);
    if (moved !== undefined) return { token: id, ...moved };
  }
  const keys = found.transaction.message.accountKeys;
  const changes = keys.map((key, at): [string, bigint] => [
    key,
    (postBalances[at] ?? 0n) - (preBalances[at] ?? 0n),
  ]);
  const moved = between(changes);
  return moved === undefined ? undefined : { token: coin, ...moved };
}

/**
 * Cost of the payer, who is the first account, besides the moved amount, lamports: the fee, and the rent of
 * a new account of the receiver.
 */
export function costIn(
  { meta: { fee, preBalances, postBalances }, transaction }: MetaTransaction,
  moved: Moved | undefined,
  coin: number,
): bigint {
  const [payer] = transaction.message.accountKeys;
  const [before, after] = [preBalances[0] ?? 0n, postBalances[0] ?? 0n];
  const isOwn = moved?.token === coin && moved.from === payer;
  const cost = before - after - (isOwn ? moved.lots : 0n);
  // A closed account refunds rent, which does not lower the fee.
  return cost < fee ? fee : cost;
}

/** The largest sender and the largest receiver. */
function between(
  changes: readonly (readonly [string, bigint])[],
): Omit<Moved, 'token'> | undefined {
  const [first] = changes;
  if (first === undefined) return undefined;
  const [from] = changes.reduce((low, one) => (one[1] < low[1] ? one : low), first);
  const [to, lots] = changes.reduce((high, one) => (one[1] > high[1] ? one : high), first);
  return lots > 0n && to !== from ? { from, to, lots } : undefined;
}
