import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../../src/clients.ts';
import { micros, US_PER_HOUR } from '../../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../../src/platform/virtual-scheduler.ts';
import {
  openSwapVenue,
  sharedSwapVenue,
  USDC_ETHEREUM,
  USDC_SOLANA,
} from '../../../server/swaps/kit.ts';
import {
  answer,
  answerBytes,
  breakOff,
  openRawService,
  silence,
} from '../../trading/kit/raw-service.ts';
import { executionClient, executionClientOf, thrownBy } from '../kit.ts';

const TERMS = {
  from: { token_id: USDC_ETHEREUM },
  to: { token_id: USDC_SOLANA },
  amount: '250.5',
  slippage_bps: '50',
} as const;
const INTENT = {
  ...TERMS,
  from: { ...TERMS.from, address: 'mine' },
  to: { ...TERMS.to, address: 'theirs' },
  refund_address: 'back',
};

describe('errors of the service', () => {
  const venue = sharedSwapVenue();

  test(
    'have its code, type and message: 422',
    {
      tags: [
        'client:swap-execution.error.body-shape',
        'client:swap-execution.error.unprocessable-422',
      ],
    },
    async () => {
      const error = await thrownBy(
        executionClientOf(venue()).getQuote({ ...TERMS, from: { token_id: 999 } }),
      );
      expect(error).toBeInstanceOf(ServiceError);
      expect(error).toMatchObject({
        code: 'service-refused',
        serviceCode: 422,
        httpStatus: 422,
        class: 'refused',
        description: 'unprocessable',
        serviceMessage: expect.stringContaining('999') as string,
      });
    },
  );

  test(
    'name the member that is wrong: 400',
    { tags: ['client:swap-execution.error.validation-400'] },
    async () => {
      const client = executionClientOf(venue());
      const user = venue().user('solana');
      const error = await thrownBy(
        client.createIntent({
          ...INTENT,
          from: { token_id: USDC_SOLANA, address: user.address },
          to: { token_id: USDC_ETHEREUM, address: venue().user('ethereum').address },
          refund_address: user.address,
        }),
      );
      expect(error).toMatchObject({
        code: 'service-refused',
        serviceCode: 400,
        class: 'bad-request',
        serviceMessage: 'body.from.public_key is required',
      });
    },
  );

  test(
    'say that an intent is not there: 404',
    { tags: ['client:swap-execution.error.not-found-404'] },
    async () => {
      expect(await thrownBy(executionClientOf(venue()).getIntent('none'))).toMatchObject({
        code: 'service-refused',
        serviceCode: 404,
        class: 'bad-request',
        description: 'not_found',
      });
    },
  );

  test(
    'distinguish an old timestamp from a nonce that was used',
    {
      tags: [
        'client:swap-execution.error.client-surfaces-message',
        'client:swap-execution.error.auth-status',
      ],
    },
    async () => {
      const { scheduler } = venue();
      const late = new VirtualScheduler(micros(scheduler.now() - US_PER_HOUR - 1_000_000));
      const old = await thrownBy(executionClientOf(venue(), { scheduler: late }).getQuote(TERMS));
      expect(old).toMatchObject({
        code: 'service-refused',
        httpStatus: 401,
        class: 'authorization',
        serviceMessage: 'Timestamp is too old',
      });
      const relay = await openRawService((request, socket) => {
        void (async () => {
          // The same request twice, as a relay on the way might.
          const ask = async () =>
            fetch(venue().base + request.target, {
              method: request.method,
              headers: Object.entries(request.headers).filter(([name]) =>
                /^x-|^content-t/.test(name),
              ),
              body: request.body,
            });
          await ask();
          const second = await ask();
          socket.write(answerBytes(second.status, await second.text()));
        })();
      });
      const reused = await thrownBy(executionClient(relay.url, { scheduler }).getQuote(TERMS));
      expect(reused).toMatchObject({
        code: 'service-refused',
        httpStatus: 401,
        class: 'authorization',
        serviceMessage: 'Nonce reuse',
      });
    },
  );

  test(
    'of its own leave open what became of a POST, and end a read after all attempts',
    { tags: ['client:swap-execution.error.internal-500'] },
    async () => {
      const body = { code: 500, type: 'internal_error', message: 'Internal error' };
      const service = await openRawService(answer(500, body));
      const client = executionClient(service.url, { retries: { attempts: 3, firstUs: 1 } });
      expect(await thrownBy(client.createIntent(INTENT))).toMatchObject({
        code: 'outcome-unknown',
        serviceCode: 500,
        serviceMessage: 'Internal error',
      });
      expect(service.requests).toHaveLength(1);
      expect(await thrownBy(client.getIntent('i-1'))).toMatchObject({
        code: 'service-unavailable',
      });
      expect(service.requests).toHaveLength(4);
    },
  );
});

describe('what becomes of a request', () => {
  const signed = { form: 'permit2', signature: '0x00' } as const;

  test.each([
    ['breaks off', breakOff, undefined],
    ['is silent', silence, 500_000],
  ])('a POST is never sent twice where the service %s', async (_, reaction, timeoutUs) => {
    const service = await openRawService(reaction);
    const settings = { retries: { attempts: 5, firstUs: 1 }, timeoutUs };
    const client = executionClient(service.url, settings);
    for (const call of [
      async () => client.getQuote(TERMS),
      async () => client.createIntent(INTENT),
      async () => client.addApproval('i-1', signed),
    ]) {
      expect(await thrownBy(call())).toMatchObject({ code: 'outcome-unknown' });
    }
    expect(service.requests).toHaveLength(3);
  });

  test('a read is sent again, with a nonce of its own', async () => {
    const service = await openRawService(breakOff, answer(200, []));
    const client = executionClient(service.url, { retries: { attempts: 2, firstUs: 1 } });
    expect(await client.getNetworks()).toEqual([]);
    const nonces = service.requests.map(({ headers }) => headers['x-api-nonce']);
    expect(new Set(nonces).size).toBe(2);
  });

  test('an answer that is no JSON, or is that of a proxy, is reported as such', async () => {
    const page = await openRawService(answer(200, '<html>'), answer(403, '<html>'));
    const client = executionClient(page.url);
    expect(await thrownBy(client.getNetworks())).toMatchObject({ code: 'answer-invalid' });
    expect(await thrownBy(client.getNetworks())).toMatchObject({
      code: 'service-refused',
      serviceCode: undefined,
      class: 'authorization',
    });
  });

  test('after the client is closed is that it never left', async () => {
    const client = executionClientOf(await openSwapVenue());
    await client.close();
    expect(await thrownBy(client.getNetworks())).toMatchObject({ code: 'unreachable' });
    expect(await thrownBy(client.follow('i-1'))).toMatchObject({ code: 'unreachable' });
  });
});
