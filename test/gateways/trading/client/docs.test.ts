import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { typeErrors } from '../../../kit/type-check.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const PAGE = readFileSync(resolve(ROOT, 'docs/clients.md'), 'utf8');
const VENUE = 'http://127.0.0.1:8330';

const BLOCKS: readonly string[] = [...PAGE.matchAll(/^```ts\n(.*?)^```$/gms)].map(
  ([, code = '']) => code,
);

/** What a block says that it prints: the comments behind its `console.log`. */
const promised = (code: string): readonly string[] =>
  [...code.matchAll(/^\s*console\.log\(.*\); \/\/ (.+)$/gm)].map(([, line = '']) => line);

/** Starts Node in the project as the page says. */
const node = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, ['--conditions=millrace-source', ...args], { cwd: ROOT });

/** Runs a program that is handed over as text; gives what it printed, both ways, and its end. */
async function run(code: string): Promise<{ status: number | null; out: string; err: string }> {
  const child = node(['--input-type=module-typescript', '-']);
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('no pipes');
  const ended = new Promise<number | null>((done) => child.once('close', done));
  stdin.end(code);
  const [out, err] = await Promise.all([text(stdout), text(stderr)]);
  return { status: await ended, out, err };
}

describe('docs/clients.md', () => {
  let venue: ChildProcess;
  let url = '';

  beforeAll(async () => {
    venue = node(['src/cli/main.ts', 'venue', '--port', '0', '--json']);
    url = await new Promise<string>((done, failed) => {
      let told = '';
      venue.once('exit', () => failed(new Error(`the venue ended: ${told}`)));
      venue.stdout?.on('data', (bytes: Buffer) => {
        told += bytes.toString('utf8');
        const port = /"port":\s*(\d+)/.exec(told)?.[1];
        if (port !== undefined) done(`http://127.0.0.1:${port}`);
      });
    });
  });

  afterAll(() => {
    venue.kill('SIGTERM');
  });

  test('shows only code that compiles', () => {
    expect(BLOCKS.length).toBeGreaterThanOrEqual(3);
    const files = BLOCKS.map((code, index) => [`docs/clients-${index}.ts`, code] as const);
    expect(typeErrors(new Map(files))).toEqual([]);
  });

  test.each(BLOCKS.map((code, i) => [i + 1, code] as const))(
    'block %i runs against the example venue and prints what it says',
    async (_, code) => {
      expect(code).toContain(VENUE);
      const { status, out, err } = await run(code.replaceAll(VENUE, url));
      expect([status, err]).toEqual([0, '']);
      const printed = out.split('\n');
      for (const line of promised(code)) expect(printed).toContain(line);
    },
  );

  test('lists the errors that a client has', () => {
    const [, errors = ''] = PAGE.split('\n## Errors, and what is tried again\n');
    const [section = ''] = errors.split('\n## ');
    const listed = [...section.matchAll(/^\| `([a-z-]+)`/gm)].map(([, code]) => code);
    expect(listed).toEqual([
      ...['request-invalid', 'unreachable', 'service-refused', 'rate-limited'],
      ...['service-unavailable', 'fate-unknown', 'answer-invalid', 'config-invalid'],
    ]);
  });
});
