import { MillraceError } from '../../model/errors.ts';
import { suggest } from '../../model/suggest.ts';
import { HTTP_SETTINGS } from './settings.ts';

type Method = (...given: never[]) => unknown;

/** Most arguments of each method of a class; a wrong number does not compile. */
type Counts<C> = {
  readonly [Name in keyof C as C[Name] extends Method ? Name : never]: C[Name] extends Method
    ? Required<Parameters<C[Name]>>['length']
    : never;
};

/**
 * Makes all methods of a class reject extra arguments, in the static block of the class: a caller means
 * something by one. Nothing is sent.
 */
export function refuseExtraArguments<C extends object>(
  { prototype }: { readonly prototype: C },
  counts: Counts<C>,
): void {
  for (const [name, count] of Object.entries<number>(counts)) {
    const method = prototype[name as keyof C] as (...given: unknown[]) => unknown;
    const isAsync = Object.prototype.toString.call(method) === '[object AsyncFunction]';
    const value = function (this: C, ...given: unknown[]): unknown {
      const fault = extraArgumentFault(name, count, given);
      if (fault === undefined) return method.apply(this, given);
      if (isAsync) return Promise.reject(fault);
      throw fault;
    };
    Object.defineProperty(prototype, name, {
      value: Object.defineProperty(value, 'name', { value: name }),
    });
  }
}

/** The error if a call has extra arguments; `undefined` ones do not count. */
export function extraArgumentFault(
  call: string,
  count: number,
  given: readonly unknown[],
): MillraceError | undefined {
  const further = given.slice(count).find((one) => one !== undefined);
  if (further === undefined) return undefined;
  const takes = count === 0 ? 'no argument' : count === 1 ? 'one argument' : `${count} arguments`;
  const names = typeof further === 'object' && further !== null ? Object.keys(further) : [];
  const what = names.length === 0 ? '' : `, with ${names.slice(0, 3).join(', ')}`;
  const settings = Object.keys(HTTP_SETTINGS);
  const near = names.map((name) => suggest(name, settings)).find((name) => name !== undefined);
  const hint =
    near === undefined ? 'leave it out.' : `did you mean the setting ${near} of the client?`;
  const sentence = `${call} takes ${takes} and is given one more${what}; ${hint} Nothing was sent.`;
  return new MillraceError('request-invalid', sentence, { field: names[0] ?? 'arguments' });
}
