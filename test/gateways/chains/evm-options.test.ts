import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { EvmNode } from '../../../src/gateways/chains/evm/evm-node.ts';
import { checkedOptions, type EvmNodeOptions } from '../../../src/gateways/chains/evm/options.ts';

const ETH = { network: 'ethereum', name: '', ticker: '', listed: true } as const;
const SOUND: EvmNodeOptions = {
  network: {
    id: 1,
    code: 'ethereum',
    name: 'Ethereum',
    family: 'evm',
    chainId: 1,
    blockUs: 12_000_000,
    confirmations: 65,
    customTokens: false,
  },
  coin: 10,
  tokens: [{ ...ETH, id: 10, asset: 'ETH', contract: 'ETH', decimals: 18 }],
  urls: ['https://node.example.com/v1/SECRET?key=SECRET'],
  finality: 'finalized',
  feeBound: 10n ** 16n,
  dayBound: 10n ** 17n,
  nonces: '/var/lib/millrace/ethereum.nonces',
};

test('the options of an EVM node are taken as they are where they can be meant', () => {
  expect(checkedOptions(SOUND)).toBe(SOUND);
  expect(checkedOptions({ ...SOUND, finality: 12 }).finality).toBe(12);
});

test('a node shows nobody the addresses of its providers, which may have keys', async () => {
  const node = new EvmNode(SOUND);
  expect(inspect(node, { showHidden: true, depth: 9 })).not.toContain('SECRET');
  expect(JSON.stringify(node)).not.toContain('SECRET');
  await node.close();
});

describe('the options of an EVM node are refused by their field where', () => {
  test.each<[string, object, string, string]>([
    ['there is no chain id', { network: { ...SOUND.network, chainId: 0 } }, 'network.chainId', ''],
    ['there is no provider', { urls: [] }, 'urls', 'must have one address at least'],
    ['a provider has no address', { urls: ['SECRET'] }, 'urls.0', 'must be an address such as'],
    ['the end is a word', { finality: 'soon' }, 'finality', 'finalized, safe or a number'],
    ['a bound is a number', { feeBound: 5 }, 'feeBound', 'must be a bigint of wei'],
    ['a bound is nothing', { dayBound: 0n }, 'dayBound', 'must be above 0'],
    ['no token is the coin', { coin: 11 }, 'coin', 'is the id of none of the tokens'],
    ['permit2 is no address', { permit2: '0x22' }, 'permit2', 'must be an address of 20 bytes'],
    ['what is acknowledged is no nonce', { acknowledged: -1 }, 'acknowledged', 'must be a nonce'],
    ['nonces have no file', { nonces: '' }, 'nonces', 'must be the path of a file'],
    ['a setting is unknown', { finalty: 5 }, 'finalty', 'did you mean finality?'],
  ])('%s', (_, changes, field, sentence) => {
    const given = { ...SOUND, ...changes };
    const message = expect.stringContaining(sentence) as string;
    const code = 'config-invalid';
    expect(() => checkedOptions(given)).toThrow(expect.objectContaining({ code, field, message }));
    expect(() => checkedOptions(given)).not.toThrow(/SECRET/);
  });
});
