import { Decimal } from '../../model/decimal.ts';
import { unknownName } from '../../model/members.ts';
import type { Rejection } from '../../model/rejections.ts';
import { namesOf, type AnySchema, type Choice } from '../../strategy/schema.ts';
import { bothRejection, neededRejection } from './choice.ts';
import type { Row } from './row.ts';
import { unknownMember } from './unknown-member.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null;

export const fieldsOf = (value: unknown): Fields => (isObject(value) ? (value as Fields) : {});

/** Up to this many members, checking all is faster than listing the present ones. */
const SMALL_MAX = 6;

/** Reads objects of one schema by its rows. */
export class ObjectReader {
  /** The names of the members that the schema lists. */
  readonly members: ReadonlySet<string>;
  readonly #known: ReadonlySet<string>;
  readonly #rows: readonly Row[];
  readonly #byName: ReadonlyMap<string, Row>;
  readonly #required: readonly string[];
  readonly #floorDivide: readonly Row[];
  readonly #ranges: readonly Row[];
  readonly #nested: readonly Row[];
  readonly #choices: readonly Choice[];
  readonly #needed: readonly Choice[];

  /** `tag` is a member of the objects that the schema does not list. */
  constructor(schema: AnySchema, rows: readonly Row[], tag?: Row) {
    const { choices = [] } = schema;
    this.members = namesOf(schema);
    this.#known = tag === undefined ? this.members : new Set([tag.name, ...this.members]);
    this.#rows = tag === undefined ? rows : [tag, ...rows];
    this.#byName = new Map(rows.map((row) => [row.name, row]));
    this.#required = rows.flatMap(({ name, isRequired }) => (isRequired ? [name] : []));
    this.#floorDivide = rows.filter(({ whole }) => whole !== undefined);
    this.#ranges = rows.filter(({ range }) => range !== undefined);
    this.#nested = rows.filter(({ stray }) => stray !== undefined);
    this.#choices = choices.filter(({ needed }) => needed === undefined);
    this.#needed = choices.filter(({ needed }) => needed !== undefined);
  }

  /** True if a member has a range. */
  get hasRanges(): boolean {
    return this.#ranges.length > 0;
  }

  /** A frozen copy of the known members. Absent and undefined are the same. */
  copy(given: object): Fields {
    const fields = given as Fields;
    const read: Record<string, unknown> = {};
    for (const { name, copy } of this.#rows) {
      const value = fields[name];
      if (value !== undefined) read[name] = isObject(value) ? copy(value) : value;
    }
    return Object.freeze(read);
  }

  /** Rejects the first unknown member, nested ones included; the object is `what`. */
  stray(given: unknown, what: string, at: string): Rejection | undefined {
    if (!isObject(given) || Decimal.isDecimal(given)) return undefined;
    const fields = given as Fields;
    const stray = unknownName(given, this.#known);
    if (stray !== undefined) return unknownMember(what, at, stray, fields, this.members);
    for (const row of this.#nested) {
      const rejection = row.stray?.(fields[row.name]);
      if (rejection !== undefined) return rejection;
    }
    return undefined;
  }

  /**
   * Rejects the first member of a wrong type, and contradictions, without ranges; the object is
   * `what`.
   */
  form(fields: Fields, what: string, at: string): Rejection | undefined {
    return this.kinds(fields, what, at, true);
  }

  /** Rejects the first member of a wrong type, and contradictions. */
  kinds(fields: Fields, what: string, at: string, isWhole = false): Rejection | undefined {
    for (const choice of this.#needed) {
      const rejection = neededRejection(choice, fields, what, at);
      if (rejection !== undefined) return rejection;
    }
    if (!this.#fits(fields, isWhole)) return this.#misfit(fields, at, isWhole);
    for (const choice of this.#choices) {
      const rejection = bothRejection(choice, fields, at);
      if (rejection !== undefined) return rejection;
    }
    return undefined;
  }

  /**
   * True if all required members are present and valid; of many members only the present ones are
   * read.
   */
  #fits(fields: Fields, isWhole: boolean): boolean {
    if (this.#rows.length <= SMALL_MAX) return this.#misfit(fields, '', isWhole) === undefined;
    for (const name of this.#required) if (fields[name] === undefined) return false;
    for (const name of Object.keys(fields)) {
      const row = this.#byName.get(name);
      if (row !== undefined && misfitOf(row, fields[name], '', isWhole) !== undefined) return false;
    }
    return true;
  }

  /** The first in the order of the schema. */
  #misfit(fields: Fields, at: string, isWhole: boolean): Rejection | undefined {
    for (const row of this.#rows) {
      const value = fields[row.name];
      if (value === undefined && !row.isRequired) continue;
      const rejection = misfitOf(row, value, at, isWhole);
      if (rejection !== undefined) return rejection;
    }
    return undefined;
  }

  /** Rejects the first fractional member that must be whole. */
  whole(fields: Fields, at: string): Rejection | undefined {
    for (const { name, whole } of this.#floorDivide) {
      const value = fields[name];
      const rejection = value === undefined ? undefined : whole?.(value, at);
      if (rejection !== undefined) return rejection;
    }
    return undefined;
  }

  /** Rejects the first member out of its range. */
  range(fields: Fields, at: string): Rejection | undefined {
    for (const { name, range } of this.#ranges) {
      const value = fields[name];
      const rejection = value === undefined ? undefined : range?.(value, at);
      if (rejection !== undefined) return rejection;
    }
    return undefined;
  }
}

const misfitOf = (row: Row, value: unknown, at: string, isWhole: boolean): Rejection | undefined =>
  row.kind(value, at) ?? (isWhole ? row.whole?.(value, at) : undefined);
