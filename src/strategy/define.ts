import type { Observable } from 'rxjs';
import type { z } from 'zod';
import type { Command } from './commands.ts';
import type { Context } from './context.ts';

/** A strategy as its author writes it. */
export interface StrategyDefinition<S extends z.ZodObject = z.ZodObject> {
  /** Short and unique, kebab case: `ema-cross`. */
  readonly name: string;
  /** One sentence for lists and reports. */
  readonly summary: string;
  /** Every parameter with a default, its unit in `describe`. */
  readonly parameters: S;
  /**
   * How much of the past it needs before its commands count, as a span such as `2h`. Commands of
   * that time are held back: plain orders are dropped, of the wishes the last for each symbol is
   * taken up at its end.
   */
  readonly warmUp?: (parameters: z.output<S>) => string;
  /** From streams to commands; called once per run. */
  readonly run: (context: Context<z.output<S>>) => Observable<Command>;
}

/** A strategy of any parameters, as the engine and the commands handle it. */
export type Strategy = StrategyDefinition;

/** Gives the definition back with its parameter types tied to the schema, frozen. */
export function defineStrategy<S extends z.ZodObject>(
  definition: StrategyDefinition<S>,
): StrategyDefinition<S> {
  return Object.freeze(definition);
}
