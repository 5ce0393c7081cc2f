import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The chart library as one inline script. The built package has a copy of it, so that users do not
 * install the other 3 MB of the library; the sources read the installed development dependency.
 */
export function chartLibrary(): string {
  const { resolve } = createRequire(import.meta.url);
  const script = import.meta.url.endsWith('.ts')
    ? join(dirname(resolve('lightweight-charts/package.json')), 'dist', STANDALONE)
    : join(dirname(resolve('millrace/package.json')), 'dist', COPY);
  return readFileSync(script, 'utf8').replaceAll('</script', '<\\/script');
}

const STANDALONE = 'lightweight-charts.standalone.production.js';
/** Written by rolldown.config.ts. */
const COPY = 'chart-library.js';
