import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PACKAGE_ROOT } from '../../modules/package.ts';
import type { NewFile } from './file-set.ts';

/** The folder of the files that new projects begin with. */
export const TEMPLATES = join(PACKAGE_ROOT, 'templates');

/** Parts that `millrace new` adds to a project. */
export type Part = 'strategy' | 'indicator' | 'importer';

/** Under their own names npm, git and TypeScript would read them in the package of Millrace. */
const RENAMED: Readonly<Record<string, string>> = {
  _gitignore: '.gitignore',
  '_package.json': 'package.json',
  '_tsconfig.json': 'tsconfig.json',
};

/** The files of a template, with each placeholder replaced in paths and texts. */
export function templateFiles(
  template: Part | 'project',
  names: Readonly<Record<string, string>>,
): readonly (NewFile & { readonly content: string })[] {
  const folder = join(TEMPLATES, template);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const name = RENAMED[entry.name] ?? entry.name;
      const path = relative(folder, join(entry.parentPath, name));
      const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
      return { path: named(path, names), content: named(text, names) };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Placeholders of a part, such as `my-strategy` in files and `myStrategy` in code. */
export const namesOf = (part: Part, name: string): Readonly<Record<string, string>> => ({
  [`my-${part}`]: name,
  [camelCase(`my-${part}`)]: camelCase(name),
});

export const camelCase = (name: string): string =>
  name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

function named(text: string, names: Readonly<Record<string, string>>): string {
  return Object.entries(names).reduce((done, [placeholder, name]) => done.replaceAll(placeholder, () => name), text); // prettier-ignore
}
