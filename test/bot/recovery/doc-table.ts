import { readFileSync } from 'node:fs';

/** The kinds of discrepancies and what they mean, as docs/journal.md lists them. */
export function docTable(): readonly (readonly string[])[] {
  const page = readFileSync(new URL('../../../docs/journal.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^- ((?:`[a-z-]+`(?:, )?)+): (.+)$/gm)];
  return rows.flatMap(([, kinds = '', means = '']) =>
    kinds.split(', ').map((kind) => [kind.replaceAll('`', ''), means]),
  );
}
