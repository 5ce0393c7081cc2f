import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
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
  const folder = mkdtempSync(join(tmpdir(), 'millrace-types-'));
  try {
    // The package's own name and relative paths lead to the sources from here too.
    for (const name of ['src', 'node_modules']) symlinkSync(join(ROOT, name), join(folder, name));
    copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
    const paths = [...files.keys()];
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    for (const [path, code] of files) write(path, code);
    write('.oxlintrc.json', JSON.stringify(SETTINGS));
    const options = { extends: join(ROOT, 'tsconfig.json'), include: paths };
    write('tsconfig.json', JSON.stringify(options));
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
