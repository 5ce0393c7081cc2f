import { onTestFinished } from 'vitest';
import { d } from '../trading/kit/values.ts';
import {
  ExchangeOrderError,
  ExchangeOrdersClient,
  generateKeyPair,
  type ExchangeOrdersSettings,
} from '../../../src/clients.ts';
import {
  answerBytes,
  openRawService,
  type RawService,
  type Reaction,
} from '../trading/kit/raw-service.ts';

/** A request of JSON-RPC as it came over the socket. */
export interface Asked {
  readonly jsonrpc: unknown;
  readonly id: unknown;
  readonly method: unknown;
  readonly params: unknown;
}

export const KEYS = await generateKeyPair();

/** Replies with members of an envelope beside the id of the request. */
export const reply =
  (members: object, status = 200): Reaction =>
  ({ body }, socket) => {
    const { id } = JSON.parse(body) as Asked;
    socket.write(answerBytes(status, { jsonrpc: '2.0', id, ...members }));
  };

/** Replies with a result. */
export const result = (given: unknown): Reaction => reply({ result: given });

/** Replies with an error, under the status of a success as the service does. */
export const error = (code: number, message: string, data?: unknown, status = 200): Reaction =>
  reply({ error: { code, message, data } }, status);

export interface Scripted {
  readonly client: ExchangeOrdersClient;
  readonly service: RawService;
  /** The latest request, parsed. */
  readonly asked: () => Asked;
}

/** A client and a service that says what a test tells it to, whatever it is asked. */
export async function openScripted(
  reactions: readonly Reaction[],
  settings: Partial<ExchangeOrdersSettings> = {},
): Promise<Scripted> {
  const service = await openRawService(...reactions);
  const client = new ExchangeOrdersClient({
    url: service.url,
    privateKey: KEYS.privateKey,
    retries: { attempts: 1 },
    ...settings,
  });
  onTestFinished(() => client.close());
  return { client, service, asked: () => JSON.parse(service.last.body) as Asked };
}

/** The error of a call that the service refuses. */
export async function rejectionOf(call: Promise<unknown>): Promise<ExchangeOrderError> {
  const outcome = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (outcome instanceof ExchangeOrderError) return outcome;
  throw new Error(`it was not refused by the service but ${String(outcome)}`);
}

/** Amounts of a record as its client reads them. */
export const asDecimals = (members: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, d(value)]));
