import asyncApiSchemas from '@asyncapi/specs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { asyncApi } from '../../../src/server/description/asyncapi.ts';
import { openApi } from '../../../src/server/description/openapi.ts';
import { CHANNELS } from '../../../src/wire/trading/v3/streams/channels.ts';
import { TRADING_METHODS } from '../../../src/wire/trading/v3/streams/trading.ts';

/** Every reference of a document and whether it leads anywhere. */
function deadReferences(document: object): string[] {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
  return references
    .map(([, path = '']) => path)
    .filter((path) => {
      let node: unknown = document;
      for (const part of path.split('/')) {
        const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
        node = (node as Readonly<Record<string, unknown>> | undefined)?.[name];
      }
      return node === undefined;
    });
}

describe('the description of REST', () => {
  const document = openApi();

  test('is OpenAPI 3.1 by a validator that is not ours', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  test('has no reference that leads nowhere', () => {
    expect(deadReferences(document)).toEqual([]);
  });

  test('a validator finds what is wrong with another document', async () => {
    const broken = { ...structuredClone(document), paths: { 'no-slash': { get: {} } } };
    expect((await new Validator().validate(broken)).valid).toBe(false);
    expect(deadReferences({ $ref: '#/nowhere' })).toEqual(['nowhere']);
  });
});

describe('the description of the sockets', () => {
  const document = asyncApi('127.0.0.1:8330');

  test('is AsyncAPI 3 by the official schema', () => {
    const ajv = new Ajv({
      strict: false,
      validateFormats: false,
      allErrors: true,
      // The schema brings draft 7 along itself.
      meta: false,
      validateSchema: false,
    });
    const schema = asyncApiSchemas.schemas['3.0.0'];
    const validate = ajv.compile(schema as object);
    expect(validate(document) ? [] : validate.errors?.slice(0, 5)).toEqual([]);
    const broken = structuredClone(document) as Record<string, unknown>;
    broken['operations'] = { bad: { action: 'shout' } };
    expect(validate(broken)).toBe(false);
  });

  test('has no reference that leads nowhere', () => {
    expect(deadReferences(document)).toEqual([]);
  });

  test('describes lists of fixed length with the keywords of its draft', () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain('prefixItems');
    const decimal = { type: 'string', pattern: String.raw`^-?\d+(\.\d+)?$` };
    expect(document).toMatchObject({
      components: {
        schemas: { Report: { properties: { quantity: decimal } } },
      },
      channels: {
        'v3-public': {
          messages: {
            'feed.orderbook.D5.100ms': {
              payload: {
                properties: {
                  data: {
                    additionalProperties: {
                      properties: {
                        a: { items: { items: [decimal, decimal], additionalItems: false } },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    });
  });

  test('describes every method with its reply, every notification and every channel', () => {
    const operations = Object.keys(document['operations'] as object);
    for (const name of Object.keys(TRADING_METHODS)) {
      expect(operations).toContain(`v3-trading.${name}`);
    }
    for (const name of ['v3-wallet.login', 'v2-trading.newOrder', 'v2-public.notify.ticker']) {
      expect(operations).toContain(name);
    }
    for (const ch of CHANNELS.keys()) {
      expect(operations).toContain(`v3-public.feed.${ch.replaceAll('/', '.')}`);
    }
  });
});
