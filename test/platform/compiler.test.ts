import { execFile } from 'node:child_process';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const COMPILER = new URL('../../src/platform/compiler.ts', import.meta.url).href;

/** A function of some 660 bytes of bytecode, which is more than V8 takes by itself, called often. */
const PROGRAM = `
  const steps = Array.from({ length: 60 }, (_, i) => \`x = (x * 3 + \${i + 2}) | 0;\`).join('');
  const large = new Function(\`return function large(x) { \${steps} return x; }\`)();
  function caller(count) {
    let sum = 0;
    for (let i = 0; i < count; i += 1) sum = (sum + large(i)) | 0;
    return sum;
  }
  for (let i = 0; i < 200; i += 1) caller(10_000);
`;

/** Whether V8 puts the function in the place of its call, and what it has to complain of. */
async function run(
  start: string,
  options: string[],
): Promise<{ inlines: boolean; reported: string }> {
  const { stdout, stderr } = await promisify(execFile)(
    execPath,
    [
      ...['--no-warnings', '--trace-turbo-inlining', ...options],
      ...['--input-type=module', '--eval', `${start}\n${PROGRAM}`],
    ],
    { maxBuffer: 2 ** 26 },
  );
  return { inlines: /^Inlining .*SharedFunctionInfo large>/m.test(stdout), reported: stderr };
}

const ASKS = `import { inlineMore } from '${COMPILER}'; inlineMore();`;

test('a process that asks for it has larger functions put in the place of their calls', async () => {
  expect(await run('', [])).toEqual({ inlines: false, reported: '' });
  expect(await run(ASKS, [])).toEqual({ inlines: true, reported: '' });
});

test('limits that were given to Node stay', async () => {
  const given = ['--max-inlined-bytecode-size=100'];
  expect(await run(ASKS, given)).toEqual({ inlines: false, reported: '' });
});
