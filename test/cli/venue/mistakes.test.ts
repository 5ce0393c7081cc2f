import { expect, test } from 'vitest';
import { venueConfig } from '../../../src/cli/venue-config.ts';
import { parseConfig } from '../../../src/config/document.ts';

const SOUND = `
symbols:
  BTCUSDT:
    baseCurrency: BTC
    quoteCurrency: USDT
    tickSize: 0.01
    quantityIncrement: 0.00001
    takeRate: 0.0025
    makeRate: 0.0012
members:
  demo:
    keys: [{ key: demo, secret: demo-secret }]
    balances: { spot: { USDT: 100 } }
host: 127.0.0.1
admin: { token: a-token }
market: { generator: { symbols: { BTCUSDT: { startPrice: 62000 } } } }
`;

/** What is said of the sound configuration with one thing in it replaced. */
function said(from: string, to: string): string {
  const text = SOUND.replace(from, to);
  expect(text).not.toBe(SOUND);
  try {
    parseConfig(text, 'a.yaml', venueConfig({ folder: '.', environment: {} }));
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

test('a configuration without a mistake is read', () => {
  expect(said('62000', '61000')).toBe('');
});

test.each([
  [
    'tickSize: 0.01',
    'tickSize: -0.01',
    'a.yaml:6:15: Instrument BTCUSDT: tickSize is "-0.01" and must be a positive decimal.',
  ],
  [
    'quoteCurrency: USDT',
    'quoteCurrency: BTC',
    'a.yaml:5:20: Instrument BTCUSDT: quoteCurrency is the base currency too.',
  ],
  [
    'BTCUSDT:',
    "'BTC,USDT':",
    'a.yaml:4:5: symbols.BTC,USDT is "BTC,USDT"; expected a key of text without blanks, commas and *.',
  ],
  ['BTCUSDT:', "'':", 'a.yaml:4:5: symbols. is ""; expected a key of at least 1 character.'],
  [
    'baseCurrency: BTC',
    'baseCurrency: B T C',
    'a.yaml:4:19: symbols.BTCUSDT.baseCurrency is "B T C"; expected text without blanks, commas and *.',
  ],
  [
    'key: demo,',
    "key: 'de:mo',",
    'a.yaml:12:19: members.demo.keys.0.key is "de:mo"; expected text without colons, which end a key in Authorization headers.',
  ],
  [
    'USDT: 100',
    'USDT: -100',
    'a.yaml:13:31: members.demo.balances.spot.USDT is "-100"; expected an amount of zero or more.',
  ],
  [
    '127.0.0.1',
    '"127.0.0.1\\0"',
    'a.yaml:14:7: host is "127.0.0.1\\u0000"; expected an address or a name.',
  ],
  [
    'startPrice: 62000',
    'follows: BTCUSDT',
    'a.yaml:16:55: market.generator.symbols.BTCUSDT.follows is "BTCUSDT"; expected a symbol that does not follow this one in turn.',
  ],
  [
    'BTCUSDT: { startPrice: 62000 }',
    'BTCUSDT: { follows: ETHUSDT, over: A }, ETHUSDT: { follows: B, over: BTCUSDT }',
    'a.yaml:16:55: market.generator.symbols.BTCUSDT.follows is "ETHUSDT"; expected a symbol that does not follow this one in turn. (1 more like this)',
  ],
])('%s as %s is reported with its place', (from, to, sentence) => {
  expect(said(from, to)).toBe(sentence);
});

test.each([
  ['a-token', "'a secret token'", 'admin.token is something else; expected text that a header can'],
  [
    'a-token',
    '12345',
    'admin.token is something else; expected text, or env: NAME, or file: PATH.',
  ],
  ['demo-secret', '12345', 'members.demo.keys.0.secret is something else; expected text, or'],
])('%s as %s is reported without showing it', (from, to, sentence) => {
  const told = said(from, to);
  expect(told).toContain(sentence);
  expect(told).not.toMatch(/12345|a secret/);
});

test('the old key of a secret is reported with the new one', () => {
  expect(said('a-token', '{ environment: ADMIN_TOKEN }')).toBe(
    'a.yaml:15:17: admin.token is {"environment":"ADMIN_TOKEN"}; expected env: NAME, the new name of environment: NAME.',
  );
});
