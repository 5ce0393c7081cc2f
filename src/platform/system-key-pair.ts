import { generateKeyPair, type KeyObject } from 'node:crypto';

export interface RsaKeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** Generates a random RSA key pair; takes 0.1 s or more. */
export const generateRsaKeyPair = async (modulusLength: number): Promise<RsaKeyPair> =>
  new Promise((resolve, reject) => {
    generateKeyPair('rsa', { modulusLength }, (error, publicKey, privateKey) => {
      if (error === null) resolve({ publicKey, privateKey });
      else reject(error);
    });
  });
