import { resolve } from 'node:path';
import { z } from 'zod';
import { readSecretFile } from '../../config/secret-file.ts';

/** Where secrets that a configuration does not hold itself come from. */
export interface SecretSources {
  /** The folder of the configuration, which paths in it are relative to. */
  readonly folder: string;
  readonly environment: Readonly<Partial<Record<string, string>>>;
}

/** A secret: the text itself, or the variable or the file that holds it. */
export const secretOf = ({ folder, environment }: SecretSources) =>
  z
    .union(
      [
        z.string().min(1),
        z.strictObject({ environment: z.string().min(1) }),
        z.strictObject({ file: z.string().min(1) }),
      ],
      { error: 'text, or environment: NAME, or file: PATH' },
    )
    .transform((given, context) => {
      if (typeof given === 'string') return given;
      const found =
        'file' in given ? read(resolve(folder, given.file)) : environment[given.environment];
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
