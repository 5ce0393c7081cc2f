import type { Observable } from 'rxjs';
import { z } from 'zod';
import { MillraceError } from '../model/errors.ts';
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
   * How much of the past it needs before its commands count, in milliseconds: `hours(2)`. Commands
   * of that time are held back: plain orders are dropped, of the wishes the last for each symbol is
   * taken up at its end.
   */
  warmUpMs?(this: void, parameters: z.output<S>): number;
  /** From streams to commands; called once per run. */
  run(this: void, context: Context<z.output<S>>): Observable<Command>;
}

/** A strategy of any parameters, as the engine and the commands handle it. */
export type Strategy = StrategyDefinition;

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * Gives the definition back with its parameter types tied to the schema, frozen.
 * Throws `strategy-invalid` when the name is not in kebab case or a parameter has no default.
 */
export function defineStrategy<S extends z.ZodObject>(
  definition: StrategyDefinition<S>,
): StrategyDefinition<S> {
  const { name, parameters } = definition;
  if (!NAME.test(name)) {
    throw new MillraceError(
      'strategy-invalid',
      `"${name}" is no name for a strategy; use small letters, digits and hyphens, such as "ema-cross".`,
      { field: 'name' },
    );
  }
  for (const [field, schema] of Object.entries<z.core.$ZodType>(parameters.shape)) {
    if (z.safeParse(schema, undefined).success) continue;
    throw new MillraceError(
      'strategy-invalid',
      `Strategy ${name}: the parameter ${field} has no default; end its schema in .default(…) so that the strategy runs as it stands.`,
      { field },
    );
  }
  return Object.freeze(definition);
}
