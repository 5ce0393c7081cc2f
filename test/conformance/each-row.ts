import { format } from 'node:util';
import { test } from 'vitest';

/** Which rows a case shows: their names behind the prefix, apart by blanks; none where it is empty. */
type Rows = string;

type Shown<Case extends readonly unknown[]> = Case extends readonly [Rows, ...infer Given]
  ? Given
  : never;

/**
 * A test for each case of a table whose first column names the rows that the case shows. They become tags; the
 * other columns go into the title and to the test, as `test.each` has it.
 */
export const eachRow =
  <const Case extends readonly [Rows, ...unknown[]]>(prefix: string, cases: readonly Case[]) =>
  (title: string, ...rest: readonly [...([object] | []), (...given: Shown<Case>) => unknown]) => {
    const run = rest.at(-1) as (...given: readonly unknown[]) => unknown;
    const common = rest.length === 2 ? (rest[0] as { readonly tags?: readonly string[] }) : {};
    for (const [rows, ...given] of cases) {
      const own = rows.split(' ').filter((row) => row !== '');
      const tags = [...(common.tags ?? []), ...own.map((row) => `${prefix}${row}`)];
      test(titleOf(title, given), { ...common, tags }, () => run(...given) as Promise<void>);
    }
  };

/** The title with its places filled, as `test.each` does; what has no place is left out. */
function titleOf(title: string, given: readonly unknown[]): string {
  const places = title.match(/%[sdij]/g)?.length ?? 0;
  return format(title, ...given.slice(0, places));
}
