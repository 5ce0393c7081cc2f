import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { openApi } from '../../../src/server/description/openapi.ts';
import { V2_CALLS, V2_PREFIX } from '../../../src/wire/trading/v2/calls/table.ts';
import { V3_CALLS, V3_PREFIX } from '../../../src/wire/trading/v3/calls/table.ts';
import { openVenue, type TestVenue } from '../kit.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly security: readonly object[];
}

const document = openApi() as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([verb, operation]) => ({ path, verb, operation })),
);

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'document');

/** The first thing that is wrong with an answer by its description, undefined where nothing is. */
function misfit(path: string, verb: string, status: number, body: unknown): string | undefined {
  const name = path.replaceAll('~', '~0').replaceAll('/', '~1');
  const response =
    status === 200 ? `paths/${name}/${verb}/responses/200` : 'components/responses/Error';
  const uri = `document#/${response}/content/application~1json/schema`.replaceAll(
    /[{}]/g,
    (brace) => encodeURIComponent(brace),
  );
  const validate = ajv.getSchema(uri);
  if (validate === undefined) return `no schema at ${uri}`;
  return validate(body) === true ? undefined : ajv.errorsText(validate.errors);
}

/** Something for every parameter that has to be there. */
const VALUES: Readonly<Record<string, string>> = {
  symbol: 'BTCUSDT',
  currency: 'BTC',
  amount: '0.1',
  to: 'USDT',
  from: 'BTC',
  target_currency: 'USDT',
  margin_mode: 'isolated',
  address: 'bc1q',
  from_currency: 'BTC',
  to_currency: 'USDT',
  sub_account_ids: '1',
  subAccountIds: '1',
  client_order_id: 'rests-here',
  clientOrderId: 'rests-here',
  fromCurrency: 'BTC',
  toCurrency: 'USDT',
};

const isPublic = ({ security }: Operation): boolean => security.length === 0;

function urlOf(path: string, { parameters = [] }: Operation): string {
  const value = (name: string): string =>
    path.includes('futures') && name === 'symbol' ? 'ETHUSDT_PERP' : (VALUES[name] ?? '1');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => value(name));
  const query = new URLSearchParams(
    parameters
      .filter((one) => one.in === 'query' && one.required === true)
      .map(({ name }): [string, string] => [name, value(name)]),
  );
  return query.size > 0 ? `${filled}?${query.toString()}` : filled;
}

/** Trades, so that there is something to answer with. */
async function trade(venue: TestVenue): Promise<void> {
  const orders = [
    ['other', { symbol: 'BTCUSDT', side: 'sell', quantity: '0.01', price: '62000' }],
    ['demo', { symbol: 'BTCUSDT', side: 'buy', quantity: '0.005', price: '62000' }],
    [
      'demo',
      {
        symbol: 'BTCUSDT',
        side: 'buy',
        quantity: '0.01',
        price: '60000',
        client_order_id: 'rests-here',
      },
    ],
    ['other', { symbol: 'ETHUSDT', side: 'sell', quantity: '0.1', price: '3400' }],
    ['demo', { symbol: 'ETHUSDT', side: 'buy', quantity: '0.1', price: '3400' }],
  ] as const;
  for (const [as, json] of orders) {
    const answer = await venue.call('POST', '/api/3/spot/order', { as, json });
    expect(misfit('/api/3/spot/order', 'post', answer.status, answer.body)).toBeUndefined();
    expect(answer.status).toBe(200);
  }
  venue.pass(90_000_000);
}

describe('the description', () => {
  test('has every call of both tables, and nothing that they do not have', () => {
    const described = operations.map(({ path, verb }) => `${verb.toUpperCase()} ${path}`);
    const served = [
      ...Object.values(V3_CALLS).map(({ method, path }) => `${method} ${V3_PREFIX}${path}`),
      ...Object.values(V2_CALLS).map(({ method, path }) => `${method} ${V2_PREFIX}${path}`),
    ];
    expect(described.toSorted()).toEqual(served.toSorted());
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('describes nothing that is not served', async () => {
    const venue = await openVenue();
    const absent: string[] = [];
    for (const { path, verb, operation } of operations) {
      const { body } = await venue.call(verb.toUpperCase(), urlOf(path, operation), {
        ...(isPublic(operation) ? {} : { headers: {} }),
      });
      const { error } = body as { readonly error?: { readonly code: number } };
      if (error?.code === 800) absent.push(`${verb} ${path}`);
      if (!isPublic(operation)) expect([path, error?.code]).toEqual([path, 1001]);
    }
    expect(absent).toEqual([]);
  });

  test('fits what the venue answers, errors included, on every call that reads', async () => {
    const venue = await openVenue();
    await trade(venue);
    const misfits: string[] = [];
    const rejected: string[] = [];
    const reading = operations.filter(({ verb }) => verb === 'get');
    for (const { path, verb, operation } of reading) {
      const answer = await venue.call('GET', urlOf(path, operation), {
        ...(isPublic(operation) ? {} : { as: 'demo' }),
      });
      if (answer.status !== 200) rejected.push(`${path} ${JSON.stringify(answer.body)}`);
      const wrong = misfit(path, verb, answer.status, answer.body);
      if (wrong !== undefined) misfits.push(`${verb} ${path}: ${wrong}`);
    }
    expect(misfits).toEqual([]);
    expect(reading.length - rejected.length, rejected.join('\n')).toBeGreaterThan(60);
  });

  test('a schema finds an answer that does not fit', () => {
    expect(misfit('/api/3/public/symbol/{symbol}', 'get', 200, { type: 5 })).toMatch(
      /must have required property/,
    );
    expect(misfit('/api/3/public/symbol/{symbol}', 'get', 404, { wrong: 1 })).toMatch(/error/);
  });
});

test('the descriptions and the page are served', async () => {
  const venue = await openVenue();
  const rest = await venue.call('GET', '/openapi.json');
  expect(rest.status).toBe(200);
  expect(rest.body).toEqual(JSON.parse(JSON.stringify(openApi())));
  const sockets = await venue.call('GET', '/asyncapi.json');
  expect(sockets.body).toMatchObject({
    asyncapi: '3.0.0',
    servers: { venue: { host: `127.0.0.1:${venue.venue.port}` } },
  });
  const page = await venue.call('GET', '/docs/');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('who comes to the address itself is led to the page', async () => {
  const venue = await openVenue();
  const response = await fetch(`${venue.base}/`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([302, '/docs']);
});
