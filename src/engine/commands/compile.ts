import { ownMembers } from '../../model/members.ts';
import type { Rejection } from '../../model/rejections.ts';
import type {
  AnyMember,
  AnySchema,
  ListMember,
  ObjectMember,
  RecordMember,
} from '../../strategy/schema.ts';
import { fieldsOf, isObject, ObjectReader, type Fields } from './object-reader.ts';
import { misfit, plainRow, within, type Row } from './row.ts';
import { valueText } from './shown.ts';

/** Most items read; no list has more than three, and an array may be endless. */
const ITEMS_READ = 100;

/** Members of commands and orders besides those of the schema. */
const KIND: Row = {
  name: 'kind',
  isRequired: false,
  kind: () => undefined,
  whole: undefined,
  range: undefined,
  copy: (value) => value,
  stray: undefined,
};

/** The reader of a schema; with `hasKind` its objects have a `kind` too. */
export function compile(schema: AnySchema, hasKind = false): ObjectReader {
  const rows = Object.entries(schema.members).map(([name, member]) => rowOf(name, member));
  return new ObjectReader(schema, rows, hasKind ? KIND : undefined);
}

function rowOf(name: string, member: AnyMember): Row {
  const isRequired = member.required === true;
  switch (member.holds) {
    case 'object':
      return { name, isRequired, ...objectRow(name, member) };
    case 'list':
      return { name, isRequired, ...listRow(name, member) };
    case 'record':
      return { name, isRequired, ...recordRow(member, name) };
    default:
      return plainRow(name, member, isRequired);
  }
}

type Nested = Omit<Row, 'name' | 'isRequired'>;

/** A nested object: rejected as a whole if one of its members has the wrong type. */
function objectRow(name: string, { schema, form, inside }: ObjectMember): Nested {
  const reader = compile(schema);
  return {
    kind: (value) => {
      const wrong = reader.kinds(fieldsOf(value), name, inside);
      return wrong === undefined ? undefined : misfit(wrong.code, name, value, form);
    },
    whole: (value) => reader.whole(value as Fields, inside),
    range: reader.hasRanges ? (value) => reader.range(value as Fields, inside) : undefined,
    copy: (value) => reader.copy(value),
    stray: (value) => reader.stray(value, name, `${name}.`),
  };
}

/** Objects in an array, rejected with their index. */
function listRow(name: string, { schema, code, form, formOfOne }: ListMember): Nested {
  const reader = compile(schema, true);
  const memberPath = (index: number): string => `${name}[${index}]`;
  const first = (
    items: unknown,
    rejectionOf: (item: unknown, index: number) => Rejection | undefined,
  ): Rejection | undefined => {
    if (!Array.isArray(items)) return undefined;
    const count = Math.min(items.length, ITEMS_READ);
    for (let index = 0; index < count; index += 1) {
      const rejection = rejectionOf(items[index], index);
      if (rejection !== undefined) return rejection;
    }
    return undefined;
  };
  const each =
    (rejectionOf: (fields: Fields) => Rejection | undefined) =>
    (item: unknown, index: number): Rejection | undefined => {
      const rejection = rejectionOf(item as Fields);
      return rejection && within(`${memberPath(index)}.`, rejection);
    };
  const formOf = each((fields) => reader.form(fields, name, ''));
  const rangeOf = each((fields) => reader.range(fields, ''));
  return {
    kind: (value) =>
      Array.isArray(value)
        ? first(value, (item, index) =>
            isObject(item) ? formOf(item, index) : misfit(code, memberPath(index), item, formOfOne),
          )
        : misfit(code, name, value, form),
    whole: undefined,
    range: reader.hasRanges ? (value) => first(value, rangeOf) : undefined,
    // Reads holes of a sparse array too.
    copy: (value) =>
      Array.isArray(value)
        ? Object.freeze(
            Array.from(value.slice(0, ITEMS_READ), (item: unknown) =>
              isObject(item) ? reader.copy(item) : item,
            ),
          )
        : value,
    stray: (value) =>
      first(value, (item, index) => reader.stray(item, memberPath(index), `${memberPath(index)}.`)),
  };
}

/** Objects by names of the strategy's choice, rejected with their name. */
function recordRow({ schema, code, form, isName, noName }: RecordMember, name: string): Nested {
  const reader = compile(schema);
  return {
    kind: (value) => {
      if (!isObject(value)) return misfit(code, name, value, form);
      for (const [key, item] of Object.entries(value)) {
        if (!isName(key)) return { code, field: key, message: `${valueText(key)} ${noName}.` };
        const rejection = reader.form(fieldsOf(item), key, `${key}.`);
        if (rejection !== undefined) return rejection;
      }
      return undefined;
    },
    whole: undefined,
    range: undefined,
    copy: (value) =>
      Object.freeze(
        Object.fromEntries(
          Object.entries(ownMembers(value)).map(([key, item]) => [
            key,
            isObject(item) ? reader.copy(item) : item,
          ]),
        ),
      ),
    stray: (value) => {
      for (const [key, item] of Object.entries(ownMembers(Object(value) as object))) {
        const rejection = reader.stray(item, key, `${key}.`);
        if (rejection !== undefined) return rejection;
      }
      return undefined;
    },
  };
}
