import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { SimulatedChains } from '../../swaps/chains/simulated-chains.ts';
import {
  balanceMessage,
  CHAINS_PATHS,
  CHAINS_PREFIX,
  networkMessage,
  outputMessage,
  rawTransactionMessage,
  signedPermitMessage,
  signedTransferMessage,
  tokenMessage,
  transactionMessage,
} from '../../wire/chains/messages.ts';
import { jsonIn } from '../../wire/json.ts';
import { bodyText } from '../http/body.ts';
import { UNLOGGED, type Inputs } from '../data/inputs.ts';
import type { Log } from '../http/failures.ts';

/** Members of the path, decoded. */
type Members = Readonly<Record<string, string>>;

/** Returns the answer as JSON, or a fault. */
type Answer = (members: Members, body: unknown) => unknown;

/** A logged request. */
interface Logged {
  readonly members: Members;
  readonly body: unknown;
}

const transactions = z.array(transactionMessage);

/**
 * Serves simulated chains like a node: anybody may read, and send transactions signed by their owner. `log`
 * receives internal errors, of which a caller learns only that there was one.
 */
export function mountChains(
  app: FastifyInstance,
  chains: SimulatedChains,
  log: Log = () => undefined,
  inputs: Inputs = UNLOGGED,
): void {
  const serve = (method: 'GET' | 'POST', path: string, answer: Answer): void => {
    const kind = `chains:${path}`;
    if (method === 'POST') {
      inputs.replays(kind, (logged) => {
        const { members, body } = logged as Logged;
        answer(members, body);
      });
    }
    const input: Answer = (members, body) =>
      inputs.take(
        kind,
        () => answer(members, body),
        (): Logged => ({ members, body }),
      );
    const act = method === 'POST' ? input : answer;
    app.route({
      method,
      url: CHAINS_PREFIX + path.replace(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => reply.send(answered(request, reply, act)),
      errorHandler: (error, request, reply) => {
        const { statusCode = 500 } = error;
        const isOurs = statusCode >= 500;
        if (isOurs) log(error, `${request.method} ${path}`);
        const message = isOurs ? 'Something went wrong inside the node.' : error.message;
        reply.status(statusCode).type('application/json');
        reply.send(JSON.stringify(wrong(message)));
      },
    });
  };
  serveReads((path, answer) => {
    serve('GET', path, answer);
  }, chains);
  serve('POST', CHAINS_PATHS.transfers, (_, body) => {
    const read = signedTransferMessage.safeParse(body);
    if (!read.success) return unreadable(read.error);
    const sent = chains.send(read.data);
    return isRejection(sent) ? sent : z.encode(transactionMessage, sent);
  });
  serve('POST', CHAINS_PATHS.permits, (_, body) => {
    const read = signedPermitMessage.safeParse(body);
    return read.success ? (chains.permit(read.data) ?? {}) : unreadable(read.error);
  });
  serve('POST', CHAINS_PATHS.transactions, ({ network = '' }, body) => {
    const read = rawTransactionMessage.safeParse(body);
    if (!read.success) return unreadable(read.error);
    const sent = chains.spend(network, read.data.transaction);
    return isRejection(sent) ? sent : z.encode(transactions, [...sent]);
  });
}

function serveReads(serve: (path: string, answer: Answer) => void, chains: SimulatedChains): void {
  // Live networks have their own nodes.
  const networks = chains.networks.filter(({ code }) => !chains.isReal(code));
  const tokens = chains.tokens.filter(({ network }) => !chains.isReal(network));
  serve(CHAINS_PATHS.networks, () => z.encode(z.array(networkMessage), networks));
  serve(CHAINS_PATHS.tokens, () => z.encode(z.array(tokenMessage), tokens));
  serve(CHAINS_PATHS.balance, ({ token: id = '', address = '' }) => {
    const token = tokens.find((each) => String(each.id) === id);
    if (token === undefined) return unknown('token-unknown', `There is no token ${id}.`);
    const wrong = wrongAddress(chains, token.network, address);
    if (wrong !== undefined) return wrong;
    const lots = chains.balance(token.id, address);
    const permitted = chains.hasApproved(token.id, address);
    return z.encode(balanceMessage, { token: token.id, lots, permitted });
  });
  serve(CHAINS_PATHS.outputs, ({ network = '', address = '' }) => {
    const wrong = wrongAddress(chains, network, address);
    return wrong ?? z.encode(z.array(outputMessage), [...chains.outputs(address)]);
  });
  serve(CHAINS_PATHS.transaction, ({ network = '', hash = '' }) => {
    const found = chains.transaction(network, hash);
    return found === undefined
      ? unknown('transaction-unknown', `${network} has no transaction ${hash}.`)
      : z.encode(transactionMessage, found);
  });
}

/** The text of an answer; a rejection sets the status too. */
function answered(request: FastifyRequest, reply: FastifyReply, answer: Answer): string {
  reply.type('application/json');
  const body = bodyOf(request);
  const outcome =
    body.kind === 'wrong'
      ? wrong(`The body must be ${body.form}.`)
      : answer(request.params as Members, body.value);
  if (isRejection(outcome)) reply.status(outcome.code.endsWith('-unknown') ? 404 : 400);
  return JSON.stringify(outcome);
}

type Body =
  | { readonly kind: 'read'; readonly value: unknown }
  | { readonly kind: 'wrong'; readonly form: 'UTF-8' | 'JSON' };

function bodyOf(request: FastifyRequest): Body {
  const text = bodyText(request.body);
  if (text.kind === 'fault') return { kind: 'wrong', form: 'UTF-8' };
  if (text.value === '') return { kind: 'read', value: undefined };
  const value = jsonIn(text.value);
  return value === undefined ? { kind: 'wrong', form: 'JSON' } : { kind: 'read', value };
}

function wrongAddress(chains: SimulatedChains, network: string, address: string) {
  if (chains.isAddress(network, address)) return undefined;
  const known = chains.networks.find(({ code }) => code === network);
  if (known === undefined) return unknown('network-unknown', `There is no network ${network}.`);
  const message = `"${address}" is no address of ${known.name}.`;
  return { code: 'address-invalid', field: 'address', message } satisfies Rejection;
}

const unknown = (code: Rejection['code'], message: string): Rejection => ({ code, message });

const wrong = (message: string, field?: string): Rejection => ({
  code: 'request-invalid',
  message,
  field,
});

/** The first error of a message. */
function unreadable({ issues: [issue] }: z.ZodError): Rejection {
  const field = issue?.path.join('.') ?? '';
  return field === ''
    ? wrong('The body must be an object.')
    : wrong(`${field}: ${issue?.message ?? ''}.`, field);
}
