import { generateKeyPair, type KeyObject } from 'node:crypto';

/** The two halves of a key that nobody else has. */
export interface SystemKeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** Makes an RSA key pair, at random; that takes a tenth of a second and more. */
export const systemKeyPair = async (modulusLength: number): Promise<SystemKeyPair> =>
  new Promise((resolve, reject) => {
    generateKeyPair('rsa', { modulusLength }, (error, publicKey, privateKey) => {
      if (error === null) resolve({ publicKey, privateKey });
      else reject(error);
    });
  });
