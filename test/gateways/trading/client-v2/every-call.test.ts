import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { TradingClientV2 } from '../../../../src/gateways/trading/client/client-v2.ts';
import { TradingClient } from '../../../../src/gateways/trading/client/client.ts';
import { VirtualScheduler } from '../../../../src/platform/virtual-scheduler.ts';
import { decodeRequest, pathMembers, type Call } from '../../../../src/wire/trading/call.ts';
import { encode } from '../../../../src/wire/trading/decoding.ts';
import { V2_CALLS } from '../../../../src/wire/trading/v2/calls/table.ts';
import { V3_CALLS } from '../../../../src/wire/trading/v3/calls/table.ts';
import { v2, v3 } from '../../../server/accounts/signer.ts';
import { OPENED } from '../../../server/kit.ts';
import { arbitraryOf, paramsOf, plain } from '../../../wire/trading/arbitrary.ts';
import { openRelay, type Received } from '../kit/relay.ts';

const RUNS = { numRuns: 5, seed: 20_261_121 };

/** Text that may stand in a path: anything but nothing and what leads to another path. */
const segment = fc
  .string({ unit: 'binary', minLength: 1 })
  .filter((text) => text.isWellFormed() && text !== '.' && text !== '..');

type Rest = Readonly<Record<string, (given: unknown) => Promise<unknown>>>;

/** A client of a version, whose answers a test gives. */
async function open(version: 2 | 3) {
  const relay = await openRelay();
  const Client = version === 2 ? TradingClientV2 : TradingClient;
  const client = new Client({
    url: relay.url,
    credentials: { key: 'demo', secret: 'demo-secret', scheme: 'hs256' },
    scheduler: new VirtualScheduler(OPENED),
    paced: false,
  });
  onTestFinished(() => client.close());
  return { rest: client.rest as unknown as Rest, relay };
}

/** What a request says, read without what wrote it. */
function read(call: Call, prefix: string, { line, body }: Received) {
  const [method = '', target = ''] = line.split(' ');
  const [path = '', query = ''] = target.split('?');
  const names = pathMembers(call.path);
  const pattern = call.path.replace(/\{\w+\}/g, '([^/]+)');
  const found = new RegExp(`^${prefix}${pattern}$`).exec(path)?.slice(1) ?? [];
  const members = names.map((name, index) => [name, decodeURIComponent(found[index] ?? '')]);
  const params = decodeRequest(call, {
    query: Object.fromEntries(new URLSearchParams(query)),
    body: body === '' ? undefined : (JSON.parse(body) as unknown),
  });
  const value = params.kind === 'ok' ? plain(params.value) : params;
  return { method, path: Object.fromEntries(members) as unknown, params: value };
}

/** The header that a request must have, signed by hand. */
function authorization(version: 2 | 3, call: Call, { line, body }: Received): string | undefined {
  if (call.access === 'public') return undefined;
  const [method = '', target = ''] = line.split(' ');
  const signed =
    version === 2
      ? v2({ method, target, body, timestamp: OPENED / 1_000_000 })
      : v3({ method, target, body, timestamp: OPENED / 1_000 });
  return signed.authorization;
}

const ofTable = (version: 2 | 3, table: Readonly<Record<string, Call>>) =>
  Object.entries(table).map(([name, call]) => [version, name, call] as const);

describe('every call, whatever it is given and answered', () => {
  test.each([...ofTable(2, V2_CALLS), ...ofTable(3, V3_CALLS)])(
    'v%i %s sends what it is given, signed as it is sent, and gives what is answered',
    async (version, name, call) => {
      const { rest, relay } = await open(version);
      const path = fc.record(
        Object.fromEntries(pathMembers(call.path).map((member) => [member, segment])),
      );
      const isList = !(call.params instanceof z.ZodObject);
      const asked = async (members: object, params: unknown, answer: unknown): Promise<void> => {
        relay.answer(encode(call.response, answer as never));
        const bare = isList && Object.keys(members).length === 0;
        const given = isList ? { ...members, params } : { ...members, ...(params as object) };
        const result = await rest[name]?.(bare ? params : given);
        expect(plain(result)).toEqual(plain(answer));
        const [received] = relay.received.slice(-1) as [Received];
        const { method } = call;
        const reported = { method, path: members, params: plain(params) };
        expect(read(call, `/api/${version}`, received)).toEqual(reported);
        expect(received.headers.authorization).toBe(authorization(version, call, received));
        if (method === 'GET' || method === 'DELETE') expect(received.body).toBe('');
      };
      await fc.assert(
        fc.asyncProperty(path, paramsOf(call), arbitraryOf(call.response), asked),
        RUNS,
      );
    },
  );
});
