import { readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { argumentsOf, lines } from '../../cli/pages.ts';
import { started } from '../../cli/process.ts';
import { NatsServer, testWithNats as test, WHY } from '../../kit/nats-server.ts';
import { temporaryFolder } from '../../kit/recordings.ts';

const PAGE = 'docs/research.md';
const ADDRESS = 'nats://127.0.0.1:4222';

test(`the commands of the page for two machines run when pasted, with the same results as on one${WHY}`, async () => {
  const { url } = await NatsServer.start();
  const commands = lines(PAGE).flatMap((line) => {
    const args = argumentsOf(line.replace(ADDRESS, url));
    return args === undefined ? [] : [args];
  });
  const worker = commands.find(([name]) => name === 'worker') ?? [];
  const over = commands.find((args) => args[0] === 'sweep' && args.includes('--nats')) ?? [];
  // The same line without the address.
  const alone =
    commands.find((args) => [...args, '--nats', url].join(' ') === over.join(' ')) ?? [];
  expect([worker.length, over.length, alone.length]).not.toContain(0);
  // Two folders stand for two machines.
  const [here, there] = [temporaryFolder(), temporaryFolder()];
  symlinkSync(resolve('config'), join(here, 'config'));
  const working = started(worker, { cwd: there });
  onTestFinished(async () => {
    working.child.kill('SIGKILL');
    await working.ended;
  });
  await working.says('waiting for sweeps');
  const results = join(here, 'runs/sweep-ema-cross/results.csv');
  const first = started([...over, '--out', 'over'], { cwd: here });
  expect(await first.ended).toMatchObject({ code: 0 });
  const second = started(alone, { cwd: here });
  expect(await second.ended).toMatchObject({ code: 0 });
  expect(readFileSync(join(here, 'over/results.csv'), 'utf8')).toBe(readFileSync(results, 'utf8'));
  working.child.kill('SIGTERM');
  expect(await working.ended).toMatchObject({ code: 0 });
  expect(working.err()).toContain('14 runs done');
}, 240_000);
