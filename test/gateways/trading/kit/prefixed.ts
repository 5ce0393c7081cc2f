import { createServer, request } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A front of a service that has the service's paths behind another prefix. */
export interface Prefixed {
  readonly host: string;
  /** The path and query of each request and socket, as the client sent them, oldest first. */
  readonly targets: readonly string[];
}

/**
 * Opens a front for the test that asks: what comes to a path below `prefix` goes on to the service at
 * `base`, with `standard` in its place. Anything else is answered with 404.
 */
export async function openPrefixed(
  base: string,
  prefix: string,
  standard: string,
): Promise<Prefixed> {
  const { hostname, port } = new URL(base);
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const inner = (target = ''): string | undefined => {
    targets.push(target);
    return target.startsWith(`${prefix}/`) ? standard + target.slice(prefix.length) : undefined;
  };
  const server = createServer((asked, answer) => {
    const path = inner(asked.url);
    if (path === undefined) {
      answer.writeHead(404).end();
      return;
    }
    const { method, headers } = asked;
    const onward = request({ hostname, port, method, headers, path, agent: false }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  });
  server.on('upgrade', (asked, client: Socket) => {
    const path = inner(asked.url);
    client.on('error', () => client.destroy());
    sockets.add(client);
    if (path === undefined) {
      client.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const onward = connect(Number(port), hostname);
    sockets.add(onward);
    onward.on('error', () => client.destroy());
    const fields = Object.entries(asked.headers).map(
      ([name, value]) => `${name}: ${String(value)}`,
    );
    onward.write(`GET ${path} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`);
    onward.pipe(client).pipe(onward);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, targets };
}
