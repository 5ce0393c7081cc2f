import { existsSync } from 'node:fs';
import { readSmallFile } from '../../config/small-file.ts';
import { ERRORS, errorText, MillraceError, type ErrorCode } from '../../model/errors.ts';
import type {
  BalanceLine,
  UnknownBalanceLine,
  BotStatus,
  BotApi,
  Operation,
  OrderLine,
  PositionLine,
} from '../api/bot-api.ts';
import { ControlConnection, type ControlAnswer } from './connection.ts';
import type { ControlSettings } from './settings.ts';
import { addressPath, tokenPath } from './token.ts';

/** A bot's answer to a status call. */
export type StatusAnswer = BotStatus & { readonly ready: boolean };

/** Address and token of a control API. */
export interface ControlAddress {
  readonly url: string;
  readonly token: string;
}

/** The address of a bot by its configuration; of a port that was free to choose by what it wrote down. */
export function configuredUrl({ host, port, data }: ControlSettings): string {
  if (port !== 0) {
    const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
    return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
  }
  const path = addressPath(data);
  if (existsSync(path)) return readSmallFile(path, { isOwn: true }).text.trim();
  throw new MillraceError(
    'bot-unreachable',
    `No bot runs on ${data}: it would have written its address to ${path}. Start it with millrace run.`,
  );
}

/** A bot's token, by its configuration or as generated and stored. Throws `secret-missing`. */
export function configuredToken({ token, data }: ControlSettings): string {
  return token ?? readToken(tokenPath(data));
}

/** Reads a token from its file. Throws `secret-missing`. */
export function readToken(path: string): string {
  let why = 'it is empty';
  try {
    const token = readSmallFile(path).text.trim();
    if (token !== '') return token;
  } catch (error) {
    why = errorText(error);
  }
  throw new MillraceError(
    'secret-missing',
    `The token of the bot cannot be read from ${path} (${why}). A bot makes it when it starts first; run this as the same user, or name its file with --token-file.`,
    { where: path },
  );
}

/** Calls the control API of a bot. Every call may throw `bot-unreachable`, and the bot's own errors. */
export class ControlClient {
  readonly #url: string;
  readonly #connection: ControlConnection;

  /** Throws `usage` for an invalid address. */
  constructor({ url, token }: ControlAddress) {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
      throw new MillraceError('usage', '--url takes an address such as http://127.0.0.1:8340.', {
        field: '--url',
      });
    }
    this.#url = parsed.origin;
    this.#connection = new ControlConnection(parsed.origin, token);
  }

  status(): Promise<StatusAnswer> {
    return this.#call('GET', '/status');
  }

  orders(): Promise<readonly OrderLine[]> {
    return this.#call('GET', '/orders');
  }

  positions(): Promise<readonly PositionLine[]> {
    return this.#call('GET', '/positions');
  }

  balances(): Promise<readonly (BalanceLine | UnknownBalanceLine)[]> {
    return this.#call('GET', '/balances');
  }

  /** With a mode, a bot of another mode refuses: throws `control-refused`. */
  operate(
    operation: Operation,
    strategy: string | undefined,
    mode?: BotStatus['mode'],
  ): Promise<StatusAnswer> {
    const isBare = strategy === undefined && mode === undefined;
    return this.#call('POST', `/${operation}`, isBare ? undefined : { strategy, mode });
  }

  reload(): ReturnType<BotApi['reload']> {
    return this.#call('POST', '/reload');
  }

  close(): void {
    this.#connection.close();
  }

  async #call<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    let answer: ControlAnswer;
    let read: unknown;
    try {
      answer = await this.#connection.call(method, path, body);
      const { text } = answer;
      read = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined;
    } catch (error) {
      throw unreachable(this.#url, error);
    }
    // Bot and client share the type of the answer.
    if (answer.status === 200 && read !== undefined) return read as T;
    throw rejected(this.#url, answer.status, read);
  }
}

function unreachable(url: string, error: unknown): MillraceError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return new MillraceError(
    'bot-unreachable',
    `No bot answers at ${url} (${code}). Start it with millrace run, or name it with --config or --url.`,
    { cause: error },
  );
}

/** A bot's own error; any other answer is not from a bot. */
function rejected(url: string, status: number, read: unknown): MillraceError {
  const reported = (
    read as { readonly error?: { readonly code?: string; readonly message?: string } }
  )?.error;
  if (
    reported?.code !== undefined &&
    reported.message !== undefined &&
    Object.hasOwn(ERRORS, reported.code)
  ) {
    const hint =
      status === 401
        ? ' Name the file that holds it with --token-file, or the bot with --config.'
        : '';
    return new MillraceError(reported.code as ErrorCode, `${reported.message}${hint}`);
  }
  return new MillraceError(
    'bot-unreachable',
    `What answers at ${url} is no bot (HTTP ${status}). Give the address of the bot with --config or --url.`,
  );
}
