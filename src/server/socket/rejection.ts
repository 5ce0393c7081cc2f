import type { Duplex } from 'node:stream';
import { statusOf, type Fault } from '../../wire/trading/faults.ts';
import type { Answers } from '../http/answers.ts';
import { statusText } from '../http/status-text.ts';

/** Answers a request for a socket with an error, in the shape of the service. */
export function refuseUpgrade(
  answers: Answers,
  stream: Duplex,
  path: string,
  why: Fault,
  status: number = statusOf(why.code),
): void {
  const body = Buffer.from(answers.errorText(why, status, { path }));
  const head = [
    `HTTP/1.1 ${status} ${statusText(status)}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...(status === 429 ? ['Retry-After: 1'] : []),
    // A client of another version learns the supported one.
    'Sec-WebSocket-Version: 13',
    'Connection: close',
  ];
  // A client that has left already is no error.
  stream.on('error', () => stream.destroy());
  stream.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
}
