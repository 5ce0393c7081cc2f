import type { Observable } from 'rxjs';
import { z } from 'zod';
import { MillraceError } from '../model/errors.ts';
import { fullStop } from '../model/full-stop.ts';
import { knownMembers, membersOf, unknownName } from '../model/members.ts';
import type { Command } from './commands.ts';
import type { Context } from './context.ts';
import { jsonFault } from './json-data.ts';

/** A strategy as its author writes it. */
export interface StrategyDefinition<S extends z.ZodObject = z.ZodObject> {
  /** Short and unique, kebab case: `ema-cross`. */
  readonly name: string;
  /** One sentence for lists and reports. */
  readonly summary: string;
  /** Every parameter has a default, and its unit in `describe`. */
  readonly parameters: S;
  /**
   * History needed before commands take effect, in milliseconds: `hours(2)`. Commands before that
   * are held back: plain orders are dropped, and the last managed order of each symbol starts at
   * the end.
   */
  warmUpMs?(this: void, parameters: z.output<S>): number;
  /** Turns streams into commands; called once per run. */
  run(this: void, context: Context<z.output<S>>): Observable<Command>;
}

/** A strategy of any parameters, as the engine and the commands use it. */
export type Strategy = StrategyDefinition;

const MEMBERS = membersOf<Strategy>({
  name: true,
  summary: true,
  parameters: true,
  warmUpMs: true,
  run: true,
});

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** A fault of a strategy, and its field. */
export interface StrategyFault {
  readonly field: string;
  readonly sentence: string;
}

/**
 * Returns the definition frozen, with its parameter types tied to the schema. Throws
 * `strategy-invalid` if the name is not in kebab case, a parameter has no default, or the
 * definition is not one at all, as untyped code may give.
 */
export function defineStrategy<S extends z.ZodObject>(
  definition: StrategyDefinition<S>,
): StrategyDefinition<S> {
  const fault = strategyFault(definition);
  if (fault === undefined) return Object.freeze(definition);
  const { field, sentence } = fault;
  throw new MillraceError('strategy-invalid', sentence, { field });
}

/** True for any value that `defineStrategy` accepts; for values from a file. */
export const isStrategy = (value: unknown): value is Strategy => strategyFault(value) === undefined;

/** The first fault of a possible strategy. */
export function strategyFault(value: unknown): StrategyFault | undefined {
  if (typeof value !== 'object' || value === null) {
    return { field: 'strategy', sentence: 'A strategy is what defineStrategy({ … }) gives.' };
  }
  const { name, summary, parameters, warmUpMs, run } = value as Partial<
    Record<keyof Strategy, unknown>
  >;
  if (typeof name !== 'string' || !NAME.test(name)) {
    return {
      field: 'name',
      sentence: `"${typeof name === 'string' ? name : typeof name}" is no name for a strategy; use small letters, digits and hyphens, such as "ema-cross".`,
    };
  }
  const wrong = (field: string, what: string): StrategyFault => ({
    field,
    sentence: fullStop(`Strategy ${name}: ${what}`),
  });
  const stray = unknownName(value, MEMBERS);
  if (stray !== undefined) {
    return wrong(stray, `there is no ${stray}; ${knownMembers(stray, MEMBERS)}`);
  }
  if (typeof summary !== 'string') return wrong('summary', 'summary is one sentence of text');
  if (typeof run !== 'function') return wrong('run', 'run is a function from streams to commands');
  if (warmUpMs !== undefined && typeof warmUpMs !== 'function') {
    return wrong('warmUpMs', 'warmUpMs is a function from parameters to milliseconds');
  }
  if (!(parameters instanceof z.ZodObject)) {
    return wrong('parameters', "parameters is a schema, z.object({ … }) with the z of 'millrace'");
  }
  for (const [field, schema] of Object.entries<z.core.$ZodType>(parameters.shape)) {
    const lack = defaultFault(schema);
    if (lack !== undefined) return wrong(field, `the parameter ${field} ${lack}`);
  }
  return undefined;
}

/** Why a parameter has no usable default, if it has none. */
function defaultFault(schema: z.core.$ZodType): string | undefined {
  try {
    const { success, data } = z.safeParse(schema, undefined);
    if (success) {
      const fault = data === undefined ? undefined : jsonFault(data);
      return fault === undefined ? undefined : `has a default that JSON cannot hold: ${fault}`;
    }
  } catch (error) {
    // Zod throws for checks that return a promise; an author's check may throw too.
    return `cannot be checked: ${error instanceof Error ? error.message : typeof error}`;
  }
  return 'has no default; end its schema in .default(…) so that the strategy runs as it stands';
}
