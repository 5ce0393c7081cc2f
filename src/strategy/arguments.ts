/** Suffix of the name of a call that was given an extra argument. */
export const FURTHER = ' (further argument)';

/**
 * Wraps the factory of a command so that an extra argument is kept under an invalid name and
 * rejected later, as it is a mistake. An `undefined` one counts as absent.
 */
export function commandFactory<Maker extends (...given: never[]) => object>(
  call: `${string}(${string})`,
  make: Maker,
): Maker {
  const count = call.split(',').length;
  const counted = (...given: never[]): object => {
    const command = make(...given);
    const beyond: readonly unknown[] = given.slice(count);
    const further = beyond.find((one) => one !== undefined);
    return further === undefined
      ? command
      : Object.freeze({ ...command, [call + FURTHER]: further });
  };
  return counted as Maker;
}
