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

/** What is outside of a paper account: where it began, and all that has happened to it since. */
export interface StoredServices {
  /** Of keys, and of the chance since the beginning. */
  readonly seed: number;
  readonly chance: number;
  /** What the services are configured as. */
  readonly terms: string;
  readonly startedAt: number;
  readonly beginning: OutsideHoldings;
  readonly inputs: readonly StoredInput[];
  /** What the account said to what the services asked of it, in order. */
  readonly answers: readonly unknown[];
  /** Prices from a question on, by its number: those before are older. */
  readonly prices: readonly (readonly [question: number, asset: string, price: Decimal])[];
  readonly questions: number;
  /** The time of the last timer or input. */
  readonly reachedAt: number;
  /** What is held by then, and on its way: what a repetition must come to. */
  readonly held: OutsideHoldings;
  readonly onWay: ReadonlyMap<string, Decimal>;
}

/**
 * How it stands in the journal of the account: JSON, amounts as decimal text, holdings as
 * `USDC@ethereum`.
 */
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

/** Decimals and large whole numbers keep their kind; JSON has shown the former as text by now. */
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
