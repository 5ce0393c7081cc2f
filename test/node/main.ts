import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { nodeBinary } from './binary.ts';

// Runs the tests under another Node: `npm run test:node -- 24 test/feeds`. The first argument is a
// version or the path of a Node, those that follow go to vitest. Whatever processes tests start run
// under it too.

const [asked, ...rest] = process.argv.slice(2);
if (asked === undefined) {
  process.stderr.write('Say which Node: npm run test:node -- 24 [what vitest takes]\n');
  process.exit(2);
}

const node = nodeBinary(asked);
const vitest = join(
  dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
);
// Scripts of npm that tests start look for Node here first.
const PATH = [dirname(node), process.env['PATH']].join(delimiter);
const child = spawn(node, [vitest, 'run', ...rest], {
  stdio: 'inherit',
  env: { ...process.env, PATH },
});
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
