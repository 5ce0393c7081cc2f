import type { Decimal } from '../model/decimal.ts';
import type { Rejection, RejectionCode } from '../model/rejections.ts';

/** Properties of every member. */
interface Entry {
  /** Rejection code of another value. */
  readonly code: RejectionCode;
  /** Description of the member, for the reference. */
  readonly about: string;
  /** Valid values if its type does not say them, for the reference. */
  readonly range?: string;
}

/** Text: any, or one of `values`. */
export interface TextMember<V extends string = string> extends Entry {
  readonly holds: 'text';
  readonly values?: readonly V[];
}

/** Form of an amount, for rejection messages. */
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
  /** How to round a fraction, for the rejection message. */
  readonly rounded?: string;
  /** Rule of its range; not applied to commands that a warm-up drops. */
  readonly rule?: (value: number) => Rejection | undefined;
}

/** A decimal. */
export interface DecimalMember extends Entry {
  readonly holds: 'decimal';
  /** Rule of its range. */
  readonly rule?: (value: Decimal) => Rejection | undefined;
}

/** An object, rejected as a whole if its members are invalid. */
export interface ObjectMember<S = AnySchema> extends Entry {
  readonly holds: 'object';
  readonly schema: S;
  /** Its form, for rejection messages. */
  readonly form: string;
  /** Prefix of its members' names in a rejected field. */
  readonly inside: string;
}

/** Objects in an array, rejected with their index. */
export interface ListMember<S = AnySchema> extends Entry {
  readonly holds: 'list';
  readonly schema: S;
  readonly form: string;
  readonly formOfOne: string;
}

/** Objects by names that the strategy chooses, rejected with their name. */
export interface RecordMember<S = AnySchema> extends Entry {
  readonly holds: 'record';
  readonly schema: S;
  readonly form: string;
  readonly isName: (name: string) => boolean;
  /** Message for an invalid name. */
  readonly noName: string;
}

/** Two members of which at most one is given. */
export interface Choice<Name extends string = string> {
  /**
   * The first is the rejected field if two are given; only a required choice may have more than
   * two.
   */
  readonly of: readonly [Name, Name, ...Name[]];
  readonly code: RejectionCode;
  /** Unit of the second, if both are the same number. */
  readonly unit?: 'ticks' | 'lots';
  /** If one of them is required: its form. */
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

/** True if the member is required in the type. */
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

/** Marks a required member, or one with a default. */
type Presence<T, K> =
  IsNeeded<T, K> extends true
    ? { readonly required: true } | { readonly absent: string }
    : { readonly required?: never; readonly absent?: string };

/**
 * Members of a type, in reading order: a matching row for each. A missing, extra or wrong row does
 * not compile.
 */
export type Members<T> = {
  readonly [K in NameOf<T>]: MemberOf<Exclude<ValueOf<T, K>, undefined>> & Presence<T, K>;
};

/** Members of an object. */
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

/** A schema of any type, for code that iterates over its rows. */
export interface AnySchema {
  readonly members: Readonly<Record<string, AnyMember>>;
  readonly choices?: readonly Choice[];
}

/** Names of the members of a schema. */
export const namesOf = (schema: AnySchema): ReadonlySet<string> =>
  new Set(Object.keys(schema.members));
