import { text } from './escape.ts';

/** Names and values, one pair a line. */
export function facts(rows: readonly (readonly [string, string])[]): string {
  if (rows.length === 0) return '<p class="none">None.</p>';
  const items = rows.map(
    ([name, value]) => `<div><dt>${text(name)}</dt><dd>${text(value)}</dd></div>`,
  );
  return `<dl class="facts">${items.join('')}</dl>`;
}
