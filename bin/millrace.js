#!/usr/bin/env node
// Plain JavaScript that Node 14 can read: an older Node than the one that is needed has to come as
// far as the sentence below, and from the sources no compiler of types is loaded for this file.
import module from 'node:module';

// As in src/platform/node-version.ts, which cannot be loaded before Node is known to be new enough.
const NODE_MIN = '24.9';
const [major, minor] = process.versions.node.split('.').map(Number);
const [majorMin, minorMin] = NODE_MIN.split('.').map(Number);

if (major < majorMin || (major === majorMin && minor < minorMin)) {
  process.stderr.write(
    `Millrace needs Node ${NODE_MIN} or newer, and this is Node ${process.versions.node}: install a newer one, or start millrace with it.\n`,
  );
  process.exitCode = 2;
} else {
  // Node keeps what it compiles for the next process, among the temporary files or where
  // NODE_COMPILE_CACHE says; where it cannot, it does without. It comes before all other imports.
  // Coverage is not exact for functions that come out of the cache.
  if (process.env.NODE_V8_COVERAGE === undefined) module.enableCompileCache();
  // The sources under the condition millrace-source, else what was built.
  await import('#cli');
}
