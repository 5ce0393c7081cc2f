/** Stands behind the call that a command is of, where it was given an argument more than it takes. */
export const FURTHER = ' (further argument)';

/**
 * The maker of a command, which keeps an argument beyond its own under a name that is refused: whoever
 * gives one means something by it. One that is `undefined` counts as absent.
 */
export function taking<Maker extends (...given: never[]) => object>(
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
