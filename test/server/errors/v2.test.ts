import { describe, expect, test } from 'vitest';
import type { HttpAnswer } from '../kit.ts';
import { openHarness, type WalletHarness } from '../wallet/harness.ts';

/** `ann` has the sub-account `sub`; short ways to ask as her. */
class Family {
  readonly branch: WalletHarness;
  readonly sub: number;

  constructor(branch: WalletHarness) {
    this.branch = branch;
    this.sub = branch.sub('sub', 'ann');
  }

  async ask(method: string, path: string, json?: unknown): Promise<HttpAnswer> {
    const reported = json === undefined ? {} : { json };
    return this.branch.venue.call(method, `/api/2/${path}`, { as: 'ann', ...reported });
  }
}

const family = async (): Promise<Family> => new Family(await openHarness());

const rejection = (status: number, code: number, message: string) => ({
  status,
  body: { error: { code, message: expect.stringMatching(new RegExp(`^${message}$`, 'i')) } },
});

describe('errors of version 2', () => {
  test.each(['freeze', 'activate'])(
    'sub-acc/%s without ids is a validation error',
    { tags: ['server:trading-v2.error.10001'] },
    async (what) => {
      const { branch } = await family();
      for (const json of [{}, { ids: '' }, { ids: {} }]) {
        const answer = await branch.venue.call('POST', `/api/2/sub-acc/${what}`, {
          as: 'ann',
          json,
        });
        expect(answer).toMatchObject(rejection(400, 10001, 'Validation error'));
      }
    },
  );

  test(
    'what a frozen sub-account may do cannot be changed',
    { tags: ['server:trading-v2.error.10021'] },
    async () => {
      const our = await family();
      await our.ask('POST', 'sub-acc/freeze', { ids: String(our.sub) });
      const json = { isPayoutEnabled: true, description: 'a' };
      const answer = await our.ask('PUT', `sub-acc/acl/${our.sub}`, json);
      expect(answer).toMatchObject(rejection(400, 10021, 'user disabled'));
    },
  );

  test(
    'who is frozen cannot be frozen again',
    { tags: ['server:trading-v2.error.21004'] },
    async () => {
      const our = await family();
      const json = { ids: String(our.sub) };
      expect(await our.ask('POST', 'sub-acc/freeze', json)).toMatchObject({ status: 200 });
      const again = await our.ask('POST', 'sub-acc/freeze', json);
      expect(again).toMatchObject(
        rejection(400, 21004, 'Sub account is already frozen or disabled'),
      );
    },
  );

  test(
    'a sub-account that nobody knows is an internal error',
    { tags: ['server:trading-v2.error.500'] },
    async () => {
      const our = await family();
      const unknown = await our.ask('GET', 'sub-acc/balance/999999');
      expect(unknown).toMatchObject(rejection(500, 500, 'Internal Server Error'));
      const frozen = await our.ask('POST', 'sub-acc/freeze', { ids: '999999' });
      expect(frozen).toMatchObject(rejection(500, 500, 'Internal Server Error'));
    },
  );

  test(
    'more than there is cannot be moved to a sub-account',
    { tags: ['server:trading-v2.error.20001'] },
    async () => {
      const our = await family();
      const json = { subAccountId: our.sub, currency: 'BTC', amount: '1000', type: 'deposit' };
      const answer = await our.ask('POST', 'sub-acc/transfer', json);
      expect(answer).toMatchObject(rejection(400, 20001, 'Insufficient funds'));
    },
  );

  test(
    'an error has a code, a message and an optional description',
    { tags: ['server:trading-v2.error.body-shape'] },
    async () => {
      const our = await family();
      for (const [call, status] of [
        ['GET nothing', 404],
        ['GET public/symbol/NONE', 400],
        ['POST order', 400],
        ['DELETE order/no-such-order', 400],
        ['GET sub-acc/balance/999999', 500],
      ] as const) {
        const [method = '', path = ''] = call.split(' ');
        const answer = await our.ask(method, path);
        const { error } = answer.body as { readonly error: Readonly<Record<string, unknown>> };
        expect([call, answer.status]).toEqual([call, status]);
        expect(error).toEqual({
          code: expect.any(Number),
          message: expect.any(String),
          ...('description' in error ? { description: expect.any(String) } : {}),
        });
      }
      const nobody = await our.branch.venue.call('GET', '/api/2/order');
      expect([nobody.status, nobody.body]).toMatchObject([401, { error: { code: 1001 } }]);
    },
  );
});
