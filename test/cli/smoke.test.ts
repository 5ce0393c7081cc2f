import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { program } from '../../src/cli/program.ts';
import { terminal } from '../../src/cli/terminal.ts';
import { commandsOf, smoke } from '../smoke/smoke.ts';

/** Runs it on a program that stands in for `millrace`. */
async function smoked(
  script: string,
): Promise<{ lines: string[]; passed: number; failed: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-smoked-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const main = join(folder, 'main.mjs');
  writeFileSync(main, script);
  const lines: string[] = [];
  const counts = await smoke({
    node: process.execPath,
    entry: [main],
    say: (line) => lines.push(line),
  });
  return { lines, ...counts };
}

test('a command that fails is a failure, with what it printed', async () => {
  const { lines, passed, failed } = await smoked('console.error("no luck"); process.exit(3);');
  expect(lines[0]).toMatch(/^FAIL {2}millrace --version {2}.*it ended with 3:\nno luck\n$/s);
  expect(lines.filter((line) => line.startsWith('FAIL'))).toHaveLength(failed);
  // Nothing is known of commands where help fails.
  expect(passed).toBe(1);
});

test('a command that prints something else is a failure', async () => {
  const { lines } = await smoked('console.log("?");');
  expect(lines[0]).toMatch(/^FAIL {2}millrace --version .*it prints nothing like/s);
});

test('a command that is not run is a failure', async () => {
  const { lines } = await smoked('console.log("Commands:\\n  strategies  a\\n  dance  b");');
  expect(lines.at(-1)).toContain('FAIL  every command was run');
  expect(lines.at(-1)).toMatch(/: not run: dance, feed strategies, feed dance, keys strategies/);
});

test('the commands of a help are those of the program', () => {
  const root = program(terminal);
  const names = root.commands.map((command) => command.name());
  expect(commandsOf(root.helpInformation())).toEqual(names);
});

test('a venue that reports an error in place of its address is a failure', async () => {
  const { lines } = await smoked('console.log(\'{"error":{}}\');');
  expect(lines.find((line) => line.includes(' millrace venue '))).toMatch(/^FAIL /);
});
