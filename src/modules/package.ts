import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the package, whether this runs as source or as built. */
export const PACKAGE_ROOT = findRoot(dirname(fileURLToPath(import.meta.url)));

/** The folder of the strategies that come with Millrace: sources beside sources, built beside built. */
export const OWN_STRATEGIES = import.meta.url.endsWith('.ts')
  ? join(PACKAGE_ROOT, 'strategies')
  : join(PACKAGE_ROOT, 'dist', 'strategies');

function findRoot(folder: string): string {
  for (let here = folder; ; here = dirname(here)) {
    const manifest = readManifest(here);
    if (manifest?.name === 'millrace') return here;
    if (dirname(here) === here) throw new Error(`no package.json of millrace above ${folder}`);
  }
}

function readManifest(folder: string): { name?: string; version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string };
  } catch {
    return undefined;
  }
}

/** The version in the package's manifest. */
export const version = (): string => readManifest(PACKAGE_ROOT)?.version ?? '';
