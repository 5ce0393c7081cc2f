import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
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
  const searches = commands.filter((args) => args[0] !== 'worker' && args.includes('--nats'));
  expect([worker[0], ...searches.map(([name]) => name)]).toEqual([
    ...['worker', 'sweep', 'walk-forward'],
  ]);
  // Folders stand for machines: the one that searches, and two that compute.
  const here = temporaryFolder();
  symlinkSync(resolve('config'), join(here, 'config'));
  const workers = [temporaryFolder(), temporaryFolder()].map((cwd) => started(worker, { cwd }));
  onTestFinished(async () => {
    for (const { child } of workers) child.kill('SIGKILL');
    await Promise.all(workers.map(({ ended }) => ended));
  });
  await Promise.all(workers.map((each) => each.says('waiting for sweeps')));
  for (const over of searches) {
    // The same line without the address.
    const alone = commands.find((args) => [...args, '--nats', url].join(' ') === over.join(' '));
    const [name] = over;
    const first = started([...over, '--out', `over-${name}`], { cwd: here });
    expect(await first.ended, first.err()).toMatchObject({ code: 0 });
    const second = started(alone ?? [], { cwd: here });
    expect(await second.ended, second.err()).toMatchObject({ code: 0 });
    const tables = readdirSync(join(here, `runs/${name}-ema-cross`)).filter((file) =>
      /\.(csv|parquet)$/.test(file),
    );
    expect(tables).toHaveLength(4);
    for (const table of tables) {
      const there = readFileSync(join(here, `over-${name}`, table));
      const same = readFileSync(join(here, `runs/${name}-ema-cross`, table)).equals(there);
      expect(same, `${name} ${table}`).toBe(true);
    }
  }
  for (const { child } of workers) child.kill('SIGTERM');
  for (const { ended } of workers) expect(await ended).toMatchObject({ code: 0 });
  const runs = workers.map((each) =>
    Array.from(each.err().matchAll(/^(\d+) runs done$/gm), ([, count]) => Number(count)),
  );
  // 14 sets, then two in the training and the test of two folds.
  expect(runs.flat().reduce((sum, count) => sum + count, 0)).toBe(14 + 8);
}, 360_000);
