import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { ControlConnection } from '../../../src/bot/control/connection.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** A connection with a server that answers as it is told. */
async function connected(listener: RequestListener): Promise<ControlConnection> {
  const made = createServer(listener);
  server = made;
  await new Promise<void>((resolve) => {
    made.listen(0, '127.0.0.1', resolve);
  });
  const { port } = made.address() as AddressInfo;
  return new ControlConnection(`http://127.0.0.1:${port}`, 'secret');
}

describe('a connection with a control API', () => {
  test('sends the token, and the body as JSON of its length in bytes', async () => {
    const connection = await connected((request, response) => {
      const { method, url, headers } = request;
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      request.on('end', () => {
        const { authorization, 'content-type': type, 'content-length': length } = headers;
        response.end(JSON.stringify({ method, url, authorization, type, length, body }));
      });
    });
    const posted = await connection.call('POST', '/pause', { strategy: 'é' });
    expect(posted.status).toBe(200);
    expect(JSON.parse(posted.text)).toEqual({
      method: 'POST',
      url: '/pause',
      authorization: 'Bearer secret',
      type: 'application/json',
      length: '17',
      body: '{"strategy":"é"}',
    });
    const read = await connection.call('GET', '/status');
    expect(JSON.parse(read.text)).toMatchObject({ method: 'GET', body: '' });
    expect(JSON.parse((await connection.call('POST', '/reload')).text)).toMatchObject({
      method: 'POST',
      length: '0',
      body: '',
    });
  });

  test('gives an answer of every status as it came, also in pieces', async () => {
    const connection = await connected((_, response) => {
      response.writeHead(503);
      response.write('{"a":"\u00e9');
      response.end('"}');
    });
    expect(await connection.call('GET', '/status')).toEqual({ status: 503, text: '{"a":"é"}' });
  });

  test('says by its code that nobody is there', async () => {
    const connection = await connected(() => undefined);
    await new Promise((resolve) => server?.close(resolve));
    await expect(connection.call('GET', '/status')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('fails where an answer breaks off', async () => {
    const connection = await connected((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"a"', () => response.destroy());
    });
    await expect(connection.call('GET', '/status')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('gives up what is not answered when it is closed', async () => {
    const connection = await connected((_, response) => {
      response.flushHeaders();
      response.write('{');
    });
    const asked = connection.call('GET', '/orders');
    await new Promise((resolve) => server?.once('request', resolve));
    connection.close();
    await expect(asked).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});
