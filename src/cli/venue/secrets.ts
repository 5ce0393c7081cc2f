import { resolve } from 'node:path';
import { z } from 'zod';
import { readSecretFile } from '../../config/secret-file.ts';

/** Sources of secrets that are not in the configuration. */
export interface SecretSources {
  /** The folder of the configuration, which paths in it are relative to. */
  readonly folder: string;
  readonly environment: Readonly<Partial<Record<string, string>>>;
}

const EXPECTED = 'text, or env: NAME, or file: PATH';

const RENAMED = 'env: NAME, the new name of environment: NAME';

const wasEnvironment = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && 'environment' in input;

/** A secret: the text itself, or the variable or the file that holds it. */
export const secretOf = ({ folder, environment }: SecretSources) =>
  z
    .union(
      [
        z.string().min(1),
        z.strictObject({ env: z.string().min(1) }),
        z.strictObject({ file: z.string().min(1) }),
      ],
      { error: ({ input }) => (wasEnvironment(input) ? RENAMED : EXPECTED) },
    )
    .transform((given, context) => {
      if (typeof given === 'string') return given;
      const found = 'file' in given ? read(resolve(folder, given.file)) : environment[given.env];
      if (found !== undefined && found !== '') return found;
      context.addIssue({
        code: 'custom',
        message:
          'file' in given
            ? 'a file that can be read, holds text of at most 64 KiB and is not empty'
            : `a variable of the environment that is set`,
        input: given,
      });
      return z.NEVER;
    });

function read(path: string): string | undefined {
  try {
    return readSecretFile(path).text;
  } catch {
    return undefined;
  }
}
