import { generateRsaKeyPair } from '../../platform/system-key-pair.ts';
import { apiKeyOf } from '../../wire/key-pair.ts';

const MODULUS_BITS = 2_048;

/** A key pair by which the swap service and the exchange order service know a client. */
export interface ServiceKeyPair {
  /** PEM (PKCS#8). It stays with the client: no request and no error carries it. */
  readonly privateKey: string;
  /** PEM (SPKI), for the operator of the service. */
  readonly publicKey: string;
  /** Base64 of the SHA-256 of the public key, for the operator too. */
  readonly apiKey: string;
}

/** Makes a new RSA key pair of 2,048 bits and its API key. */
export async function generateKeyPair(): Promise<ServiceKeyPair> {
  const { publicKey, privateKey } = await generateRsaKeyPair(MODULUS_BITS);
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    apiKey: apiKeyOf(publicKey),
  };
}
