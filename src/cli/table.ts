import Table from 'cli-table3';

const PLAIN = {
  'top': '', 'top-mid': '', 'top-left': '', 'top-right': '',
  'bottom': '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '',
  'left': '', 'left-mid': '', 'mid': '', 'mid-mid': '', 'right': '', 'right-mid': '',
  'middle': '  ',
} as const; // prettier-ignore

/** Rows in columns, without lines; columns of `right` are aligned to the right. */
export function table(
  rows: readonly (readonly string[])[],
  options: { head?: readonly string[]; right?: readonly number[] } = {},
): string {
  const width = options.head?.length ?? rows.at(0)?.length ?? 0;
  const grid = new Table({
    chars: PLAIN,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: Array.from({ length: width }, (_, i) =>
      options.right?.includes(i) === true ? ('right' as const) : ('left' as const),
    ),
    ...(options.head === undefined ? {} : { head: [...options.head] }),
  });
  grid.push(...rows.map((row) => [...row]));
  return grid.toString().replace(/ +$/gm, '');
}
