import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blocks } from '../pages.ts';
import { started } from '../process.ts';
import { project } from '../../kit/project.ts';

const PAGE = 'docs/gateways.md';

/** A project with the venue, the strategy and the bot of the page. */
function pasted(): string {
  const folder = project();
  const [venue, strategy] = blocks(PAGE, 'ts');
  const bot = blocks(PAGE, 'yaml')[1];
  writeFileSync(join(folder, 'my-venue.ts'), venue);
  writeFileSync(join(folder, 'flipper.ts'), strategy);
  writeFileSync(join(folder, 'bot.yaml'), `${bot}control: { port: 0 }\nlog: { level: debug }\n`);
  return folder;
}

test('a bot trades on the venue of the page, and is stopped', async () => {
  const cwd = pasted();
  const doctor = started(['doctor', 'bot.yaml'], { cwd });
  await doctor.ended;
  expect(doctor.out()).toMatch(/ok +gateway \(mine\): .*my-venue.ts lets in/);
  expect(doctor.out()).not.toContain('fail');
  const bot = started(['run', 'bot.yaml'], { cwd });
  await bot.says(' trades (');
  await bot.says('"side":"sell"');
  bot.child.kill('SIGINT');
  expect(await bot.ended).toEqual({ code: 0, signal: null });
  const journal = started(['journal', 'data/mine.live.sqlite'], { cwd });
  await journal.ended;
  expect(journal.out()).toBe('');
}, 120_000);
