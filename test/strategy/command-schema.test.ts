import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commandsPage } from './commands-page.ts';

const PAGE = fileURLToPath(new URL('../../docs/commands.md', import.meta.url));

test('the reference of commands lists the members that the engine reads', async () => {
  await expect(commandsPage()).toMatchFileSnapshot(PAGE);
});
