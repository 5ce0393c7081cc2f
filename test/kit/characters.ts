import fc from 'fast-check';

/**
 * Any character, for `fc.string({ unit })`: what fast-check calls 'binary', without the second of
 * processor time that its tables of characters take.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));
