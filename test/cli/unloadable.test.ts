import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importRecording } from '../../src/cli/actions/feed-import.ts';
import { unloadable } from '../../src/modules/unloadable.ts';
import { millrace } from './command.ts';

const HEAD = `import { NEVER } from 'rxjs';
import { defineStrategy, z } from 'millrace';
export default defineStrategy({
  name: 'mine',
`;
const BROKEN = `${HEAD}  summary: 'A comma is missing.'
  parameters: z.object({}),
  run: () => NEVER,
});
`;
const SOUND = `${HEAD}  summary: 'All is well.', parameters: z.object({}), run: () => NEVER,
});
`;

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-unloadable-'));
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe('a strategy file that cannot be loaded', () => {
  test('is named with line, column and text of a mistake in TypeScript, JavaScript or what it imports', async () => {
    const cwd = folderWith({
      'package.json': '{ "type": "module" }',
      'mine.ts': BROKEN,
      'mine.js': BROKEN,
      'outer.ts': "import './mine.ts';\n",
    });
    const ended = await Promise.all(
      ['mine.ts', 'mine.js', 'outer.ts'].map(async (file) =>
        millrace(['backtest', '-s', `./${file}`], { cwd }),
      ),
    );
    for (const [index, { code, err }] of ended.entries()) {
      const file = ['mine.ts', 'mine.js', 'mine.ts'][index] ?? '';
      expect(code).toBe(2);
      expect(err).toContain(`${join(cwd, file)}:6:3 cannot be read: `);
      expect(err).toContain('\n  6 | parameters: z.object({}),\n      ^\n');
    }
    expect(ended[2].err).toContain(`${join(cwd, 'outer.ts')} cannot be loaded: `);
  });

  test('of a CommonJS project says what to do, without the message of Node', async () => {
    const cwd = folderWith({
      'package.json': '{ "type": "commonjs" }',
      'mine.ts': SOUND,
      'mine.js': SOUND,
    });
    const ended = await Promise.all(
      ['mine.ts', 'mine.js'].map(async (file) =>
        millrace(['backtest', '-s', `./${file}`], { cwd }),
      ),
    );
    for (const [index, extension] of ['.mts', '.mjs'].entries()) {
      expect(ended[index].err).toMatch(
        new RegExp(
          `^error \\[strategy-invalid\\] .*package\\.json makes it a CommonJS file\\. Write "type": "module" there, or give the file the extension \\${extension}\\.\n$`,
        ),
      );
    }
  });

  test('keeps the message of whatever else is thrown', () => {
    const path = join(folderWith({ 'mine.ts': SOUND }), 'mine.ts');
    expect(unloadable(path, new Error('no such thing.')).message).toBe(
      `${path} cannot be loaded: no such thing.`,
    );
    const missing = new SyntaxError("The module 'x' has no export named 'y'");
    expect(unloadable(path, missing).message).toContain("has no export named 'y'");
    expect(unloadable(join(path, 'gone'), missing).message).toContain('cannot be loaded');
  });
});

test('--column of a field that no row has is refused with the one that was meant', async () => {
  const flags = { out: 'recordings', column: ['pirce=px'] };
  const terminal = {} as Parameters<typeof importRecording>[2];
  await expect(importRecording(['parquet', 'none.parquet'], flags, terminal)).rejects.toMatchObject(
    {
      code: 'usage',
      message: '--column takes FIELD=COLUMN, and there is no field pirce; did you mean price?',
    },
  );
});
