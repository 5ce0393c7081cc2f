import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Services that answer as a test wants. */
export class Services {
  readonly #open: Server[] = [];

  /** Opens one and gives its address. */
  async open(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    this.#open.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#open.map((server) => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      }),
    );
  }
}

/** A service that takes every request and answers none. */
export const silent: RequestListener = () => undefined;

/** A service that answers everything with this. */
export const saying =
  (status: number, body: string): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
