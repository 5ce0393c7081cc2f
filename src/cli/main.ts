#!/usr/bin/env node
import { inlineMore, keepCompiled } from '../platform/compiler.ts';
import { nodeFault } from './node-version.ts';

// An older Node shows the stack of a syntax error or of a missing function for what is imported
// here, so that everything else is imported only once it is known to be new enough.
const fault = nodeFault(process.versions.node);
if (fault === undefined) {
  inlineMore();
  keepCompiled();
  await import('./process.ts');
} else {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 2;
}
