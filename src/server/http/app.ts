import type { Socket } from 'node:net';
import { fastify, type FastifyError, type FastifyInstance } from 'fastify';
import type { Answers } from './answers.ts';
import { BODY_BYTES_MAX } from './body.ts';
import { answerFailure, answerNoise, type Log } from './failures.ts';
import { ConnectionQueues } from './connection-queues.ts';

/** A request that takes longer to arrive is given up. */
const ARRIVAL_MS_MAX = 60_000;

/** Longer than any request line that Node reads, so that no member of a path is too long to route. */
const MEMBER_LENGTH_MAX = 1 << 15;

/** HTTP without any call yet: bodies stay bytes, since signatures cover them as they were sent. */
export function httpApp(answers: Answers, log: Log): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: ARRIVAL_MS_MAX,
    // A closing venue cuts off unfinished requests, like a service that goes down.
    forceCloseConnections: true,
    return503OnClosing: false,
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: MEMBER_LENGTH_MAX,
    },
    http: {
      // Node would answer a request without a host itself, in no shape at all.
      requireHostHeader: false,
      // Other offers (`curl --http2`) are ignored, as HTTP allows.
      shouldUpgradeCallback: ({ headers }) => /^websocket$/i.test(headers.upgrade ?? ''),
    },
    genReqId: requestIds(),
    frameworkErrors: (error, request, reply) => {
      answerFailure(answers, log, error, request, reply);
    },
    clientErrorHandler: (error: Error, socket: Socket) => {
      answerNoise(answers, error, socket);
    },
  });
  // Expectations other than 100-continue are ignored; Node would answer them in no shape at all.
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  // Parameters are never read from the body of a GET, but a signature covers it if there is one.
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  const turns = new ConnectionQueues();
  app.addHook('onRequest', async (request, reply) => turns.wait(request.raw, reply.raw));
  app.setErrorHandler((error: FastifyError, request, reply) =>
    answerFailure(answers, log, error, request, reply),
  );
  return app;
}

/** Numbers requests in the form of a UUID. */
function requestIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    const hex = count.toString(16).padStart(32, '0');
    return [0, 8, 12, 16, 20].map((at, i, ats) => hex.slice(at, ats[i + 1])).join('-');
  };
}
