import type { z } from 'zod';
import type { Answer, ArgumentsOf, Call, PathMembers } from '../../../wire/trading/call.ts';

type Flat<T> = { [K in keyof T]: T[K] };
type InPath<C extends Call> = Readonly<Record<PathMembers<C['path']>, string>>;

/** The parameters; a call without any has none at all, and not those of any name. */
type ParamsOf<C extends Call> = string extends keyof ArgumentsOf<C['params']>
  ? unknown
  : ArgumentsOf<C['params']>;

/**
 * Arguments of a call: the members of its path and its parameters in one object. If the body is a list, the
 * call takes the list, and as `params` if its path has members too.
 */
export type CallArguments<C extends Call> = C['params'] extends z.ZodObject
  ? Flat<InPath<C> & ParamsOf<C>>
  : [PathMembers<C['path']>] extends [never]
    ? ArgumentsOf<C['params']>
    : Flat<InPath<C> & { readonly params: ArgumentsOf<C['params']> }>;

/** A call as a function; without arguments if there are none, or all are optional. */
export type RestCall<C extends Call> = [keyof CallArguments<C>] extends [never]
  ? () => Promise<Answer<C>>
  : object extends CallArguments<C>
    ? (given?: CallArguments<C>) => Promise<Answer<C>>
    : (given: CallArguments<C>) => Promise<Answer<C>>;

/** Calls by the names under which programs know them. */
export type CallTable = Readonly<Record<string, Call>>;

/** Every row of a table of calls as a function. */
export type RestCalls<Table extends CallTable> = {
  readonly [Name in keyof Table]: RestCall<Table[Name]>;
};
