#!/usr/bin/env node
// `npm create millrace my-bot` is `millrace new project my-bot`, with all its options.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const manifest = createRequire(import.meta.url).resolve('millrace/package.json');
const main = join(dirname(manifest), 'bin', 'millrace.js');
process.argv.splice(1, 1, main, 'new', 'project');
await import(pathToFileURL(main).href);
