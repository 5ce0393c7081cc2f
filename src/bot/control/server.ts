import { rmSync } from 'node:fs';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { readSmallFile } from '../../config/small-file.ts';
import { errorText, MillraceError } from '../../model/errors.ts';
import type { BotLog } from '../logs/log.ts';
import type { BotApi } from '../api/bot-api.ts';
import { hostDenial, originDenial } from '../../server/http/admission.ts';
import { writeOwnFile } from '../../platform/own-file.ts';
import { tokenDenial, type Denial } from './admission.ts';
import { CONTROL_CALLS, type ControlCall } from './calls.ts';
import { answerFailure, report } from './failures.ts';
import { botAt, listeningFault } from './listening.ts';
import type { BotMetrics } from './metrics/metrics.ts';
import type { ControlSettings } from './settings.ts';
import { addressPath, storedToken } from './token.ts';

export interface ControlParts {
  /**
   * Name of the bot and its process: served without a token, so that the owner of a taken port is known.
   */
  readonly name: string;
  readonly pid: number;
  readonly settings: ControlSettings;
  readonly metrics: BotMetrics;
  readonly log: BotLog;
}

/** No request has a reason to be longer. */
const BODY_BYTES_MAX = 16_384;

/** Available once the bot is. */
interface Holder {
  bot?: BotApi;
}

/**
 * The HTTP API for operators. It listens from before recovery until after the bot has ended, so that a slow
 * start can be distinguished from a dead process.
 */
export class ControlServer {
  /** Base URL: `http://127.0.0.1:8340`. */
  readonly url: string;
  readonly token: string;
  /** True if the previous process ended without closing: its address is stored and nobody answers there. */
  readonly isAfterCrash: boolean;
  readonly #app: FastifyInstance;
  readonly #parts: ControlParts;
  readonly #holder: Holder;

  private constructor(
    parts: ControlParts,
    app: FastifyInstance,
    holder: Holder,
    token: string,
    url: string,
    isAfterCrash: boolean,
  ) {
    this.#parts = parts;
    this.#app = app;
    this.#holder = holder;
    this.token = token;
    this.url = url;
    this.isAfterCrash = isAfterCrash;
  }

  /** Listens. Throws `port-unavailable`, and `file-unwritable` if no token can be stored. */
  static async open(parts: ControlParts): Promise<ControlServer> {
    const { settings, log } = parts;
    const token = settings.token ?? storedToken(settings.data);
    const app = fastify({
      logger: false,
      bodyLimit: BODY_BYTES_MAX,
      forceCloseConnections: true,
      http: { requireHostHeader: false },
    });
    const holder: Holder = {};
    mount(app, parts, token, () => holder.bot);
    let url: string;
    try {
      url = await app.listen({ host: settings.host, port: settings.port });
    } catch (error) {
      await app.close();
      throw (await listeningFault(error, settings)) ?? error;
    }
    const left = announced(settings.data);
    const isOther = left !== undefined && left !== url && (await botAt(left)) !== undefined;
    const isAfterCrash = left !== undefined && !isOther;
    const server = new ControlServer(parts, app, holder, token, url, isAfterCrash);
    // A bot that may not trade because another one does leaves the other's address.
    if (!isOther) server.#announce();
    if (!isLoopback(settings.host)) {
      log.warn(
        `The control API listens on ${settings.host}: others may reach it, and it speaks no TLS. Let a proxy or a private network stand before it.`,
      );
    }
    return server;
  }

  /** Attaches the bot once it is open. */
  attach(bot: BotApi): void {
    this.#holder.bot = bot;
    this.#announce();
  }

  async close(): Promise<void> {
    const { data } = this.#parts.settings;
    if (announced(data) === this.url) rmSync(addressPath(data), { force: true });
    await this.#app.close();
  }

  /** Commands that know only the configuration find an automatically chosen port here. */
  #announce(): void {
    const path = addressPath(this.#parts.settings.data);
    try {
      writeOwnFile(path, `${this.url}\n`);
    } catch (error) {
      const why = errorText(error);
      this.#parts.log.warn(`The address of the control API cannot be written to ${path}: ${why}`);
    }
  }
}

/** The address stored in a data folder. */
function announced(data: string): string | undefined {
  try {
    return readSmallFile(addressPath(data), { isOwn: true }).text.trim();
  } catch {
    return undefined;
  }
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.');

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

function mount(
  app: FastifyInstance,
  parts: ControlParts,
  token: string,
  bot: () => BotApi | undefined,
): void {
  const { settings, metrics, log, name, pid } = parts;
  const hosts = [settings.host, ...settings.hosts];
  app.addHook('onRequest', async ({ raw }, reply) => {
    const denial = hostDenial(raw, hosts, 'control.hosts') ?? originDenial(raw);
    if (denial !== undefined) return deny(reply, denial);
    return undefined;
  });
  app.setErrorHandler((error, _request, reply) => answerFailure(error, reply, log));
  app.setNotFoundHandler((request, reply) =>
    report(reply, 404, 'usage', `There is no ${request.method} of this path here.`),
  );
  const open = (path: string, handler: Handler): void => {
    app.get(path, { exposeHeadRoute: true }, handler);
  };
  open('/healthz', async (_, reply) => reply.send({ alive: true, name, pid }));
  open('/readyz', async (_, reply) => {
    const ready = bot()?.isReady() === true;
    return reply.status(ready ? 200 : 503).send({ ready });
  });
  open('/metrics', async (_, reply) =>
    reply.type(metrics.contentType).send(await metrics.text(bot())),
  );
  for (const call of CONTROL_CALLS) mountCall(app, call, { token, bot, log });
}

function mountCall(
  app: FastifyInstance,
  call: ControlCall,
  parts: { token: string; bot: () => BotApi | undefined; log: BotLog },
): void {
  const { token, bot, log } = parts;
  app.route({
    method: call.method,
    url: call.path,
    exposeHeadRoute: false,
    onRequest: async ({ headers, ip }, reply) => {
      const denial = tokenDenial(headers, token);
      if (denial === undefined) return undefined;
      log.warn('The control API was called without its token.', { path: call.path, from: ip });
      return deny(reply, denial);
    },
    handler: async ({ body, ip }, reply) => {
      const current = bot();
      if (current === undefined) {
        throw new MillraceError(
          'bot-unreachable',
          'The bot is still starting: it connects and recovers. Ask again in a moment.',
        );
      }
      if (call.method === 'POST') {
        log.info(`An operator called ${call.path.slice(1)}.`, { from: ip, ...whom(body) });
      }
      return reply.send(await call.answer(current, body));
    },
  });
}

/** The addressed strategy, for the log; other members of a body are not logged. */
const whom = (body: unknown): { readonly strategy?: string } =>
  typeof body === 'object' &&
  body !== null &&
  'strategy' in body &&
  typeof body.strategy === 'string'
    ? { strategy: body.strategy.slice(0, 32) }
    : {};

function deny(reply: FastifyReply, { status, message }: Denial): FastifyReply {
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return report(reply, status, 'control-refused', message);
}
