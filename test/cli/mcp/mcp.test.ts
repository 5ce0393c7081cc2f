import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { there } from '../../kit/patience.ts';
import { temporaryFolder } from '../../kit/recordings.ts';
import { millrace } from '../command.ts';
import { connected } from './client.ts';

/** A folder as a user has it: a recording of a minute and a strategy. */
function project(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'recordings'));
  mkdirSync(join(folder, 'strategies'));
  copyFileSync('config/sample/BTCUSDT.arrow', join(folder, 'recordings', 'BTCUSDT.arrow'));
  return folder;
}

const strategy = (body: string, summary = 'A trial.'): string =>
  `import { defineStrategy, z } from 'millrace';
import { EMPTY } from 'rxjs';
export default defineStrategy({ name: 'own', summary: '${summary}', parameters: z.strictObject({}), run() { ${body} return EMPTY; } });
`;

const RECORDINGS = ['recordings/BTCUSDT.arrow'];
const BACKTEST = { strategy: 'ema-cross', recordings: RECORDINGS, balances: { USDT: 10_000 } };

/** Whether a process runs: one that ended and that nobody waits for is a zombie, which does not. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

const refused = (code: string): object => ({
  isError: true,
  data: { error: expect.objectContaining({ code }) as unknown },
});

test('a server that was not given a bot offers reading and research alone', async () => {
  const { client } = await connected(temporaryFolder());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'explain_code',
    'export_result',
    'inspect_recording',
    'list_strategies',
    'read_docs',
    'read_schema',
    'run_backtest',
    'run_sweep',
    'search_docs',
  ]);
});

test('docs, schemas and codes can be searched and read', async () => {
  const { client, call } = await connected(temporaryFolder());
  const found = await call('search_docs', { query: 'flatten kill pause' });
  expect(found.data).toMatchObject({ found: expect.any(Array) as unknown });
  const { found: sections } = found.data as { found: { page: string }[] };
  expect(sections.map(({ page }) => page)).toContain('operating-a-bot');

  const page = readFileSync('docs/decisions.md', 'utf8');
  let text = '';
  let offset: number | null = 0;
  while (offset !== null) {
    const { data } = await call('read_docs', { page: 'decisions', offset });
    const part = data as { text: string; nextOffset: number | null };
    text += part.text;
    offset = part.nextOffset;
  }
  expect(text).toBe(page);
  expect(await call('read_docs', { page: '../package' })).toMatchObject(refused('usage'));
  expect(await call('explain_code', { code: 'bot-unreachable' })).toMatchObject({ isError: false });
  expect((await call('read_schema', { of: 'commands' })).data).toMatchObject({
    text: expect.stringContaining('## place') as unknown,
  });
  expect((await call('read_schema', { of: 'backtest' })).data).toMatchObject({ type: 'object' });

  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toContain('millrace://docs/risk');
  const { contents } = await client.readResource({ uri: 'millrace://errors' });
  expect(contents[0]).toMatchObject({
    text: expect.stringContaining('strategy-failed') as unknown,
  });
});

test('a backtest gives the figures, warnings and files of the same command, and reports progress', async () => {
  const folder = project();
  const { client, call } = await connected(folder);
  const told: number[] = [];
  const { isError, data } = await call('run_backtest', BACKTEST, {
    onprogress: ({ progress }) => void told.push(progress),
  });
  expect(isError, JSON.stringify(data)).toBe(false);
  const { hash, warnings, report } = data as Record<string, string>;
  const direct = await millrace(
    [
      ...['backtest', '--json', '-s', 'ema-cross', '-r', ...RECORDINGS],
      ...['-b', 'USDT=10000', '-o', 'other'],
    ],
    { cwd: folder },
  );
  expect(JSON.parse(direct.out)).toMatchObject({ hash, warnings });
  expect(existsSync(report ?? '')).toBe(true);
  expect(told.length).toBeGreaterThan(1);
  expect(told).toEqual([...new Set(told)].sort((a, b) => a - b));

  const [run = ''] = readdirSync(join(folder, 'runs'));
  const { contents } = await client.readResource({ uri: `millrace://runs/${run}` });
  expect(contents[0]).toMatchObject({ text: expect.stringContaining(hash ?? '?') as unknown });

  const exported = { result: join('runs', run), as: 'parquet' };
  const { paths } = (await call('export_result', exported)).data as { paths: readonly string[] };
  expect(paths).toContain(join(folder, 'runs', `${run}-parquet`, 'fills.parquet'));
  expect(await call('export_result', exported)).toMatchObject(refused('file-exists'));
});

test('a sweep ranks its sets, and a recording is described', async () => {
  const { call } = await connected(project());
  const swept = await call('run_sweep', {
    ...{ strategy: 'ema-cross', recordings: RECORDINGS, vary: { fast: '3,5' } },
    ...{ objective: 'profit', workers: 1 },
  });
  expect(swept, JSON.stringify(swept.data)).toMatchObject({
    isError: false,
    data: { counts: { done: 2 } },
  });
  const looked = await call('inspect_recording', { paths: RECORDINGS });
  expect(looked.data).toMatchObject([{ instrument: { symbol: 'BTCUSDT' } }]);
});

test('a strategy is read again for each call, and what it prints does not reach the protocol', async () => {
  const folder = project();
  const file = join(folder, 'strategies', 'own.ts');
  writeFileSync(file, strategy(`console.log('{"hash":"forged"}');`));
  const { call } = await connected(folder);
  const given = { ...BACKTEST, strategy: 'own' };
  const first = await call('run_backtest', given);
  expect(first, JSON.stringify(first.data)).toMatchObject({ isError: false });
  expect(first.data).not.toMatchObject({ hash: 'forged' });
  writeFileSync(file, strategy(`throw new Error('a fault of the author');`));
  expect(await call('run_backtest', given)).toMatchObject(refused('strategy-failed'));
  const described = await call('list_strategies', { name: 'own' });
  expect(described.data).toMatchObject([{ name: 'own', summary: 'A trial.' }]);
});

test('a canceled run ends although its strategy never returns, and the next one runs', async () => {
  const folder = project();
  writeFileSync(join(folder, 'strategies', 'own.ts'), strategy('for (;;) {}'));
  const { call } = await connected(folder);
  const controller = new AbortController();
  const stuck = call(
    'run_backtest',
    { ...BACKTEST, strategy: 'own' },
    { signal: controller.signal },
  );
  const next = call('run_backtest', BACKTEST);
  await call('explain_code', { code: 'usage' });
  controller.abort(new Error('enough'));
  await expect(stuck).rejects.toThrow();
  expect(await next).toMatchObject({ isError: false });
});

test('a run ends with its server, even where that is killed', async () => {
  const folder = project();
  writeFileSync(
    join(folder, 'strategies', 'stuck.ts'),
    `import { writeFileSync } from 'node:fs';
import { defineStrategy, z } from 'millrace';
export default defineStrategy({ name: 'stuck', summary: 'Never returns.', parameters: z.strictObject({ n: z.number().default(1) }), run() { writeFileSync('pid', String(process.pid)); for (;;) {} } });
`,
  );
  const { call, pid } = await connected(folder);
  const given = { strategy: 'stuck', recordings: RECORDINGS, vary: { n: '1,2' }, workers: 1 };
  const lost = call('run_sweep', given).catch(() => 'lost');
  const file = join(folder, 'pid');
  await there(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
  const runner = Number(readFileSync(file, 'utf8'));
  expect(isAlive(runner)).toBe(true);
  process.kill(pid, 'SIGKILL');
  expect(await lost).toBe('lost');
  await there(() => !isAlive(runner));
});

test('no path leads out of the folder, by dots, links, absolute or through a configuration', async () => {
  const folder = project();
  const outside = project();
  symlinkSync(outside, join(folder, 'link'));
  const { call } = await connected(folder);
  const recording = join(outside, 'recordings', 'BTCUSDT.arrow');
  writeFileSync(
    join(folder, 'far.yaml'),
    `strategy: ema-cross\nrecordings: [${recording}]\nbalances: { USDT: 10000 }\n`,
  );
  const calls: readonly [string, Record<string, unknown>][] = [
    ['run_backtest', { ...BACKTEST, recordings: [recording] }],
    ['run_backtest', { ...BACKTEST, recordings: ['link/recordings/BTCUSDT.arrow'] }],
    ['run_backtest', { ...BACKTEST, out: '../elsewhere' }],
    ['run_backtest', { ...BACKTEST, out: 'link/new/deep' }],
    ['run_backtest', { ...BACKTEST, strategy: '../own.ts' }],
    ['run_backtest', { config: 'far.yaml' }],
    ['run_sweep', { ...{ vary: { fast: '3' }, recordings: [recording] } }],
    ['inspect_recording', { paths: [recording] }],
    ['export_result', { result: 'link/runs', as: 'csv' }],
    ['export_result', { result: 'runs', as: 'csv', out: '../elsewhere' }],
    ['export_result', { result: '.', as: 'csv' }],
    ['list_strategies', { name: './link/strategies/own.ts' }],
  ];
  for (const [name, args] of calls) {
    expect(await call(name, args), JSON.stringify(args)).toMatchObject(refused('path-outside'));
  }
  // A value that looks like an option is a value.
  expect(await call('run_backtest', { ...BACKTEST, seed: 1, from: '--out=/' })).toMatchObject(
    refused('usage'),
  );
  expect(
    await call('run_backtest', { ...BACKTEST, parameters: { '--out': join(outside, 'x') } }),
  ).toMatchObject(refused('parameter-invalid'));
  expect(readdirSync(outside).sort()).toEqual(['recordings', 'strategies']);
});

test('a strategy sees no secret of the environment', async () => {
  const folder = project();
  writeFileSync(
    join(folder, 'strategies', 'own.ts'),
    strategy(`throw new Error('it sees ' + String(process.env['API_SECRET']));`),
  );
  const { call } = await connected(folder, [], { API_SECRET: 'hush-hush' });
  const { data } = await call('run_backtest', { ...BACKTEST, strategy: 'own' });
  expect(JSON.stringify(data)).toContain('it sees undefined');
});

test('a scope without a bot, and a folder that is not there, are refused at the start', async () => {
  const cwd = temporaryFolder();
  const scoped = await millrace(['mcp', '--allow', 'paper'], { cwd });
  expect(scoped).toMatchObject({ code: 2, err: expect.stringContaining('--bot') as unknown });
  const nowhere = await millrace(['mcp', '--root', 'not-here'], { cwd });
  expect(nowhere).toMatchObject({ code: 2, err: expect.stringContaining('not-here') as unknown });
});
