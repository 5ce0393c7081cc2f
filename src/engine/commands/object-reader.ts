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

/** So few members that looking at all is quicker than asking which are there. */
const FEW = 6;

/** Reads objects of one schema by its rows. */
export class ObjectReader {
  /** The names of the members that the schema lists. */
  readonly members: ReadonlySet<string>;
  readonly #known: ReadonlySet<string>;
  readonly #rows: readonly Row[];
  readonly #byName: ReadonlyMap<string, Row>;
  readonly #required: readonly string[];
  readonly #wholes: readonly Row[];
  readonly #ranges: readonly Row[];
  readonly #nested: readonly Row[];
  readonly #choices: readonly Choice[];
  readonly #needed: readonly Choice[];

  /** `tag` is a member that objects have beside those that the schema lists. */
  constructor(schema: AnySchema, rows: readonly Row[], tag?: Row) {
    const { choices = [] } = schema;
    this.members = namesOf(schema);
    this.#known = tag === undefined ? this.members : new Set([tag.name, ...this.members]);
    this.#rows = tag === undefined ? rows : [tag, ...rows];
    this.#byName = new Map(rows.map((row) => [row.name, row]));
    this.#required = rows.flatMap(({ name, isRequired }) => (isRequired ? [name] : []));
    this.#wholes = rows.filter(({ whole }) => whole !== undefined);
    this.#ranges = rows.filter(({ range }) => range !== undefined);
    this.#nested = rows.filter(({ stray }) => stray !== undefined);
    this.#choices = choices.filter(({ needed }) => needed === undefined);
    this.#needed = choices.filter(({ needed }) => needed !== undefined);
  }

  /** True where a member is to be held against a range. */
  get hasRanges(): boolean {
    return this.#ranges.length > 0;
  }

  /** A frozen copy of the members that are known. Absent and undefined are the same. */
  copy(given: object): Fields {
    const fields = given as Fields;
    const read: Record<string, unknown> = {};
    for (const { name, copy } of this.#rows) {
      const value = fields[name];
      if (value !== undefined) read[name] = isObject(value) ? copy(value) : value;
    }
    return Object.freeze(read);
  }

  /** Refuses the first member that no such object has, of those in it too; the object is `what`. */
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

  /** Refuses the first member that is not as the schema says, whatever its range; the object is `what`. */
  form(fields: Fields, what: string, at: string): Rejection | undefined {
    return this.kinds(fields, what, at, true);
  }

  /** Refuses the first member that is not of its kind, and what contradicts itself. */
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

  /** True where all is there and fits; of many members only what is there is looked at. */
  #fits(fields: Fields, isWhole: boolean): boolean {
    if (this.#rows.length <= FEW) return this.#misfit(fields, '', isWhole) === undefined;
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

  /** Refuses the first member that must be whole and is not. */
  whole(fields: Fields, at: string): Rejection | undefined {
    for (const { name, whole } of this.#wholes) {
      const value = fields[name];
      const rejection = value === undefined ? undefined : whole?.(value, at);
      if (rejection !== undefined) return rejection;
    }
    return undefined;
  }

  /** Refuses the first member that is out of its range. */
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
