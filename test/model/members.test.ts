import { describe, expect, test } from 'vitest';
import {
  defined,
  knownMembers,
  memberNames,
  membersOf,
  ownMembers,
  unknownName,
  withDefaults,
} from '../../src/model/members.ts';

class Base {
  get price(): number {
    return 5;
  }

  get side(): string {
    return 'buy';
  }

  sum(): number {
    return 1;
  }
}

class Draft extends Base {
  readonly lots = 3;

  override get side(): string {
    return 'sell';
  }
}

describe('the members of an object', () => {
  test('are its own, those that no loop shows too', () => {
    const given = Object.defineProperty({ a: 1 }, 'b', { value: 2, enumerable: false });
    expect(memberNames(given)).toEqual(['a', 'b']);
    expect(memberNames(Object.assign(Object.create(null) as object, { a: 1 }))).toEqual(['a']);
  });

  test('are those that it inherits, but for methods', () => {
    expect(memberNames(new Draft())).toEqual(['lots', 'side', 'price']);
    expect(ownMembers(new Draft())).toEqual({ lots: 3, side: 'sell', price: 5 });
    expect(memberNames(Object.create({ a: 1, toString: 2 }) as object)).toEqual(['a']);
  });

  test('that are undefined count as absent', () => {
    expect(defined({ a: 1, b: undefined, c: null })).toEqual({ a: 1, c: null });
    expect(Object.keys(defined({ b: undefined }))).toEqual([]);
    expect(withDefaults({ a: 1, b: 2 }, { a: 7, b: undefined })).toEqual({ a: 7, b: 2 });
    expect(withDefaults({ a: 1 })).toEqual({ a: 1 });
  });
});

describe('a member that is not known', () => {
  const known = membersOf<{ lots: number; side: string; price: number }>({
    lots: true,
    side: true,
    price: true,
  });

  test('is the first that is neither known nor undefined', () => {
    expect(known).toEqual(new Set(['lots', 'side', 'price']));
    expect(unknownName(new Draft(), known)).toBeUndefined();
    expect(unknownName({ lots: 1, stop: undefined }, known)).toBeUndefined();
    expect(unknownName({ lots: 1, stop: undefined, size: 2, other: 3 }, known)).toBe('size');
    expect(unknownName(Object.create({ stray: 1 }) as object, known)).toBe('stray');
  });

  test('is told from those that there are', () => {
    expect(knownMembers('lot', known)).toBe('did you mean lots?');
    expect(knownMembers('elsewhere', known)).toBe('there are lots, side, price.');
    expect(knownMembers('elsewhere', [])).toBe('there are none.');
  });
});
