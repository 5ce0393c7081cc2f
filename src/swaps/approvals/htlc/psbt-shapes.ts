/** Allowed lengths of key data and value of a field, in bytes. */
interface Shape {
  readonly key: (bytes: number) => boolean;
  readonly value: (bytes: number) => boolean;
}

const exactly =
  (...lengths: readonly number[]) =>
  (bytes: number): boolean =>
    lengths.includes(bytes);
const anyLength = (): boolean => true;
const atLeast =
  (least: number) =>
  (bytes: number): boolean =>
    bytes >= least;

/** A control block: 33 bytes, and 32 for each step up the tree of scripts. */
const isControlBlock = (bytes: number): boolean => bytes >= 33 && (bytes - 33) % 32 === 0;
const SIGNATURE = exactly(64, 65);

/** Fields by their type: those of BIP 371, and the used ones of BIP 174. */
const SHAPES: Readonly<Record<'input' | 'output', Readonly<Record<string, Shape>>>> = {
  input: {
    '01': { key: exactly(0), value: atLeast(9) },
    '03': { key: exactly(0), value: exactly(4) },
    '08': { key: exactly(0), value: anyLength },
    '13': { key: exactly(0), value: SIGNATURE },
    '14': { key: exactly(64), value: SIGNATURE },
    '15': { key: isControlBlock, value: atLeast(1) },
    '16': { key: exactly(32), value: atLeast(1) },
    '17': { key: exactly(0), value: exactly(32) },
    '18': { key: exactly(0), value: exactly(32) },
  },
  output: {
    '05': { key: exactly(0), value: exactly(32) },
    '06': { key: exactly(0), value: atLeast(3) },
    '07': { key: exactly(32), value: atLeast(1) },
  },
};

/** True if all fields of a map of hexadecimal pairs have allowed lengths. */
export function hasShape(map: ReadonlyMap<string, string>, of: 'input' | 'output'): boolean {
  return [...map].every(([key, value]) => {
    const shape = SHAPES[of][key.slice(0, 2)];
    return shape === undefined || (shape.key(key.length / 2 - 1) && shape.value(value.length / 2));
  });
}
