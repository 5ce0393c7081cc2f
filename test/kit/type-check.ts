import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, planted } from './planted.ts';

const LINTER = join(ROOT, 'node_modules/oxlint/bin/oxlint');

/** Types and nothing else. */
const SETTINGS = {
  options: { typeAware: true, typeCheck: true },
  categories: { correctness: 'off' },
  plugins: [],
};

interface Report {
  readonly diagnostics: readonly {
    readonly code: string;
    readonly message: string;
    readonly filename: string;
  }[];
}

/**
 * What the compiler says of code, by the path that it would have in the project, as if it were there:
 * `path: code: message`. It is the native compiler, which `npm run check` checks types with too.
 */
export function typeErrors(files: ReadonlyMap<string, string>): string[] {
  const folder = planted(files);
  try {
    const paths = [...files.keys()];
    const options = { extends: join(ROOT, 'tsconfig.json'), include: paths };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
    writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(SETTINGS));
    const args = [LINTER, '-c', '.oxlintrc.json', '-f', 'json', ...paths];
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    if (!stdout.startsWith('{'))
      throw new Error(`The linter ended without findings: ${stdout}${stderr}`);
    return (JSON.parse(stdout) as Report).diagnostics.map(
      ({ code, message, filename }) => `${filename}: ${code}: ${message}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
