import type { KeyObject } from 'node:crypto';
import { MillraceError } from '../../model/errors.ts';
import { apiKeyOf } from '../../wire/key-pair.ts';

/** A client of the swap service; it sees only its own quotes and intents. */
export interface Partner {
  readonly name: string;
  /** Of the key pairs that it signs with on the Execution surface. */
  readonly publicKeys?: readonly KeyObject[];
  /** Keys that it shows on the Affiliate surface. */
  readonly affiliateKeys?: readonly string[];
}

/** A partner identified by one of its key pairs. */
export interface Signatory {
  readonly partner: string;
  readonly publicKey: KeyObject;
}

/** The partners, by the credentials of requests. */
export class Partners {
  readonly #signatories = new Map<string, Signatory>();
  readonly #affiliates = new Map<string, string>();

  /** Throws `config-invalid` if two partners have one key. */
  constructor(partners: readonly Partner[]) {
    for (const { name, publicKeys = [], affiliateKeys = [] } of partners) {
      for (const publicKey of publicKeys) {
        // The specification does not say which form of the key is hashed, so both are accepted.
        for (const form of ['pkcs1', 'spki'] as const) {
          once(this.#signatories, apiKeyOf(publicKey, form), { partner: name, publicKey });
        }
      }
      for (const key of affiliateKeys) once(this.#affiliates, key, name);
    }
  }

  /** The owner of the key pair of that `x-api-key`. */
  bySignature(apiKey: string): Signatory | undefined {
    return this.#signatories.get(apiKey);
  }

  /** The name of the partner with that key of the Affiliate surface. */
  byAffiliateKey(key: string): string | undefined {
    return this.#affiliates.get(key);
  }
}

function once<V>(map: Map<string, V>, key: string, value: V): void {
  if (map.has(key)) {
    throw new MillraceError('config-invalid', 'Two partners of the swap service have one key.');
  }
  map.set(key, value);
}
