import { MillraceError } from '../../model/errors.ts';
import { classOfStatus } from '../../wire/error-class.ts';
import { requestText } from '../../wire/exchange-orders/envelope.ts';
import { EXCHANGE_CREDENTIALS, EXCHANGE_ORDERS_PATH } from '../../wire/exchange-orders/methods.ts';
import { jsonIn } from '../../wire/json.ts';
import { signText } from '../../wire/key-pair.ts';
import { CallLimiter } from '../http/call-limiter.ts';
import { ClockWaits } from '../http/clock-waits.ts';
import { ServiceError, wordless, type ServiceErrorBody } from '../http/service-error.ts';
import { HttpTransport, type HttpRequest } from '../http/transport.ts';
import {
  classifyOutcome,
  rejected,
  repeated,
  verdictOn,
  type Answered,
  type JudgedCall,
  type Reading,
  type RequestOutcome,
} from '../http/request-outcome.ts';
import { replyOf, type ReplyError } from './envelope.ts';
import {
  classOfFault,
  ExchangeOrderError,
  faultOf,
  limitsIn,
  type ExchangeOrderErrorBody,
} from './fault.ts';
import type { ResolvedExchangeOrdersSettings, SigningKey } from './resolve-settings.ts';

/** A call of a method. */
export interface MethodCall {
  readonly method: string;
  /** Left out of the request if `undefined`. */
  readonly params: unknown;
  /** True for a read: only reads are repeated without an answer. */
  readonly reads: boolean;
  readonly key: 'main' | 'privateSend';
}

/** How long all calls of a key wait after one came too fast. */
const HOLD_US = 1_000_000;

/** Makes calls: limits their rate, writes, signs, sends, evaluates, and repeats reads. */
export class ExchangeOrdersCaller {
  readonly #settings: ResolvedExchangeOrdersSettings;
  readonly #transport: HttpTransport;
  readonly #pacing: CallLimiter;
  readonly #pauses: ClockWaits;
  #count = 0;

  constructor(settings: ResolvedExchangeOrdersSettings) {
    const { origin, scheduler, requestsPerSecond, main, privateSend } = settings;
    const quota = { rate: requestsPerSecond, burst: 0 };
    this.#settings = settings;
    this.#transport = new HttpTransport(origin, scheduler, settings);
    this.#pauses = new ClockWaits(scheduler);
    this.#pacing = new CallLimiter(
      { [main.apiKey]: quota, [privateSend.apiKey]: quota },
      scheduler,
    );
  }

  get pauses(): ClockWaits {
    return this.#pauses;
  }

  async call<T>(call: MethodCall, read: (result: unknown) => Reading<T>): Promise<T> {
    return repeated(this.#settings, this.#pauses, call.reads, () => this.#attempt(call, read));
  }

  async close(): Promise<void> {
    const over = new MillraceError('unreachable', 'The call was not sent: the client is closed.');
    this.#pacing.close(over);
    this.#pauses.close(over);
    await this.#transport.close();
  }

  async #attempt<T>(
    call: MethodCall,
    read: (result: unknown) => Reading<T>,
  ): Promise<RequestOutcome<T>> {
    const signing = this.#settings[call.key];
    const limits = [signing.apiKey];
    const release = await this.#pacing.acquire(limits, call.method);
    try {
      this.#count += 1;
      const id = String(this.#count);
      const request = requestOf(call, id, signing);
      const outcome = await this.#transport.send(request);
      const judged = judgedCall(call, request);
      const verdict = classifyOutcome(judged, outcome, (answered) =>
        readReply(judged, id, answered, read),
      );
      if (isTooFast(verdict)) this.#pacing.pause(limits, HOLD_US);
      return verdict;
    } finally {
      release();
    }
  }
}

/** The service counts requests by the second, so a client that was too fast waits for one. */
const isTooFast = (verdict: RequestOutcome): boolean =>
  verdict.kind === 'failure' &&
  verdict.error instanceof ExchangeOrderError &&
  verdict.error.fault === 'requests-limit';

/** A request, signed over the very text that is sent. */
function requestOf(call: MethodCall, id: string, { apiKey, key }: SigningKey): HttpRequest {
  const { method, params } = call;
  const body = requestText(id, method, params);
  return {
    method: 'POST',
    target: EXCHANGE_ORDERS_PATH,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      [EXCHANGE_CREDENTIALS.apiKey]: apiKey,
      [EXCHANGE_CREDENTIALS.signature]: signText(body, key),
    },
    body,
  };
}

const judgedCall = ({ method, reads }: MethodCall, { headers }: HttpRequest): JudgedCall => {
  const signature = headers[EXCHANGE_CREDENTIALS.signature] ?? '';
  return { name: method, reads, redact: (text) => text.replaceAll(signature, '[secret]') };
};

function readReply<T>(
  judged: JudgedCall,
  id: string,
  { status, headers, body }: Answered,
  read: (result: unknown) => Reading<T>,
): RequestOutcome<T> {
  const reply = replyOf(jsonIn(body), id);
  if (reply.kind === 'error') return rejectedBy(judged, reply.error, status, headers);
  if (status < 200 || status >= 300) {
    return rejected(judged, wordless(status), headers);
  }
  return verdictOn(judged, reply.kind === 'fault' ? reply : read(reply.result));
}

/** The verdict on an error of the service: whether anything may have been done, and why not. */
function rejectedBy(
  judged: JudgedCall,
  { code, message, data }: ReplyError,
  status: number,
  headers: Answered['headers'],
): RequestOutcome<never> {
  const { fault, limit } = faultOf(code, message);
  const reported: ServiceErrorBody = {
    serviceCode: code,
    serviceMessage: message,
    description: undefined,
    httpStatus: status,
    class: classOfFault(fault, classOfStatus(status)),
  };
  const verdict = rejected(judged, reported, headers);
  if (verdict.kind === 'answer' || !(verdict.error instanceof ServiceError)) return verdict;
  const words: ExchangeOrderErrorBody = { fault, limit, limits: limitsIn(data), data };
  return { ...verdict, error: new ExchangeOrderError(verdict.error, verdict.error, words) };
}
