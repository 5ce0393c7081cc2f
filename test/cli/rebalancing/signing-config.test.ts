import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Wallet } from 'ethers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRebalancingConfig } from '../../../src/cli/rebalancing-config.ts';
import { SwapClient } from '../../../src/clients.ts';
import type { Simulation } from '../../../src/server/simulation/simulation.ts';
import { ESCROW, ForeignService, type Tampering } from '../../gateways/swaps/foreign/service.ts';
import { thrownBy } from '../../gateways/swaps/kit.ts';
import { example, hurried, openExample, urlOf } from '../venue/example.ts';
import { configured, run } from './planning-stage.ts';

const ENVIRONMENT = { VENUE_KEY: 'demo', VENUE_SECRET: 'demo-secret', KEYS_PASSPHRASE: 'demo' };
const STRANGER = `0x${'22'.repeat(20)}`;

const NETWORKS = `networks: { 1: { escrows: ['${ESCROW}'] } }`;
const WITNESS = `permit2: { witness: { type: FusionOrder, members: {
  maker: from, sellToken: token, sellAmount: lots, target.chain: destinationNetwork,
  target.asset: destinationToken, target.receiver: destinationAddress, target.minimum: leastLots,
  hashlock: secretHash, expiry: deadline } } }`;

const MODULE = `import type { SigningCheck } from 'millrace/clients';
const check: SigningCheck = ({ params, agreed }) => {
  const { witness } = params['additional_data'] as { witness: Record<string, string> };
  if (witness['maker'] !== agreed.from) throw new Error('the maker is somebody else');
  const escrow = String(params['escrow_contract_address']);
  return { token: witness['sellToken'] ?? '', lots: BigInt(witness['sellAmount'] ?? ''), escrow };
};
export default check;
`;

/** The example with a policy of its swap service. */
function withSigning(url: string, signing: string, module = MODULE): string {
  const path = configured(url, {});
  writeFileSync(join(dirname(path), 'check.ts'), module);
  const config = readFileSync(path, 'utf8').replace(
    /^( {2}swaps: \{.*key: api) \}/m,
    (_, before: string) => `${before}, signing: { ${signing.replaceAll('\n', ' ')} } }`,
  );
  expect(config).toContain('signing:');
  writeFileSync(path, config);
  return path;
}

describe('a foreign swap service whose policy is configured', () => {
  const wallet = new Wallet(`0x${'11'.repeat(32)}`);

  /** Swaps at a foreign service by a client of the configuration. */
  async function swapped(signing: string, tampering: Tampering = {}) {
    const service = await ForeignService.open();
    service.tampering = tampering;
    const path = withSigning(service.url, signing);
    const { settings, warnings } = await readRebalancingConfig(path, ENVIRONMENT);
    if (settings.swaps === undefined) throw new Error('no swap service');
    const client = new SwapClient({ ...settings.swaps, warn: () => undefined });
    const request = {
      from: { token_id: 1, address: wallet.address },
      to: { token_id: 2, address: wallet.address },
      refund_address: wallet.address,
      amount: '250.5',
      slippage_bps: '50',
    };
    const network = { id: 1, name: 'Ethereum', family: 'evm', chainId: 1 } as const;
    const outcome = client.swap(
      request,
      { network, leastLots: 1n },
      {
        family: 'evm',
        address: wallet.address,
        signTypedData: async ({ domain, types, message }) =>
          wallet.signTypedData(domain, types as never, message),
      },
    );
    await outcome.catch(() => undefined);
    await client.close();
    return { service, warnings, outcome };
  }

  test('is signed for by its members, and warns of nothing that is as strict as usual', async () => {
    const { service, warnings } = await swapped(`${NETWORKS}, ${WITNESS}`);
    expect(service.approved).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  test('is signed for by a module, of which the configuration warns', async () => {
    const { service, warnings } = await swapped(`${NETWORKS}, check: check.ts`);
    expect(service.approved).toHaveLength(1);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('code of its own');
  });

  test.each([
    [`${NETWORKS}, ${WITNESS}`, { escrow: STRANGER }, 'escrow_contract_address'],
    [
      `${NETWORKS}, ${WITNESS}`,
      { witness: { sellAmount: '1' } },
      'additional_data.witness.sellAmount',
    ],
    [`${NETWORKS}, ${WITNESS}, maxLifetime: 5m`, {}, 'deadline'],
    [`${NETWORKS}, check: check.ts`, { escrow: STRANGER }, 'escrow_contract_address'],
    [`${NETWORKS}, check: check.ts`, { witness: { maker: STRANGER } }, 'params_to_sign'],
    [`${NETWORKS}, check: check.ts`, { witness: { sellToken: STRANGER } }, 'token'],
    [NETWORKS, {}, 'additional_data.types.FusionOrder'],
  ])('is refused beyond its bounds: %s %j', async (signing, tampering, field) => {
    const { service, outcome } = await swapped(signing, tampering);
    expect(await thrownBy(outcome)).toMatchObject({ code: 'approval-refused', field });
    expect([service.approved, service.wrong]).toEqual([[], []]);
  });
});

test.each([
  [WITNESS, 'escrows'],
  [`networks: { 1: { escrows: checked } }`, 'there is no check'],
  [`networks: { ethereum: {} }`, 'network_id'],
  [`networks: { 1: { escrows: [] } }`, 'escrows'],
  [`networks: { 1: { amount: any } }`, 'amount'],
  [`${NETWORKS}, check: gone.ts`, 'there is no file'],
  [`${NETWORKS}, permit2: { witness: { members: { a: everything } } }`, 'destinationAddress'],
])('an invalid policy is reported with its line: %s', async (signing, part) => {
  const path = withSigning('http://127.0.0.1:9', signing);
  const error = await thrownBy(readRebalancingConfig(path, ENVIRONMENT));
  expect(error).toMatchObject({ code: 'config-invalid' });
  expect((error as Error).message).toMatch(/rebalancing\.yaml:\d+:\d+: /);
  expect((error as Error).message).toContain(part);
});

test('a module that exports no function is no check', async () => {
  const path = withSigning(
    'http://127.0.0.1:9',
    `${NETWORKS}, check: check.ts`,
    'export const a = 1;',
  );
  const error = await thrownBy(readRebalancingConfig(path, ENVIRONMENT));
  expect(error).toMatchObject({ code: 'config-invalid', field: 'services.swaps.signing.check' });
});

describe('millrace rebalance', () => {
  let simulation: Simulation;
  beforeAll(async () => {
    simulation = await openExample({ ...hurried(example()), rateLimits: false });
  });
  afterAll(() => simulation.close());

  test('warns once of loosened bounds, and signs nothing for an escrow that is not named', async () => {
    const signing = `maxLifetime: 2d, networks: { 1: { escrows: ['${ESCROW}'] }, 2: { escrows: ['${ESCROW}'] } }`;
    const path = withSigning(urlOf(simulation), signing);
    const config = readFileSync(path, 'utf8')
      .replace(/^account:.*\n(?: {2}.*\n)+/m, '')
      .replace(/^ {2}exchangeOrders: .*\n/m, '');
    writeFileSync(path, config);
    const lines: string[] = [];
    const outcome = run(path, { execute: true, yes: true, json: true }, lines);
    expect(await thrownBy(outcome)).toMatchObject({ code: 'rebalance-impossible' });
    const reported = lines.join('');
    expect(reported.match(/policy of the swap service is loosened/g)).toHaveLength(1);
    expect(reported).toContain('no escrow that is trusted');
    expect(reported).toContain(ESCROW);
  });
});
