import { Interface } from 'ethers';
import { beforeEach, describe, expect, test } from 'vitest';
import { readSigned } from '../../../src/gateways/chains/evm/encoding.ts';
import type { PermittedTransfer } from '../../../src/gateways/chains/evm/evm-node.ts';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';
import type { ApprovalOrder } from '../../../src/swaps/approvals/approval.ts';
import { signApproval } from '../../../src/swaps/approvals/check.ts';
import { US_PER_SECOND } from '../../../src/platform/time.ts';
import { granted } from '../../swaps/chains/harness.ts';
import {
  agreedTo,
  ESCROW,
  addressOf,
  issuedFor,
  orderOn,
  secretOf,
} from '../../swaps/approvals/kit.ts';
import { ANVIL, PERMIT2 } from './anvil.ts';
import { COIN, KEY, NETWORK, SIGNER, tokensOf, USD } from './contract/evm-node-of.ts';
import { startEvm, type EvmChain } from './contract/evm.ts';

const permit2 = new Interface([
  'function permitWitnessTransferFrom(((address token,uint256 amount) permitted,uint256 nonce,uint256 deadline) permit,(address to,uint256 requestedAmount) transferDetails,address owner,bytes32 witness,string witnessTypeString,bytes signature)',
  'error InvalidNonce()',
  'error InvalidSigner()',
  'error InvalidAmount(uint256 maxAmount)',
]);
const ESCROWED = addressOf('evm', ESCROW);
const LOTS = 6_000_000n;

let chain: EvmChain;

/** A swap of the owner's token on this chain. */
function order(): ApprovalOrder {
  const [, token] = tokensOf(chain.contracts);
  const deadline = Date.UTC(2100, 0, 1) * 1_000;
  return orderOn('evm', { network: NETWORK, token, from: SIGNER.address, deadline: deadline as ApprovalOrder['deadline'] }); // prettier-ignore
}

/** The call by which escrow takes the money of an order. */
async function takingOf(asked: ApprovalOrder, changes: { lots?: bigint; owner?: string } = {}) {
  const issued = issuedFor(asked);
  const signed = await signApproval(
    issued.params,
    issued.form,
    agreedTo(asked),
    keySigner('evm', KEY),
  );
  if (issued.form !== 'permit2' || signed.form !== 'permit2') throw new Error(issued.form);
  const { nonce, additional_data: more } = issued.params;
  const { lots = asked.lots, owner = asked.from } = changes;
  return permit2.encodeFunctionData('permitWitnessTransferFrom', [
    { permitted: { token: asked.token.contract, amount: asked.lots }, nonce, deadline: asked.deadline / US_PER_SECOND }, // prettier-ignore
    { to: ESCROWED, requestedAmount: lots },
    owner,
    more.witness_hash,
    more.witness_type_string,
    signed.signature,
  ]);
}

/** The same as an order of a node. */
async function permittedOf(asked: ApprovalOrder): Promise<PermittedTransfer> {
  const issued = issuedFor(asked);
  const signer = keySigner('evm', KEY);
  const signed = await signApproval(issued.params, issued.form, agreedTo(asked), signer);
  if (issued.form !== 'permit2' || signed.form !== 'permit2') throw new Error(issued.form);
  const { nonce, additional_data: more } = issued.params;
  const permit = {
    ...{ nonce, spender: ESCROWED, signature: signed.signature },
    deadlineSeconds: BigInt(asked.deadline / US_PER_SECOND),
    witnessHash: more.witness_hash,
    witnessTypeString: more.witness_type_string,
  };
  const { from: owner, lots } = asked;
  return { network: NETWORK.code, token: USD, owner, to: ESCROWED, lots, nonce: 'a', permit };
}

const signAsEscrow = async (digest: string): Promise<string> =>
  (await keySigner('evm', secretOf(ESCROW)).signTransfer?.(digest)) ?? '';

/** Has somebody take it; gives the error of the contract, or nothing. */
async function taken(data: string, from = ESCROWED): Promise<string | undefined> {
  const { rpc } = chain.anvil;
  await rpc('anvil_impersonateAccount', from);
  await rpc('anvil_setBalance', from, '0x56bc75e2d63100000');
  try {
    await rpc('eth_call', { from, to: PERMIT2, data }, 'latest');
  } catch (error) {
    const selector = /0x[\da-f]{8}/.exec(String(error))?.[0] ?? '';
    return permit2.parseError(selector.padEnd(74, '0'))?.name ?? String(error);
  }
  await rpc('eth_sendTransaction', { from, to: PERMIT2, data, gas: '0x100000' });
  await chain.mine();
  return undefined;
}

describe.skipIf(ANVIL === undefined)('Permit2 as it was published', () => {
  beforeEach(async () => {
    chain = await startEvm();
    const node = chain.openEvm();
    const approval = { network: NETWORK.code, token: USD, owner: SIGNER.address, lots: LOTS, nonce: 'a' }; // prettier-ignore
    granted(
      await node.send(NETWORK.code, granted(await node.prepare(approval, chain.owner.sign)).raw),
    );
    await chain.mine();
    return async () => chain.close();
  });

  test('takes a permit that a swap has signed once, and a second time by no means', async () => {
    const asked = order();
    const data = await takingOf(asked);
    expect(await taken(data)).toBeUndefined();
    expect(await chain.held(USD, ESCROWED)).toBe(asked.lots);
    expect(await chain.allowed?.(asked.from)).toBe(LOTS - asked.lots);
    expect(await taken(data)).toBe('InvalidNonce');
    expect(await chain.held(USD, ESCROWED)).toBe(asked.lots);
  });

  test('is called by a node of its spender, who pays the fee, and moves the money once', async () => {
    const asked = order();
    const permitted = await permittedOf(asked);
    const node = chain.openEvm();
    await chain.anvil.rpc('anvil_setBalance', ESCROWED, '0x56bc75e2d63100000');
    const made = granted(await node.prepare(permitted, signAsEscrow));
    expect(readSigned(made.raw)).toMatchObject({ data: await takingOf(asked), value: 0n });
    expect(made.uses).toBe(`nonce 0 of ${ESCROWED}`);
    await node.send(NETWORK.code, made.raw);
    await chain.finalize();
    const outcome = await node.outcome(NETWORK.code, [made]);
    const moved = { from: asked.from, to: ESCROWED, lots: asked.lots, token: USD };
    expect(outcome).toMatchObject({ kind: 'made', isFinal: true, transaction: moved });
    expect(await chain.held(USD, ESCROWED)).toBe(asked.lots);
    const again = await node.prepare({ ...permitted, nonce: 'b' }, signAsEscrow);
    expect(again).toMatchObject({ code: 'transfer-invalid', field: 'transaction' });
  });

  test('refuses a node that has a permit of another amount, or no coin for the fee', async () => {
    const permitted = await permittedOf(order());
    const node = chain.openEvm();
    expect(await node.prepare(permitted, signAsEscrow)).toMatchObject({
      code: 'funds-insufficient',
    });
    await chain.anvil.rpc('anvil_setBalance', ESCROWED, '0x56bc75e2d63100000');
    const more = { ...permitted, lots: permitted.lots + 1n };
    expect(await node.prepare(more, signAsEscrow)).toMatchObject({ code: 'transfer-invalid' });
    const coin = { ...permitted, token: COIN };
    expect(await node.prepare(coin, signAsEscrow)).toMatchObject({ field: 'token' });
  });

  test('refuses another taker, another owner and more than was signed', async () => {
    const asked = order();
    expect(await taken(await takingOf(asked), addressOf('evm', 9))).toBe('InvalidSigner');
    expect(await taken(await takingOf(asked, { owner: addressOf('evm', 9) }))).toBe(
      'InvalidSigner',
    );
    expect(await taken(await takingOf(asked, { lots: asked.lots + 1n }))).toBe('InvalidAmount');
    expect(await chain.held(USD, ESCROWED)).toBe(0n);
  });
});
