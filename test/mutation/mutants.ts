import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';

/** A change of one place in a source. */
export interface Mutant {
  readonly id: string;
  /** Relative to the project. */
  readonly file: string;
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
  readonly original: string;
  readonly replacement: string;
}

/** Sources with a switch for each of their mutants. */
export interface MutatedSources {
  readonly mutants: readonly Mutant[];
  /** By the full path. */
  readonly code: ReadonlyMap<string, string>;
}

const OPTIONS = {
  plugins: null,
  ignorers: [],
  // Words of messages are read by people.
  excludedMutations: ['StringLiteral'],
};

const isOn = (): boolean => false;
const log = (): void => undefined;
const LOGGER: ConstructorParameters<typeof Instrumenter>[0] = {
  ...{ isTraceEnabled: isOn, isDebugEnabled: isOn, isInfoEnabled: isOn },
  ...{ isWarnEnabled: isOn, isErrorEnabled: isOn, isFatalEnabled: isOn },
  ...{ trace: log, debug: log, info: log, warn: log, error: log, fatal: log },
};

/** The TypeScript files of a folder, or the file itself, relative to `root`. */
export function filesOf(root: string, path: string, ending = '.ts'): string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  return globSync(`${path}/**/*${ending}`, { cwd: root }).toSorted();
}

/** Puts the mutants into the sources that `files` names, relative to `root`. */
export async function mutatedSources(
  root: string,
  files: readonly string[],
): Promise<MutatedSources> {
  const texts = new Map(
    files.map((file) => [join(root, file), readFileSync(join(root, file), 'utf8')]),
  );
  const { files: instrumented, mutants } = await new Instrumenter(LOGGER).instrument(
    [...texts].map(([name, content]) => ({ name, content, mutate: true })),
    OPTIONS,
  );
  return {
    code: new Map(instrumented.map(({ name, content }) => [name, content])),
    mutants: mutants
      .filter(({ status }) => status !== 'Ignored')
      .map(({ id, fileName, location: { start, end }, replacement }) => ({
        id,
        file: fileName.slice(join(root, '/').length),
        line: start.line + 1,
        column: start.column + 1,
        original: excerpt(texts.get(fileName) ?? '', start, end),
        replacement,
      })),
  };
}

/** A place of Stryker: lines and columns from 0. */
interface Place {
  readonly line: number;
  readonly column: number;
}

/** The text between two places. */
function excerpt(text: string, start: Place, end: Place): string {
  const lines = text.split('\n').slice(start.line, end.line + 1);
  const last = lines.length - 1;
  lines[last] = lines[last].slice(0, end.column);
  lines[0] = lines[0].slice(start.column);
  return lines.join('\n');
}
