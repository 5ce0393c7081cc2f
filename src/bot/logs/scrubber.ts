import { HIDDEN } from './fields.ts';

/** What is shorter stands in ordinary words, which would be hidden with it. */
const LENGTH_MIN = 6;

/**
 * Takes known secrets out of lines, whoever put them there: a strategy that logs all it knows, an
 * error that quotes a request. Each is found as it is, as JSON writes it, as a URL holds it, and
 * in the Base64 of Authorization headers.
 */
export class Scrubber {
  #forms: readonly string[] = [];

  constructor(secrets: readonly string[]) {
    for (const secret of secrets) this.hide(secret);
  }

  /** Hides one more; secrets of fewer than 6 characters cannot be told from words, so they are not hidden. */
  hide(secret: string): void {
    if (secret.length < LENGTH_MIN) return;
    const forms = new Set([...this.#forms, ...formsOf(secret)]);
    // The longest first, as one may be a part of another.
    this.#forms = [...forms].sort((a, b) => b.length - a.length);
  }

  clean(line: string): string {
    return this.#forms.reduce((left, form) => left.replaceAll(form, HIDDEN), line);
  }
}

/** Base64 of a text that something of any length stands before: what is sure of it is the middle. */
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
