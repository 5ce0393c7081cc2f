import { readSmallFile } from '../../config/small-file.ts';
import { MillraceError } from '../../model/errors.ts';
import type { PrivateKey } from '../../model/private-key.ts';
import type { ApprovalSigner } from '../../swaps/approvals/approval.ts';
import { openKeys } from '../../swaps/keys/key-file.ts';
import type { OwnKey } from '../../swaps/keys/own-key.ts';

/** The keys of a key file, by their names. They can be used and not be read. */
export class KeyStore {
  readonly path: string;
  readonly keys: readonly OwnKey[];

  private constructor(path: string, keys: readonly OwnKey[]) {
    this.path = path;
    this.keys = keys;
  }

  /** Throws `file-missing`, and `key-invalid` for a file that the passphrase does not open. */
  static async open(path: string, passphrase: string): Promise<KeyStore> {
    return new KeyStore(path, await openKeys(textOf(path), passphrase));
  }

  /** The key of a wallet. Throws `config-invalid` if it is none; `where` names the setting. */
  signer(name: string, where: string): ApprovalSigner {
    const key = this.#find(name, where);
    if (key.kind !== 'service') return key.signer;
    throw this.#wrong(where, `"${name}" is the key of a service, and that of a wallet is needed`);
  }

  /** The key that signs requests to a service. */
  service(name: string, where: string): PrivateKey {
    const key = this.#find(name, where);
    if (key.kind === 'service') return key.privateKey;
    throw this.#wrong(where, `"${name}" is the key of a wallet, and that of a service is needed`);
  }

  #find(name: string, where: string): OwnKey {
    const key = this.keys.find((one) => one.name === name);
    if (key !== undefined) return key;
    const names = this.keys.map((one) => one.name);
    const there = names.length === 0 ? 'there are none' : `there are ${names.join(', ')}`;
    throw this.#wrong(where, `there is no key "${name}"; ${there}`);
  }

  #wrong(where: string, sentence: string): MillraceError {
    return new MillraceError('config-invalid', `${where}: In ${this.path} ${sentence}.`, { where });
  }
}

/** The text of a key file. Throws `file-missing`. */
export function textOf(path: string): string {
  try {
    return readSmallFile(path).text;
  } catch (cause) {
    const sentence = `The key file ${path} cannot be read. "millrace keys create" makes one.`;
    throw new MillraceError('file-missing', sentence, { where: path, cause });
  }
}
