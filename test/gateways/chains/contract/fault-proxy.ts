import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wait } from '../../../kit/nats-server.ts';

/**
 * What one fault does to a request. `lose request`: the connection ends and the chain never hears of
 * it. `lose answer`: the chain has done it, and the connection ends. `hang`: no answer ever comes.
 * `half`: half of the right answer. `result` and `error` are answers of JSON-RPC; `status` and `body`
 * are any answer at all.
 */
export type Fault =
  | 'lose answer'
  | 'lose request'
  | 'hang'
  | '429'
  | 'html'
  | 'half'
  | { readonly result: unknown }
  | { readonly error: string; readonly code?: number; readonly data?: unknown }
  | { readonly status: number; readonly body: string };

/** An HTTP proxy before a chain, for JSON-RPC and REST, that misbehaves when it is told to. */
export interface FaultProxy {
  readonly url: string;
  /** What was asked: the method of JSON-RPC, or method and path such as `POST /tx`. */
  readonly asked: string[];
  /** Does it to the next request whose name is or matches `what`, or to so many. */
  fault(what: string | RegExp, fault: Fault, times?: number): void;
  /** From now on it answers whatever was asked before as it did then: a node that lags. */
  freeze(): void;
  /** Refuses connections, and ends those that are open. */
  refuse(): Promise<void>;
  /** Ends all faults, and listens again. */
  heal(): Promise<void>;
  /** Another one before the same chain, with faults of its own. */
  second(): Promise<FaultProxy>;
  close(): Promise<void>;
}

interface Asked {
  readonly name: string;
  readonly key: string;
  readonly id: unknown;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** Puts a proxy before what answers at an address. */
export async function openFaultProxy(target: string): Promise<FaultProxy> {
  const proxy = new Proxy(target);
  await proxy.listen();
  return proxy;
}

class Proxy implements FaultProxy {
  readonly asked: string[] = [];
  readonly #target: string;
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #faults: { readonly what: string | RegExp; readonly fault: Fault; left: number }[] = [];
  readonly #answers = new Map<string, { readonly status: number; readonly body: string }>();
  #isFrozen = false;
  #port = 0;

  constructor(target: string) {
    this.#target = target;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  fault(what: string | RegExp, fault: Fault, times = 1): void {
    this.#faults.push({ what, fault, left: times });
  }

  freeze(): void {
    this.#isFrozen = true;
  }

  async refuse(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
    // Clients have to see that their connections have ended.
    await wait(30);
  }

  async heal(): Promise<void> {
    this.#faults.length = 0;
    this.#isFrozen = false;
    if (!this.#server.listening) await this.listen();
  }

  async second(): Promise<FaultProxy> {
    return openFaultProxy(this.#target);
  }

  async close(): Promise<void> {
    await this.refuse();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await askedIn(request);
    this.asked.push(asked.name);
    const fault = this.#faultFor(asked.name);
    const answer = fault === undefined ? undefined : instead(fault, asked.id);
    if (fault === 'lose request') return void response.destroy();
    if (fault === 'hang') return;
    if (answer !== undefined) return void response.writeHead(answer.status).end(answer.body);
    try {
      const { status, body } = await this.#forwarded(asked);
      if (fault === 'lose answer') return void response.destroy();
      const text = fault === 'half' ? body.slice(0, body.length / 2) : body;
      response.writeHead(status, { 'content-type': typeOf(body) }).end(text);
    } catch {
      response.destroy();
    }
  }

  #faultFor(name: string): Fault | undefined {
    const found = this.#faults.find(
      ({ what, left }) => left > 0 && (typeof what === 'string' ? name === what : what.test(name)),
    );
    if (found !== undefined) found.left -= 1;
    return found?.fault;
  }

  async #forwarded({ key, id, method, path, body }: Asked) {
    const kept = this.#answers.get(key);
    if (this.#isFrozen && kept !== undefined) return { ...kept, body: withId(kept.body, id) };
    const type = typeOf(body);
    const sent = method === 'GET' ? {} : { headers: { 'content-type': type }, body };
    const answer = await fetch(this.#target + path, { method, ...sent });
    const made = { status: answer.status, body: await answer.text() };
    if (!this.#isFrozen) this.#answers.set(key, made);
    return made;
  }
}

async function askedIn(request: IncomingMessage): Promise<Asked> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts).toString();
  const { method = 'GET', url: path = '/' } = request;
  const json = body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : {};
  const name = typeof json['method'] === 'string' ? json['method'] : `${method} ${path}`;
  const { id, ...rest } = json;
  const key = `${method} ${path} ${body.startsWith('{') ? JSON.stringify(rest) : body}`;
  return { name, key, id, method, path, body };
}

/** What is answered in place of the chain. */
function instead(fault: Fault, id: unknown): { status: number; body: string } | undefined {
  if (fault === '429') return { status: 429, body: 'slow down' };
  if (fault === 'html') return { status: 200, body: '<html>' };
  if (typeof fault === 'string') return undefined;
  if ('status' in fault) return fault;
  const said = 'error' in fault ? { error: { code: fault.code ?? -32_000, message: fault.error, data: fault.data } } : fault; // prettier-ignore
  return { status: 200, body: JSON.stringify({ jsonrpc: '2.0', id, ...said }) };
}

/** An old answer of JSON-RPC under the id of a new request; the digits of its numbers stay. */
const withId = (body: string, id: unknown): string =>
  id === undefined ? body : body.replace(/"id":\s*("[^"]*"|\d+)/, `"id":${JSON.stringify(id)}`);

const typeOf = (body: string): string => (/^[[{]/.test(body) ? 'application/json' : 'text/plain');
