import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { settingsOf, venueConfig } from '../../../src/cli/venue-config.ts';
import { parseConfig } from '../../../src/config/document.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { identityOf } from '../../../src/server/simulation/identity.ts';
import { withAddresses } from '../../../src/server/simulation/real-chains.ts';
import { Simulation } from '../../../src/server/simulation/simulation.ts';
import type { SimulationSettings } from '../../../src/server/simulation/settings.ts';
import { ANVIL, openAnvil } from '../../gateways/chains/anvil.ts';
import { SERVICE_KEYS } from '../rebalancing/real-venue.ts';

const EXAMPLE = readFileSync('config/anvil-venue.yaml', 'utf8');

/** The example with a change, read. */
function read(from = '', to = '', environment: object = SERVICE_KEYS): SimulationSettings {
  const text = EXAMPLE.replace(from, to);
  if (from !== '') expect(text).not.toBe(EXAMPLE);
  const places = { folder: '.', environment: environment as Readonly<Record<string, string>> };
  return settingsOf(parseConfig(text, 'a.yaml', venueConfig(places)));
}

function said(from: string, to: string, environment?: object): string {
  try {
    read(from, to, environment);
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing';
}

test('a state knows the addresses of its keys, and no key', () => {
  const { outside } = withAddresses(read());
  expect(outside?.real?.get('anvil')).toMatchObject({
    addresses: {
      escrow: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
      resolver: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
    },
  });
  const shown = JSON.stringify(identityOf(withAddresses(read())));
  expect(shown).toContain('0x90F79bf6EB2c4f870365E785982E1f101E93b906');
  for (const key of Object.values(SERVICE_KEYS)) expect(shown).not.toContain(key.slice(2));
});

test.each([
  [
    'family: tron\n      chainId: 31337',
    'family: evm\n      chainId: 31337',
    'anvil has nodes of an EVM chain; expected family: evm.',
  ],
  ['', '      chainId: 31337\n', 'anvil has real nodes; expected their chain id.'],
  [
    'chainId: 31337\n      trading: ETH\n',
    'chainId: 31337\n',
    'Withdrawals and deposits go over simulated networks alone, and anvil is a real one: leave trading out.',
  ],
  [
    "dayBound: '0.001'",
    "dayBound: '1'",
    'dayBound of anvil is below feeBound; expected at least what one transaction may cost.',
  ],
  [
    'env: RESOLVER_KEY',
    'env: ESCROW_KEY',
    'escrow and resolver of anvil have one key; expected two, so that what users own is apart.',
  ],
  ['[]', "['http://127.0.0.1:8545']", 'urls is []; expected at least 1 entry.'],
  ['[anvil]', "['http://127.0.0.1:8545']", 'an address such as http://127.0.0.1:8545'],
  [
    '  prices: { USDC: 1 }\n  wallets: { anna: { anvil: { address: "0x90F79bf6EB2c4f870365E785982E1f101E93b906" } } }',
    '  prices: { USDC: 1 }',
    'wallets name anvil, where nobody can be given money: it is a real chain. Leave it out of wallets.',
  ],
  [
    'exchangeOrders: { middle: usdc }\nswaps:\n',
    'swaps:\n',
    'exchangeOrders pay on simulated networks alone, and anvil is a real one: leave exchangeOrders or anvil out.',
  ],
])('%j in place of %j is refused, as a real chain cannot have it', (to, from, message) => {
  expect(said(from, to)).toContain(message);
});

test('a key that is none is refused without a character of it', () => {
  const message = said('', '', { ...SERVICE_KEYS, ESCROW_KEY: 'deadbeefdeadbeef' });
  expect(message).toMatch(/escrow|key/i);
  expect(message).not.toContain('deadbeef');
  expect(said('', '', { RESOLVER_KEY: SERVICE_KEYS.RESOLVER_KEY })).toContain(
    'a variable of the environment that is set',
  );
});

test('a venue on a real chain needs a folder for its transfers', async () => {
  const opening = Simulation.open({ ...read(), port: 0 }, new SystemScheduler());
  await expect(opening).rejects.toMatchObject({
    code: 'config-invalid',
    message:
      'anvil is a real chain, whose transfers are kept in a folder: start the venue with --data FOLDER.',
    field: 'outside.networks.anvil.evm',
  });
});

/** Opens the example before nodes at an address. */
async function opened(url: string, changes: readonly [string, string] = ['', '']) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-real-venue-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const text = EXAMPLE.replaceAll('http://127.0.0.1:8545', url).replace(...changes);
  const places = { folder: '.', environment: SERVICE_KEYS };
  const settings = settingsOf(parseConfig(text, 'a.yaml', venueConfig(places)));
  const data = { folder, release: 'test' };
  return Simulation.open({ ...settings, port: 0 }, new SystemScheduler(), {}, data);
}

test('a venue whose chain does not answer does not open', async () => {
  await expect(opened('http://127.0.0.1:9')).rejects.toMatchObject({
    code: 'service-unavailable',
    message: expect.stringMatching(/^The real chain anvil cannot be used: /),
  });
});

test.skipIf(ANVIL === undefined)(
  'a venue of another chain, or without its token, does not open',
  async () => {
    const chain = await openAnvil();
    onTestFinished(async () => chain.close());
    await expect(opened(chain.proxy.url, ['31337', '5'])).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('a node says that it is of chain 31337'),
      field: 'outside.networks.anvil.evm',
    });
    await expect(opened(chain.proxy.url)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('where no contract is'),
    });
  },
);
