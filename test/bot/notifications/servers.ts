import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as a server of a test received it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers of a server; `undefined` leaves the request without one. */
type Answering = (request: Received) => Answer | undefined;

/** A local HTTP server that answers as one of the services does. */
export interface ServiceDouble {
  readonly url: string;
  /** All that came, tests and probes too. */
  readonly received: Received[];
  /** The texts of messages that it took. */
  readonly texts: string[];
  /** Answered once each, before it answers as usual; `hang` leaves a request without an answer. */
  readonly faults: (Answer | 'hang')[];
  close(): Promise<void>;
}

const TOKEN = '123456:AAtelegram-token-of-a-test_x';
const SLACK_PATH = '/services/T0TESTTEAM/B0TESTHOOK/slacksecretslacksecret12';
const DISCORD_PATH = '/api/webhooks/112233445566778899/discord-secret_discord-secret';
const HOOK_PATH = '/hooks/webhook-secret-of-a-test';

/** All that must stand in no log, message or error. */
export const SECRETS = {
  token: TOKEN,
  chat: '-1001234567890',
  slack: SLACK_PATH,
  discord: DISCORD_PATH,
  hook: HOOK_PATH,
  header: 'Bearer header-secret-of-a-test',
} as const;

/** The Bot API of Telegram, with the chat of `SECRETS`. */
export const telegramDouble = (): Promise<ServiceDouble> =>
  serviceDouble((request, texts) => {
    const { path, body } = request;
    const [, token = '', method] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
    const failed = (code: number, description: string): Answer => ({
      status: code,
      body: { ok: false, error_code: code, description },
    });
    if (token !== TOKEN) return failed(401, 'Unauthorized');
    const { chat_id: chat, text } = body as Readonly<Record<string, unknown>>;
    if (chat !== SECRETS.chat) return failed(400, 'Bad Request: chat not found');
    if (method === 'getChat') return { status: 200, body: { ok: true, result: { id: Number(chat), type: 'supergroup' } } }; // prettier-ignore
    if (method !== 'sendMessage') return failed(404, 'Not Found');
    if (typeof text !== 'string' || text === '') return failed(400, 'Bad Request: message text is empty'); // prettier-ignore
    if (text.length > 4_096) return failed(400, 'Bad Request: message is too long');
    texts.push(text);
    return { status: 200, body: { ok: true, result: { message_id: texts.length, date: 1, text } } };
  });

/** How Telegram asks for time. */
export const telegramTooMany = (seconds: number): Answer => ({
  status: 429,
  body: {
    ok: false,
    error_code: 429,
    description: `Too Many Requests: retry after ${seconds}`,
    parameters: { retry_after: seconds },
  },
});

/** An incoming webhook of Slack. */
export const slackDouble = (): Promise<ServiceDouble> =>
  serviceDouble(({ path, body }, texts) => {
    const failed = (status: number, text: string): Answer => ({ status, body: text });
    if (path !== SLACK_PATH) return failed(404, 'no_service');
    const { text } = body as Readonly<Record<string, unknown>>;
    if (typeof text !== 'string' || text === '') return failed(400, 'no_text');
    texts.push(text);
    return { status: 200, body: 'ok' };
  });

/** A webhook of Discord. */
export const discordDouble = (): Promise<ServiceDouble> =>
  serviceDouble(({ method, path, body }, texts) => {
    if (path !== DISCORD_PATH) return { status: 404, body: { message: 'Unknown Webhook', code: 10_015 } }; // prettier-ignore
    if (method === 'GET') return { status: 200, body: { id: '112233445566778899', type: 1, name: 'bot' } }; // prettier-ignore
    const { content } = body as Readonly<Record<string, unknown>>;
    if (typeof content !== 'string' || content === '') {
      return { status: 400, body: { message: 'Cannot send an empty message', code: 50_006 } };
    }
    if (content.length > 2_000) {
      return { status: 400, body: { message: 'Invalid Form Body', code: 50_035 } };
    }
    texts.push(content);
    return { status: 204 };
  });

/** How Discord asks for time. */
export const discordTooMany = (seconds: number): Answer => ({
  status: 429,
  headers: { 'retry-after': String(Math.ceil(seconds)) },
  body: { message: 'You are being rate limited.', retry_after: seconds, global: false },
});

/** A server of one's own, which asks for a header. */
export const hookDouble = (): Promise<ServiceDouble> =>
  serviceDouble(({ method, path, headers, body }, texts) => {
    if (path !== HOOK_PATH) return { status: 404 };
    if (headers.authorization !== SECRETS.header) return { status: 401 };
    if (method !== 'POST') return { status: 405 };
    texts.push((body as { readonly text: string }).text);
    return { status: 202 };
  });

async function serviceDouble(
  answer: (request: Received, texts: string[]) => Answer,
): Promise<ServiceDouble> {
  const received: Received[] = [];
  const texts: string[] = [];
  const faults: ServiceDouble['faults'] = [];
  const answering: Answering = (request) => {
    received.push(request);
    const fault = faults.shift();
    if (fault === 'hang') return undefined;
    return fault ?? answer(request, texts);
  };
  const server = createServer((request, response) => void receive(request, response, answering));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received, texts, faults, close };
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  answering: Answering,
): Promise<void> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  const { method = '', url: path = '', headers } = request;
  const body: unknown = text === '' ? {} : JSON.parse(text);
  const answer = answering({ method, path, headers, body });
  if (answer === undefined) return;
  const isText = typeof answer.body === 'string';
  response.writeHead(answer.status, {
    'content-type': isText ? 'text/html' : 'application/json',
    ...answer.headers,
  });
  response.end(isText ? answer.body : answer.body === undefined ? '' : JSON.stringify(answer.body));
}
