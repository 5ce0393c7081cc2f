import { HIDDEN } from './fields.ts';

/** A shorter secret may be part of ordinary words, which would be hidden with it. */
export const SECRET_LENGTH_MIN = 6;

/**
 * Removes known secrets from lines, whatever their origin: a strategy that logs all it has, an error that
 * quotes a request. Each is found as it is, as JSON and URLs encode it, and in the Base64 of Authorization
 * headers.
 */
export class Scrubber {
  #forms: readonly string[] = [];

  constructor(secrets: readonly string[]) {
    for (const secret of secrets) this.hide(secret);
  }

  /** Hides one more secret. One of fewer than 6 characters is not hidden; the configuration warns of it. */
  hide(secret: string): void {
    if (secret.length < SECRET_LENGTH_MIN) return;
    const forms = new Set([...this.#forms, ...formsOf(secret)]);
    // The longest first, as one may be a part of another.
    this.#forms = [...forms].sort((a, b) => b.length - a.length);
  }

  clean(line: string): string {
    return this.#forms.reduce((left, form) => left.replaceAll(form, HIDDEN), line);
  }
}

/** Base64 forms of a text after a prefix of any length: only the middle is certain. */
function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].map((lead) => {
    const encoded = Buffer.concat([Buffer.alloc(lead), bytes]).toString('base64');
    const from = Math.ceil((lead * 8) / 6);
    return encoded.slice(from, from + Math.floor((bytes.length * 8 - (from * 6 - lead * 8)) / 6));
  });
}

const formsOf = (secret: string): readonly string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  ...base64Forms(secret),
];
