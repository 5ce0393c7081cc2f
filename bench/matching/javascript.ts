import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const RELATIVE = /(\bfrom\s+'\.{1,2}\/[^']+)\.ts'/g;

/**
 * Writes a source file, and all of the project that it imports, into a folder as JavaScript, and
 * gives the path of what became of it. What is delivered is JavaScript too. A process that takes
 * the types away while it loads runs another program by the way, whose memory grows; from then on
 * V8 asks before every access to any typed array whether it has lost its memory, which makes the
 * exchange a tenth to a fifth slower than it is for who installs it.
 */
export function writeJavaScript(source: string, folder: string): string {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const written = new Set<string>();
  const write = (path: string): void => {
    if (written.has(path)) return;
    written.add(path);
    const code = stripTypeScriptTypes(readFileSync(path, 'utf8'));
    const target = targetOf(path, folder);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code.replaceAll(RELATIVE, "$1.js'"));
    for (const [, specifier] of code.matchAll(RELATIVE)) {
      const [, imported] = specifier.split("'");
      write(join(dirname(path), `${imported}.ts`));
    }
  };
  write(source);
  return targetOf(source, folder);
}

const targetOf = (path: string, folder: string): string =>
  join(folder, relative(ROOT, path).replace(/\.ts$/, '.js'));
