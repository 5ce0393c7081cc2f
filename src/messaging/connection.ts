import { readFileSync } from 'node:fs';
import type * as Nats from '@nats-io/transport-node';
import type { ConnectionOptions, NatsConnection, TlsOptions } from '@nats-io/transport-node';
import { MillraceError } from '../model/errors.ts';

/** Variables of the environment, where credentials are. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Between two attempts to come back to a server. */
const RECONNECT_MS = 250;
/** How long the first connection may take. */
const CONNECT_MS = 5_000;

export interface NatsSettings {
  /** `nats://host:4222`, `tls://host:4222`, several with commas. */
  readonly url: string;
  /** What the server shows of this connection. */
  readonly name: string;
  readonly env: Environment;
}

/**
 * Connects to a NATS server; the connection comes back by itself for as long as it takes. Credentials are
 * those of the environment, by the names that the tools of NATS have. Throws `usage` for an address,
 * `secret-missing` for a file of credentials, `login-refused` and `unreachable`; no message has a secret.
 */
export async function connectNats({ url, name, env }: NatsSettings): Promise<NatsConnection> {
  const { servers, isTls } = addressOf(url);
  const nats = await import('@nats-io/transport-node');
  const options: ConnectionOptions = {
    servers,
    name,
    timeout: CONNECT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    ...credentialsOf(env, nats),
    ...tlsOf(env, isTls),
  };
  try {
    return await nats.connect(options);
  } catch (cause) {
    const isLogin =
      cause instanceof nats.AuthorizationError ||
      cause instanceof nats.UserAuthenticationExpiredError;
    throw isLogin
      ? new MillraceError(
          'login-refused',
          `The NATS server at ${servers.join(', ')} does not take the credentials of the environment: set NATS_CREDS, NATS_NKEY, NATS_TOKEN, or NATS_USER and NATS_PASSWORD.`,
        )
      : new MillraceError(
          'unreachable',
          `No NATS server answers at ${servers.join(', ')} (${reasonOf(cause)}). Start one with "nats-server -js", or name another address.`,
          { cause },
        );
  }
}

/** The reason of a failed connection: the error of the client wraps that of the socket. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const text = inner instanceof Error ? inner.message : String(inner);
  return text === '' ? 'no reason given' : text;
}

interface Address {
  readonly servers: string[];
  readonly isTls: boolean;
}

/** Throws `usage` for what is no address, and for a secret in it, which other users of the machine see. */
function addressOf(text: string): Address {
  const urls = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => (URL.canParse(each) ? new URL(each) : undefined));
  if (urls.some((url) => url !== undefined && `${url.username}${url.password}` !== '')) {
    throw wrongAddress(
      'has a user or a password in it, which every user of this machine can see: put them into the environment, as NATS_USER and NATS_PASSWORD',
    );
  }
  const [first, ...others] = urls;
  if (first === undefined || [first, ...others].some((url) => !isNats(url))) {
    throw wrongAddress('is not one such as nats://127.0.0.1:4222 or tls://nats.example:4222');
  }
  return {
    servers: urls.map((url) => (url?.port === '' ? `${url.hostname}:4222` : (url?.host ?? ''))),
    isTls: urls.some((url) => url?.protocol === 'tls:'),
  };
}

const isNats = (url: URL | undefined): boolean =>
  url !== undefined && ['nats:', 'tls:'].includes(url.protocol) && url.hostname !== '';

const wrongAddress = (why: string): MillraceError =>
  new MillraceError('usage', `The address of the NATS server ${why}.`, { field: 'nats' });

type Client = Pick<typeof Nats, 'credsAuthenticator' | 'nkeyAuthenticator'>;

function credentialsOf(env: Environment, nats: Client): ConnectionOptions {
  const value = (name: string): string | undefined => {
    const text = env[name];
    return text === '' ? undefined : text;
  };
  const creds = value('NATS_CREDS');
  if (creds !== undefined) {
    return { authenticator: nats.credsAuthenticator(secretFile('NATS_CREDS', creds)) };
  }
  const nkey = value('NATS_NKEY');
  if (nkey !== undefined) {
    const seed = Buffer.from(secretFile('NATS_NKEY', nkey)).toString('utf8').trim();
    return { authenticator: nats.nkeyAuthenticator(new TextEncoder().encode(seed)) };
  }
  const [token, user, pass] = ['NATS_TOKEN', 'NATS_USER', 'NATS_PASSWORD'].map(value);
  if (token !== undefined) return { token };
  if (user === undefined) return {};
  return { user, pass };
}

function tlsOf(env: Environment, isTls: boolean): ConnectionOptions {
  const { NATS_CA: caFile, NATS_CERT: certFile, NATS_KEY: keyFile } = env;
  const tls: TlsOptions = {
    ...(caFile === undefined ? {} : { caFile }),
    ...(certFile === undefined ? {} : { certFile }),
    ...(keyFile === undefined ? {} : { keyFile }),
  };
  for (const [name, path] of Object.entries({
    NATS_CA: caFile,
    NATS_CERT: certFile,
    NATS_KEY: keyFile,
  })) {
    if (path !== undefined) secretFile(name, path);
  }
  return isTls || Object.keys(tls).length > 0 ? { tls } : {};
}

function secretFile(name: string, path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new MillraceError(
      'secret-missing',
      `${name} names the file ${path}, which cannot be read.`,
      { where: path, field: name, cause },
    );
  }
}
