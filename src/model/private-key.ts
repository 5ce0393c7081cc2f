/**
 * A parsed private key, such as a `KeyObject` of `node:crypto`. Declared here so that the
 * declarations of `millrace/clients` need no types of Node.
 */
export interface PrivateKey {
  readonly type: 'secret' | 'public' | 'private';
  readonly asymmetricKeyType?: string | undefined;
}
