import { createCipheriv, createDecipheriv, scrypt } from 'node:crypto';
import { z } from 'zod';
import { MillraceError } from '../../model/errors.ts';
import { ownKey, type KeyKind, type OwnKey } from './own-key.ts';

/** A key to lock away. */
export interface KeyToSeal {
  /** Its name in configurations. */
  readonly name: string;
  readonly kind: KeyKind;
  /** As its network writes private keys; PEM, or hexadecimal PKCS#8 DER, of a service. */
  readonly secret: string;
}

/** Returns unpredictable bytes. */
export type RandomBytes = (count: number) => Uint8Array;

/** Cost of trying a passphrase: about 128 MiB and a third of a second (RFC 7914). */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const TEXT_MAX = 4_000_000;
const KEYS_MAX = 1000;

const name = z.string().regex(/^[\w.-]{1,64}$/);
const kind = z.enum(['evm', 'tron', 'bitcoin', 'solana', 'service']);
const bytes = (count: number) => z.hex().length(2 * count);

/**
 * Content of the file. The cost may differ from this release's, within bounds: a foreign file cannot make
 * anybody spend more than 256 MiB on it.
 */
const schema = z.object({
  millraceKeys: z.literal(1),
  keys: z.array(z.object({ name, kind, label: z.string() })).max(KEYS_MAX),
  kdf: z.object({
    name: z.literal('scrypt'),
    N: z.literal([2 ** 15, 2 ** 16, 2 ** 17, 2 ** 18]),
    r: z.literal(8),
    p: z.int().min(1).max(4),
    salt: bytes(SALT_BYTES),
  }),
  cipher: z.object({ name: z.literal('aes-256-gcm'), nonce: bytes(NONCE_BYTES) }),
  sealed: z.base64(),
});

type KeyFile = z.infer<typeof schema>;
type Head = Omit<KeyFile, 'sealed'>;

const secrets = z.array(z.object({ name, kind, secret: z.string() })).max(KEYS_MAX);

/**
 * Encrypts keys by a passphrase into the text of a file. Names and addresses stay readable, so that a
 * person can recognize the file; they are authenticated too, and cannot be changed. Throws `key-invalid`
 * for an invalid key, and for two of one name.
 */
export async function sealKeys(
  keys: readonly KeyToSeal[],
  passphrase: string,
  random: RandomBytes,
): Promise<string> {
  const names = keys.map((key) => key.name);
  const unfit = names.find((one, at) => !name.safeParse(one).success || names.indexOf(one) < at);
  if (unfit !== undefined) {
    throw invalid(`"${unfit}" is no name, or the name of two keys: letters, digits, _ . and -.`);
  }
  if (passphrase === '') throw invalid('An empty passphrase locks nothing.');
  const head: Head = {
    millraceKeys: 1,
    keys: keys.map((key) => ({ name: key.name, kind: key.kind, label: ownKey(key).label })),
    kdf: { name: 'scrypt', ...COST, salt: hex(random(SALT_BYTES)) },
    cipher: { name: 'aes-256-gcm', nonce: hex(random(NONCE_BYTES)) },
  };
  const key = await keyOf(head, passphrase);
  const cipher = createCipheriv('aes-256-gcm', key, Buffer.from(head.cipher.nonce, 'hex'));
  cipher.setAAD(headBytes(head));
  const plain = JSON.stringify(
    keys.map((one) => ({ name: one.name, kind: one.kind, secret: one.secret })),
  );
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${JSON.stringify({ ...head, sealed: sealed.toString('base64') }, null, 2)}\n`;
}

/**
 * Decrypts such a file. Throws `key-invalid` for another passphrase, and for a changed file; the two cannot
 * be distinguished.
 */
export async function openKeys(text: string, passphrase: string): Promise<readonly OwnKey[]> {
  return (await openSecrets(text, passphrase)).map(ownKey);
}

/** The same with the keys themselves, to be copied elsewhere. */
export async function openSecrets(text: string, passphrase: string): Promise<readonly KeyToSeal[]> {
  if (typeof text !== 'string' || typeof passphrase !== 'string') {
    throw invalid('Of a key file the text and the passphrase are needed, both as text.');
  }
  const { sealed, ...head } = read(text);
  const key = await keyOf(head, passphrase);
  const plain = unsealed(head, Buffer.from(sealed, 'base64'), key);
  if (plain === undefined) throw invalid('The passphrase is wrong, or the key file was changed.');
  return secrets.parse(JSON.parse(plain));
}

function read(text: string): KeyFile {
  const parsed = text.length > TEXT_MAX ? undefined : schema.safeParse(json(text));
  if (parsed?.success === true) return parsed.data;
  throw invalid('It is no key file, or one of a newer release.');
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unsealed(head: Head, sealed: Buffer, key: Buffer): string | undefined {
  if (sealed.length < TAG_BYTES) return undefined;
  const nonce = Buffer.from(head.cipher.nonce, 'hex');
  const cipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(headBytes(head));
  cipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const plain = Buffer.concat([cipher.update(sealed.subarray(0, -TAG_BYTES)), cipher.final()]);
    return plain.toString('utf8');
  } catch {
    return undefined;
  }
}

/** The readable part in one order of its members: it is authenticated with the keys. */
const headBytes = ({ millraceKeys, keys, kdf, cipher }: Head): Buffer =>
  Buffer.from(
    JSON.stringify([
      millraceKeys,
      keys.map((key) => [key.name, key.kind, key.label]),
      [kdf.name, kdf.N, kdf.r, kdf.p, kdf.salt.toLowerCase()],
      [cipher.name, cipher.nonce.toLowerCase()],
    ]),
  );

const keyOf = async ({ kdf: { N, r, p, salt } }: Head, passphrase: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { N, r, p, maxmem: 128 * N * r + 2 ** 20 * p };
    const phrase = passphrase.normalize('NFKC');
    scrypt(phrase, Buffer.from(salt, 'hex'), KEY_BYTES, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });

const hex = (given: Uint8Array): string => Buffer.from(given).toString('hex');

const invalid = (sentence: string): MillraceError => new MillraceError('key-invalid', sentence);
