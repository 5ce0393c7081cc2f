import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { complete } from '../completion/complete.ts';
import { TEMPLATES } from '../project/templates.ts';
import type { Terminal } from '../terminal.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

/**
 * Prints the script of a shell or, given words, completions of the last one: lines of a value, a tab and a
 * description, then `:files` or `:folders` if it may also be a path.
 */
export async function completion(
  shell: Shell,
  words: readonly string[],
  root: Command,
  { out }: Terminal,
): Promise<void> {
  if (words.length === 0) {
    out.write(readFileSync(join(TEMPLATES, 'completion', `millrace.${shell}`), 'utf8'));
    return;
  }
  const { candidates, paths } = await complete(root, words);
  for (const { value, description } of candidates) out.write(`${value}\t${description}\n`);
  if (paths !== undefined) out.write(`:${paths}\n`);
}
