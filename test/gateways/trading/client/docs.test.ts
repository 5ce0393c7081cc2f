import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planted, ROOT } from '../../../kit/planted.ts';
import { typeErrors } from '../../../kit/type-check.ts';

const PAGE = readFileSync(resolve(ROOT, 'docs/clients.md'), 'utf8');
const VENUE = 'http://127.0.0.1:8330';

const EXAMPLES = resolve(ROOT, 'examples/clients');

/** The programs of the page, and those that it links. */
const BLOCKS: readonly string[] = [
  ...[...PAGE.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code),
  ...readdirSync(EXAMPLES).map((name) => readFileSync(join(EXAMPLES, name), 'utf8')),
];

/** What a block says that it prints: the comments behind its `console.log`. */
const promised = (code: string): readonly string[] =>
  [...code.matchAll(/^\s*console\.log\(.*\); \/\/ (.+)$/gm)].map(([, line = '']) => line);

/** Starts Node in the project as the page says. */
const node = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, ['--conditions=millrace-source', ...args], { cwd: ROOT });

/** Runs the programs that it is given, and says on both outputs which comes now. */
const RUNNER = `
  const { argv, stdout, stderr } = process;
  for (const path of argv.slice(1)) {
    stdout.write('\\0');
    stderr.write('\\0');
    await import(path).catch((error) => stderr.write(String(error.stack)));
  }
`;

interface Printed {
  readonly out: string;
  readonly err: string;
}

/** Runs programs one after the other in one process, which has to end by itself; gives what each printed. */
async function run(
  codes: readonly string[],
): Promise<{ status: number | null; printed: Printed[] }> {
  const files = new Map(codes.map((code, index) => [`program-${index}.ts`, code]));
  const folder = planted(files);
  try {
    const paths = [...files.keys()].map((path) => pathToFileURL(join(folder, path)).href);
    const child = node(['--input-type=module', '--eval', RUNNER, ...paths]);
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new Error('no pipes');
    const ended = new Promise<number | null>((done) => child.once('close', done));
    const [out, err] = await Promise.all([text(stdout), text(stderr)]);
    const [outs, errs] = [out, err].map((whole) => whole.split('\0').slice(1));
    const printed = outs.map((own, index) => ({ out: own, err: errs[index] }));
    return { status: await ended, printed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The example venue, whose chains and services take no time, and whose assets are worth something
 * before the first trade: what is waited for is the same.
 */
const EXAMPLE = readFileSync(resolve(ROOT, 'config/venue.yaml'), 'utf8');
const HURRIED = EXAMPLE.replaceAll(/(block|accept|deposit|fulfil): \d+s/g, '$1: 50ms').replaceAll(
  /: \{ symbol: \w+ \}/g,
  ': 50000',
);

describe('docs/clients.md', () => {
  let venue: ChildProcess;
  let folder: string;
  let ran: Awaited<ReturnType<typeof run>>;

  beforeAll(async () => {
    expect(HURRIED).not.toBe(EXAMPLE);
    folder = planted(new Map([['venue.yaml', HURRIED]]));
    const config = join(folder, 'venue.yaml');
    venue = node(['bin/millrace.js', 'venue', config, '--port', '0', '--json']);
    const url = await new Promise<string>((done, failed) => {
      let reported = '';
      venue.once('exit', () => failed(new Error(`the venue ended: ${reported}`)));
      venue.stdout?.on('data', (bytes: Buffer) => {
        reported += bytes.toString('utf8');
        const port = /"port":\s*(\d+)/.exec(reported)?.[1];
        if (port !== undefined) done(`http://127.0.0.1:${port}`);
      });
    });
    ran = await run(BLOCKS.map((code) => code.replaceAll(VENUE, url)));
  });

  afterAll(() => {
    venue.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  test('shows only code that compiles', () => {
    expect(BLOCKS.length).toBeGreaterThanOrEqual(6);
    const files = BLOCKS.map((code, index) => [`docs/clients-${index}.ts`, code] as const);
    expect(typeErrors(new Map(files))).toEqual([]);
  });

  test.each(BLOCKS.map((code, i) => [i + 1, code] as const))(
    'block %i runs against the example venue and prints what it says',
    (number, code) => {
      expect(code).toContain(VENUE);
      const { out, err } = ran.printed[number - 1];
      expect(err).toBe('');
      const printed = out.split('\n');
      for (const line of promised(code)) expect(printed).toContain(line);
    },
  );

  test('the blocks leave nothing open that would keep their process alive', () => {
    expect(ran.status).toBe(0);
  });

  test('lists the errors that a client has', () => {
    const [, errors = ''] = PAGE.split('\n## Errors, and what is tried again\n');
    const [section = ''] = errors.split('\n## ');
    const listed = [...section.matchAll(/^- `([a-z-]+)`: /gm)].map(([, code]) => code);
    expect(listed).toEqual([
      ...['request-invalid', 'unreachable', 'service-refused', 'rate-limited'],
      ...['service-unavailable', 'outcome-unknown', 'answer-invalid', 'config-invalid'],
    ]);
  });
});
