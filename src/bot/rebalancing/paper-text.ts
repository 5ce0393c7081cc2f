import { z } from 'zod';
import type { OutsideHoldings } from '../../gateways/rebalancing/simulated/services.ts';
import { Decimal, decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { holdingName } from '../../model/portfolio.ts';
import { micros } from '../../platform/time.ts';
import { amount, amountsForm } from '../journal/amounts-text.ts';
import { holdingText } from './texts.ts';

/** An input of the simulated services; timers of the same time came before it. */
export interface StoredInput {
  readonly at: number;
  readonly name: string;
  readonly given: readonly unknown[];
}

/** State outside a paper account: the initial state, and all inputs since. */
export interface StoredServices {
  /** Seeds of keys, and of chance since the initial state. */
  readonly seed: number;
  readonly chance: number;
  /** Settings of the services. */
  readonly terms: string;
  readonly startedAt: number;
  readonly beginning: OutsideHoldings;
  readonly inputs: readonly StoredInput[];
  /** Answers of the account to the services, in order. */
  readonly answers: readonly unknown[];
  /** New prices, each with the number of the first question that it answers. */
  readonly prices: readonly (readonly [question: number, asset: string, price: Decimal])[];
  readonly questions: number;
  /** The time of the last timer or input. */
  readonly reachedAt: number;
  /** Holdings at that time, and what is on its way: the result that a replay must have. */
  readonly held: OutsideHoldings;
  readonly onWay: ReadonlyMap<string, Decimal>;
}

/** The text in the journal: JSON, amounts as decimal text, holdings as `USDC@ethereum`. */
export const storedText = ({ beginning, held, onWay, ...rest }: StoredServices): string =>
  JSON.stringify(
    { held: heldOf(held), onWay: amountsOf(onWay), beginning: heldOf(beginning), ...rest },
    tagged,
  );

/** Reads what `storedText` wrote; throws `journal-invalid` for everything else. */
export function readStored(text: string, account: string): StoredServices {
  try {
    return storedForm.parse(JSON.parse(text, untagged));
  } catch (cause) {
    throw unreadablePortfolio(account, cause);
  }
}

export const unreadablePortfolio = (account: string, cause?: unknown): MillraceError =>
  new MillraceError(
    'journal-invalid',
    `What the journal of account ${account} keeps of its portfolio cannot be read; put back a copy.`,
    { cause },
  );

const heldOf = ({ wallets, account }: OutsideHoldings): unknown => ({
  wallets: wallets.map((one) => [holdingName(one), one.amount.toFixed()]),
  account: amountsOf(account),
});

const amountsOf = (amounts: ReadonlyMap<string, Decimal>): readonly (readonly [string, string])[] =>
  [...amounts].map(([asset, one]) => [asset, one.toFixed()]);

/** Marks decimals and BigInts, which JSON does not know; it has made text of the former already. */
function tagged(this: unknown, key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { $whole: value.toString() };
  const own = (this as Readonly<Record<string, unknown>>)[key];
  return own instanceof Decimal ? { $decimal: own.toFixed() } : value;
}

function untagged(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('$whole' in value) return BigInt(String(value.$whole));
  return '$decimal' in value ? decimal(String(value.$decimal), 'decimal') : value;
}

const heldForm = z.strictObject({
  wallets: z.array(
    z.tuple([holdingText, amount]).transform(([holding, held]) => ({ ...holding, amount: held })),
  ),
  account: amountsForm,
});

const storedForm = z.strictObject({
  held: heldForm,
  onWay: amountsForm,
  beginning: heldForm,
  seed: z.int(),
  chance: z.int(),
  terms: z.string(),
  startedAt: z.int().transform(micros),
  inputs: z.array(
    z.strictObject({
      at: z.int(),
      name: z.string(),
      given: z.array(z.unknown()),
    }),
  ),
  answers: z.array(z.unknown()),
  prices: z.array(z.tuple([z.int(), z.string(), z.instanceof(Decimal)])),
  questions: z.int(),
  reachedAt: z.int(),
});
