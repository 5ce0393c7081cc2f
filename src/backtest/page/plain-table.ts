import { text } from './escape.ts';

/** A table without sorting and search; cells from `numbersFrom` on are figures. */
export function plainTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  numbersFrom: number,
): string {
  if (rows.length === 0) return '';
  const mark = (index: number): string => (index >= numbersFrom ? ' class="n"' : '');
  const head = heads.map((one, index) => `<th${mark(index)} scope="col">${text(one)}</th>`);
  const body = rows.map(
    (row) => `<tr>${row.map((one, index) => `<td${mark(index)}>${text(one)}</td>`).join('')}</tr>`,
  );
  return `<div class="scroll"><table><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}
