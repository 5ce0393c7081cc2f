import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { asyncApi } from './asyncapi.ts';
import { openApi } from './openapi.ts';
import { PAGE } from './page/page.ts';
import { SCRIPT } from './page/script.ts';
import { STYLE } from './page/style.ts';

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Content policy of the page: its own script, and requests to the venue. */
const POLICY = [
  "default-src 'none'",
  "connect-src 'self'",
  'img-src data:',
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the descriptions of calls and sockets, and a page to read them. */
export function mountDescription(app: FastifyInstance): void {
  // Constant while the venue runs, and made on the first request.
  let rest: string | undefined;
  app.get('/openapi.json', (_request, reply) => {
    rest ??= JSON.stringify(openApi());
    return reply.type('application/json').send(rest);
  });
  app.get('/asyncapi.json', (request, reply) =>
    reply.type('application/json').send(JSON.stringify(asyncApi(request.host))),
  );
  app.get('/', (_request, reply) => reply.redirect('/docs'));
  app.get('/docs', (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', POLICY)
      .header('x-content-type-options', 'nosniff')
      .send(PAGE),
  );
}
