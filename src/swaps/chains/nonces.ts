import type { Rejection } from '../../model/rejections.ts';

const NONCE = /^[\w.:-]{1,64}$/;

/** What owners have signed, by network, address and nonce: each nonce stands for one thing. */
export class SignedNonces {
  readonly #digests = new Map<string, string>();

  /** Whether something is new or was done already; refused where its nonce stands for another. */
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
