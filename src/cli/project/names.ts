import { excerpt } from '../../config/excerpt.ts';
import { MillraceError } from '../../model/errors.ts';
import { camelCase, type Part } from './templates.ts';

const LENGTH_MAX = 32;
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** A project of such a name could not import the package. */
const PACKAGES = ['millrace', 'rxjs', 'typescript', 'test'];

/** Words that no constant of a module can have as its name, and those that a new test imports. */
const RESERVED = new Set(
  `arguments assert await break case catch class const continue debugger default delete do else enum
  eval export extends false finally for function if implements import in instanceof interface let new
  null package private protected public return static super switch test this throw true try typeof var
  void while with yield`.split(/\s+/),
);

/** Gives the name of a new project or part of one back. Throws `usage`. */
export function checkedName(name: string, kind: Part | 'project'): string {
  if (!NAME.test(name) || name.length > LENGTH_MAX) {
    throw wrong(
      `"${excerpt(name)}" is no name of a ${kind}. Use lower-case letters, digits and single hyphens, a letter first and at most ${LENGTH_MAX} characters, such as my-${kind}.`,
    );
  }
  const taken = kind === 'project' ? PACKAGES.includes(name) : RESERVED.has(camelCase(name));
  if (taken) throw wrong(`"${name}" already means something in JavaScript. Choose another name.`);
  return name;
}

const wrong = (sentence: string): MillraceError =>
  new MillraceError('usage', sentence, { field: 'name' });
