/** Common rules of the networks of one family: the form of addresses, hashes and signatures. */
export interface Family {
  /**
   * The canonical form of an address, for comparison and storage; `undefined` for an address of another
   * family.
   */
  canonical(address: string): string | undefined;
  /** The address that belongs to a private key of 32 bytes. */
  addressOf(privateKey: Uint8Array): string;
  /** The hash of a transaction, derived from 32 bytes that identify it. */
  hash(digest: Uint8Array): string;
  /** True for a signature of those 32 bytes by the owner of an address, in its canonical form. */
  isSignedBy(address: string, digest: Uint8Array, signature: Uint8Array): boolean;
}
