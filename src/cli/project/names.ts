import { excerpt } from '../../config/excerpt.ts';
import { MillraceError } from '../../model/errors.ts';
import { camelCase, type Part } from './templates.ts';

const LENGTH_MAX = 32;
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** Dependencies of a project: npm installs none into a package of the same name. */
const PACKAGES = ['millrace', 'rxjs', 'typescript'];

/** Words that no constant of a module can have as its name, and those that a new test imports. */
const RESERVED = new Set(
  `arguments assert await break case catch class const continue debugger default delete do else enum
  eval export extends false finally for function if implements import in instanceof interface let new
  null package private protected public return static super switch test this throw true try typeof var
  void while with yield`.split(/\s+/),
);

/** Throws `usage` if a project, or a part of one, cannot have the name. */
export function checkName(name: string, kind: Part | 'project'): void {
  if (!NAME.test(name) || name.length > LENGTH_MAX) {
    throw wrong(
      `"${excerpt(name)}" is no name of a ${kind}. Use lower-case letters, digits and single hyphens, a letter first and at most ${LENGTH_MAX} characters, such as my-${kind}.`,
    );
  }
  if (kind === 'project' && PACKAGES.includes(name)) {
    throw wrong(`"${name}" is a package that the project depends on. Choose another name.`);
  }
  if (kind !== 'project' && RESERVED.has(camelCase(name))) {
    throw wrong(`"${name}" already means something in the code. Choose another name.`);
  }
}

const wrong = (sentence: string): MillraceError =>
  new MillraceError('usage', sentence, { field: 'name' });
