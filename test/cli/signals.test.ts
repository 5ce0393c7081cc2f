import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { started } from './process.ts';

test('a signal that comes while the last of a strategy is loaded ends the command', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'millrace-signals-'));
  const path = join(cwd, 'told.ts');
  writeFileSync(
    path,
    `import { defineStrategy, z } from 'millrace';
import { NEVER } from 'rxjs';
export default defineStrategy({
  name: 'told',
  summary: 'Loads for a while, and a signal comes meanwhile.',
  parameters: z.object({}),
  run: () => NEVER,
});
process.kill(process.pid, 'SIGTERM');
`,
  );
  const { ended, out } = started(['strategies', path], { cwd });
  expect(await ended).toEqual({ code: 143, signal: null });
  expect(out()).toBe('');
});
