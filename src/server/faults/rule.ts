import { z } from 'zod';
import { Random } from '../../platform/random.ts';

/** On which of the occasions that it fits a rule strikes; members of every rule. */
export const frequency = {
  /** Occasions that pass unharmed first. */
  skip: z.int().min(0).default(0),
  /** How often it strikes; unlimited if absent. */
  count: z.int().min(1).optional(),
  /** The chance of each occasion, drawn with the seed of the plan. */
  probability: z.number().min(0).max(1).default(1),
};

interface Frequency {
  readonly skip: number;
  readonly count?: number | undefined;
  readonly probability: number;
}

/** How often a rule had an occasion, and how often it struck. */
export interface Tally {
  readonly occasions: number;
  readonly strikes: number;
}

/** Rules in their order, each with its own random source, so that no rule changes another's. */
export class FaultRules<R extends Frequency> {
  readonly #rules: readonly { readonly rule: R; readonly random: Random }[];
  readonly #tallies: { occasions: number; strikes: number }[];

  constructor(rules: readonly R[], seed: number) {
    this.#rules = rules.map((rule, index) => ({ rule, random: new Random(seed + index) }));
    this.#tallies = rules.map(() => ({ occasions: 0, strikes: 0 }));
  }

  /** True if there is no rule to check. */
  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** The first rule that fits this occasion and strikes; those behind it have no occasion. */
  strike(fits: (rule: R) => boolean): R | undefined {
    for (const [index, { rule, random }] of this.#rules.entries()) {
      if (!fits(rule)) continue;
      const tally = this.#tallies[index];
      tally.occasions += 1;
      if (tally.occasions <= rule.skip || tally.strikes === rule.count) continue;
      if (rule.probability < 1 && !random.chance(rule.probability)) continue;
      tally.strikes += 1;
      return rule;
    }
    return undefined;
  }

  /** Tallies of the rules, in their order. */
  get tallies(): readonly Tally[] {
    return this.#tallies.map((tally) => ({ ...tally }));
  }
}
