import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { textOf, type Line } from './canonical.ts';

const RESULTS = fileURLToPath(new URL('./results/', import.meta.url));

/** Lines of each part of a run that are kept as they are; the rest of a longer one is kept as digests. */
const KEPT = 80;
/** Lines of a digest: a difference is known to be within so many. */
const BLOCK = 50;

/**
 * Compares a run with what is kept of it in `results/NAME.jsonl`. These files say how the engine, the
 * exchange and the measures behave: a change of how things are held inside leaves them as they are,
 * and a change of behaviour is read off their diff. After a change that is meant:
 *
 *     npx vitest run test/golden --update=true
 *
 * The rest of a long part is kept as digests. To see all lines, write them from both versions to
 * folders and compare these: `MILLRACE_GOLDEN_LINES=folder npx vitest run test/golden`.
 */
export async function expectGolden(
  name: string,
  parts: Readonly<Record<string, readonly Line[]>>,
): Promise<void> {
  const folder = env['MILLRACE_GOLDEN_LINES'];
  const lines: string[] = [];
  for (const [part, rows] of Object.entries(parts)) {
    const texts = rows.map(textOf);
    lines.push(JSON.stringify({ part, lines: texts.length }), ...kept(texts));
    if (folder === undefined) continue;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}-${part}.jsonl`), `${texts.join('\n')}\n`);
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(RESULTS, `${name}.jsonl`));
}

/** The first lines and the digests of the rest. */
export function kept(texts: readonly string[]): string[] {
  const lines = texts.slice(0, KEPT);
  for (let first = KEPT; first < texts.length; first += BLOCK) {
    const block = texts.slice(first, first + BLOCK);
    const sha256 = createHash('sha256').update(block.join('\n')).digest('hex');
    lines.push(JSON.stringify({ lines: `${first + 1}-${first + block.length}`, sha256 }));
  }
  return lines;
}
