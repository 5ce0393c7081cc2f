import { z } from 'zod';
import { MillraceError } from '../../model/errors.ts';
import type { TokenTerms } from '../../swaps/tokens.ts';
import { refuseWrongSettings } from '../http/unknown-members.ts';

/** Addresses of providers; never echoed, as a path is often a key. */
export const providerUrls = (example: string) =>
  z
    .array(
      z.string().refine((url) => /^https?:\/\//.test(url) && URL.canParse(url), {
        error: `must be an address such as ${example}`,
      }),
    )
    .min(1, 'must have one address at least');

/** A bound of what may be spent, in smallest units of the coin. */
export const bound = (unit: string) =>
  z.bigint({ error: `must be a bigint of ${unit}` }).positive('must be above 0');

/** The path of the book of a node. */
export const bookPath = z.string().min(1, 'must be the path of a file');

/** A setting of a node that is of no use. */
export const wrongSetting = (node: string, field: string, sentence: string): MillraceError =>
  new MillraceError('config-invalid', `The setting ${field} of the ${node} node: ${sentence}.`, {
    field,
  });

/** Throws `config-invalid` for options that a form does not know or take, or without their coin. */
export function checkNodeOptions<
  Options extends { readonly tokens: readonly TokenTerms[]; readonly coin: number },
>(
  node: string,
  what: string,
  options: Options,
  form: z.ZodObject<Record<Exclude<keyof Options, 'http'>, z.ZodType>>,
): void {
  refuseWrongSettings(what, options, new Set([...Object.keys(form.shape), 'http']));
  const read = form.safeParse(options);
  if (!read.success) {
    const [{ path, message }] = read.error.issues;
    throw wrongSetting(node, path.join('.'), message);
  }
  const { tokens, coin } = options;
  if (tokens.some(({ id }) => id === coin)) return;
  throw wrongSetting(node, 'coin', 'is the id of none of the tokens');
}
