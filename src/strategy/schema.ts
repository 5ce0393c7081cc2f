import type { Decimal } from '../model/decimal.ts';
import type { Rejection, RejectionCode } from '../model/rejections.ts';

/** What is true of every member. */
interface Entry {
  /** What another value is refused with. */
  readonly code: RejectionCode;
  /** What the member says, for the reference. */
  readonly about: string;
  /** Which values are valid where their kind does not say it, for the reference. */
  readonly range?: string;
}

/** Text: any, or one of `values`. */
export interface TextMember<V extends string = string> extends Entry {
  readonly holds: 'text';
  readonly values?: readonly V[];
}

/** What an amount must be, for the sentences that refuse something else. */
export const AMOUNT = "a decimal as text, such as '0.05'";

/** A decimal as text. */
export interface AmountMember extends Entry {
  readonly holds: 'amount';
}

export interface FlagMember extends Entry {
  readonly holds: 'flag';
}

/** A number, `whole` or with a fraction. */
export interface NumberMember extends Entry {
  readonly holds: 'number' | 'whole';
  /** How a fraction is made whole, for the sentence that refuses it. */
  readonly rounded?: string;
  /** The range, as the rules have it; not asked of what a warm-up drops. */
  readonly rule?: (value: number) => Rejection | undefined;
}

/** A decimal. */
export interface DecimalMember extends Entry {
  readonly holds: 'decimal';
  /** The range, as the rules have it. */
  readonly rule?: (value: Decimal) => Rejection | undefined;
}

/** An object, refused as a whole where its members do not fit. */
export interface ObjectMember<S = AnySchema> extends Entry {
  readonly holds: 'object';
  readonly schema: S;
  /** What it must be, for the sentence that refuses something else. */
  readonly form: string;
  /** What stands before the names of its members in a field that is refused. */
  readonly inside: string;
}

/** Objects in an array, each refused by its place. */
export interface ListMember<S = AnySchema> extends Entry {
  readonly holds: 'list';
  readonly schema: S;
  readonly form: string;
  readonly formOfOne: string;
}

/** Objects by names that the strategy chooses, each refused by its name. */
export interface RecordMember<S = AnySchema> extends Entry {
  readonly holds: 'record';
  readonly schema: S;
  readonly form: string;
  readonly isName: (name: string) => boolean;
  /** What is said of another name. */
  readonly noName: string;
}

/** Two members of which one at most is given. */
export interface Choice<Name extends string = string> {
  /** What is refused where two are given is the first; only of those that are needed there may be more than two. */
  readonly of: readonly [Name, Name, ...Name[]];
  readonly code: RejectionCode;
  /** Where both say the same number, what the second counts. */
  readonly unit?: 'ticks' | 'lots';
  /** Where one of them must be given: what it must be. */
  readonly needed?: string;
}

type NameOf<T> = T extends unknown ? Exclude<keyof T & string, 'kind'> : never;

type ValueOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;

/** The rows that may describe a member of that type. */
type MemberOf<V> = [V] extends [boolean]
  ? FlagMember
  : [V] extends [string]
    ? string extends V
      ? TextMember | AmountMember
      : TextMember<V> & { readonly values: readonly V[] }
    : [V] extends [number]
      ? NumberMember
      : [V] extends [Decimal]
        ? DecimalMember
        : [V] extends [readonly (infer One)[]]
          ? ListMember<Schema<One>>
          : string extends keyof V
            ? RecordMember<Schema<V[keyof V]>>
            : ObjectMember<Schema<V>>;

/** True if every value of the type has the member. */
type IsNeeded<T, K> = [
  T extends unknown
    ? K extends keyof T
      ? object extends Pick<T, K>
        ? false
        : true
      : false
    : never,
] extends [true]
  ? true
  : false;

/** What a member that every value of the type has must say: that it is required, or what stands for it. */
type Presence<T, K> =
  IsNeeded<T, K> extends true
    ? { readonly required: true } | { readonly absent: string }
    : { readonly required?: never; readonly absent?: string };

/**
 * The members of a type, in the order in which they are read: a row for each, which fits its type. A
 * row that is missing, too many or of another kind does not compile.
 */
export type Members<T> = {
  readonly [K in NameOf<T>]: MemberOf<Exclude<ValueOf<T, K>, undefined>> & Presence<T, K>;
};

/** What an object may say. */
export interface Schema<T> {
  readonly members: Members<T>;
  readonly choices?: readonly Choice<NameOf<T>>[];
}

/** A row of any type. */
export type AnyMember = (
  | TextMember
  | AmountMember
  | FlagMember
  | NumberMember
  | DecimalMember
  | ObjectMember
  | ListMember
  | RecordMember
) & { readonly required?: true; readonly absent?: string };

/** A schema of any type, as those see it who go through its rows. */
export interface AnySchema {
  readonly members: Readonly<Record<string, AnyMember>>;
  readonly choices?: readonly Choice[];
}

/** The names of the members of a schema. */
export const namesOf = (schema: AnySchema): ReadonlySet<string> =>
  new Set(Object.keys(schema.members));
