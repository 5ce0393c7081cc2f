import { createHmac } from 'node:crypto';

/** Signs as the specification says, apart from how the venue does. */
export const hmac = (secret: string, message: string): string =>
  createHmac('sha256', secret).update(message).digest('hex');

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** What is signed and said of a request of version 3. */
export interface V3Signing {
  readonly key?: string;
  readonly secret?: string;
  readonly method?: string;
  /** With the query, as it is signed. */
  readonly target: string;
  readonly body?: string;
  /** Unix milliseconds. */
  readonly timestamp: number | string;
  readonly window?: number | string;
}

/** The header of version 3: method, target, body, timestamp and window, one after the other. */
export function v3(signing: V3Signing): { readonly authorization: string } {
  const { key = 'demo', secret = 'demo-secret', method = 'GET' } = signing;
  const { target, body = '', timestamp, window = '' } = signing;
  const signature = hmac(secret, `${method}${target}${body}${timestamp}${window}`);
  const parts = [key, signature, timestamp, ...(window === '' ? [] : [window])];
  return { authorization: `HS256 ${base64(parts.join(':'))}` };
}

/** The header of version 2: method, timestamp in seconds, target, body. */
export function v2(signing: Omit<V3Signing, 'window'>): { readonly authorization: string } {
  const { key = 'demo', secret = 'demo-secret', method = 'GET' } = signing;
  const { target, body = '', timestamp } = signing;
  const signature = hmac(secret, `${method}${timestamp}${target}${body}`);
  return { authorization: `HS256 ${base64(`${key}:${timestamp}:${signature}`)}` };
}

/** `Basic` with that key and secret. */
export const basic = (key: string, secret: string): { readonly authorization: string } => ({
  authorization: `Basic ${base64(`${key}:${secret}`)}`,
});
