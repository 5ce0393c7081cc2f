import type { Rejection } from '../../model/rejections.ts';

const NONCE = /^[\w.:-]{1,64}$/;

/** Signed requests of owners, by network, address and nonce: each nonce belongs to one request. */
export class SignedNonces {
  readonly #digests = new Map<string, string>();

  /** Whether a request is new or done already; rejected if its nonce belongs to another. */
  check(owner: NonceOwner, nonce: string, digest: string): 'new' | 'done' | Rejection {
    if (!NONCE.test(nonce)) {
      const message = 'A nonce has 1 to 64 letters, digits or the characters _ . : -';
      return { code: 'transfer-invalid', field: 'nonce', message };
    }
    const known = this.#digests.get(keyOf(owner, nonce));
    if (known === undefined) return 'new';
    if (known === digest) return 'done';
    const message = `${owner.address} has used the nonce ${nonce} for something else.`;
    return { code: 'transfer-invalid', field: 'nonce', message };
  }

  use(owner: NonceOwner, nonce: string, digest: string): void {
    this.#digests.set(keyOf(owner, nonce), digest);
  }
}

interface NonceOwner {
  readonly network: string;
  readonly address: string;
}

const keyOf = ({ network, address }: NonceOwner, nonce: string): string =>
  `${network} ${address} ${nonce}`;
