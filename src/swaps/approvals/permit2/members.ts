import { ApprovalRejected } from '../disagreement.ts';
import type { StructTypes } from './eip712.ts';

/** A value of a witness that is hashed by itself. */
export interface Leaf {
  /** `receiver`, `order.receiver`, `outputs.0.amount`. */
  readonly path: string;
  readonly type: string;
  readonly value: unknown;
}

const AT = 'additional_data.witness';

/**
 * All values of a struct, including nested structs and arrays. Throws `approval-refused` if its members
 * differ from its type's: they would not be signed.
 */
export function leavesOf(
  struct: string,
  value: unknown,
  types: StructTypes,
  path = '',
): readonly Leaf[] {
  const members = types[struct] ?? [];
  const given = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const named = members.map(({ name }) => name).sort();
  if (given.sort().join() !== named.join()) {
    throw new ApprovalRejected(
      path === '' ? AT : `${AT}.${path}`,
      'The witness is not of its type.',
      { value: given.join(), bound: `an object of just ${named.join()}` },
    );
  }
  const record = value as Readonly<Record<string, unknown>>;
  return members.flatMap(({ name, type }) =>
    leavesBelow(path === '' ? name : `${path}.${name}`, type, record[name], types),
  );
}

function leavesBelow(
  path: string,
  type: string,
  value: unknown,
  types: StructTypes,
): readonly Leaf[] {
  const [, element] = /^(.+)\[\d*\]$/.exec(type) ?? [];
  if (element !== undefined) {
    if (Array.isArray(value)) {
      return value.flatMap((one: unknown, at) => leavesBelow(`${path}.${at}`, element, one, types));
    }
    const finding = { value, bound: 'a list' };
    throw new ApprovalRejected(`${AT}.${path}`, 'The witness is not of its type.', finding);
  }
  if (Object.hasOwn(types, type)) return leavesOf(type, value, types, path);
  return [{ path, type, value }];
}
