import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { nodeBinary } from '../node/binary.ts';
import { smoke } from './smoke.ts';

// Runs every command of `millrace` once, under the Node that runs this or another (`--node 24`, or a
// path), from the sources or as built (`--main bin/millrace.js`), and ends with 1 where one
// fails.

const SOURCES = [
  '--conditions=millrace-source',
  fileURLToPath(new URL('../../bin/millrace.js', import.meta.url)),
];

const { values } = parseArgs({ options: { node: { type: 'string' }, main: { type: 'string' } } });
const node = values.node === undefined ? process.execPath : nodeBinary(values.node);
const entry = values.main === undefined ? SOURCES : [resolve(values.main)];
const { passed, failed } = await smoke({
  node,
  entry,
  say: (line) => process.stdout.write(`${line}\n`),
});
process.stdout.write(`${passed} steps passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
