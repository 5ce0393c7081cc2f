import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { IS_SENTENCE } from '../../config/explain.ts';
import { readSecretFile } from '../../config/secret-file.ts';
import { MillraceError } from '../../model/errors.ts';

/** The source of a secret: never the configuration itself. */
export type SecretSource =
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string };

const HOW = 'name a variable of the environment, { env: NAME }, or a file, { file: PATH }';

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

const refuse = (context: z.RefinementCtx, message: string): never => {
  context.addIssue({ code: 'custom', message, params: { [IS_SENTENCE]: true } });
  return z.NEVER;
};

const place = (key: string, description: string): object => ({
  type: 'object',
  properties: { [key]: { type: 'string', minLength: 1, description } },
  required: [key],
  additionalProperties: false,
});

/** The schema for editors, which may show any value they read. */
export const SECRET_FOR_EDITORS = {
  anyOf: [
    place('env', 'A variable of the environment.'),
    place('file', 'A file that holds nothing else.'),
  ],
};

/**
 * The source of a secret; paths are relative to `folder`. A literal secret is rejected, and no error shows
 * what was read.
 */
export const secretSource = (folder: string) =>
  z
    .unknown()
    .transform((given, context): SecretSource => {
      if (typeof given !== 'object' || given === null) {
        return refuse(
          context,
          `A secret does not belong into this file, which others come to see: ${HOW}. If this file was shared, make a new key.`,
        );
      }
      const members: readonly (readonly [string, unknown])[] = Object.entries(given);
      const [[key, value] = ['', undefined]] = members;
      if (members.length !== 1 || typeof value !== 'string' || value === '') {
        return refuse(context, `To say where a secret is, ${HOW}.`);
      }
      if (key === 'file') return { kind: 'file', path: resolve(folder, value) };
      if (key !== 'env') return refuse(context, `To say where a secret is, ${HOW}.`);
      if (VARIABLE.test(value)) return { kind: 'environment', name: value };
      return refuse(
        context,
        'env takes the name of a variable: letters, digits and _, such as VENUE_SECRET.',
      );
    })
    .meta(SECRET_FOR_EDITORS);

export type Environment = Readonly<Partial<Record<string, string>>>;

/** A secret that was found, and what its owner should know about it. */
export interface FoundSecret {
  readonly text: string;
  readonly warning?: string;
}

/** True if a secret exists, or cannot be read: an empty variable or a missing file is none. */
export const hasSecret = (source: SecretSource, environment: Environment): boolean =>
  source.kind === 'file'
    ? existsSync(source.path)
    : (environment[source.name]?.trim() ?? '') !== '';

/** Reads a secret. Throws `secret-missing` with its place in the configuration. */
export function findSecret(
  source: SecretSource,
  environment: Environment,
  where: string,
): FoundSecret {
  const found =
    source.kind === 'file' ? ofFile(source.path, where) : ofEnvironment(source.name, environment);
  if (typeof found !== 'string') return found;
  throw new MillraceError('secret-missing', `${where}: ${found}`, { where });
}

function ofEnvironment(name: string, environment: Environment): FoundSecret | string {
  const text = environment[name]?.trim();
  if (text !== undefined && text !== '') return { text };
  return `the variable ${name} is not set in the environment. Set it (export ${name}=…), or name a file instead: { file: PATH }.`;
}

/** Permissions of the group and of all others on a file. */
const OTHERS = 0o077;

function ofFile(path: string, where: string): FoundSecret | string {
  let text: string;
  let mode: number;
  try {
    const file = readSecretFile(path);
    ({ text } = file);
    ({ mode } = file.stats);
  } catch (error) {
    const why =
      error instanceof Error ? ('code' in error ? String(error.code) : error.message) : 'it fails';
    return `the file ${path} cannot be read (${why}). Write the secret into it, readable by this user alone (chmod 600).`;
  }
  if (text === '') return `the file ${path} is empty. Write the secret into it.`;
  if ((mode & OTHERS) === 0) return { text };
  return {
    text,
    warning: `${where}: others on this machine may read the secret in ${path}; take that right from them: chmod 600 ${path}`,
  };
}
