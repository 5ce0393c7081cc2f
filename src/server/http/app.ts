import { fastify, type FastifyInstance } from 'fastify';

/** HTTP without any call yet: bodies stay text, since signatures cover them byte for byte. */
export function httpApp(): FastifyInstance {
  const app = fastify({
    logger: false,
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body);
  });
  return app;
}
