import type { Rejection } from '../../../model/rejections.ts';
import { US_PER_SECOND } from '../../../platform/time.ts';
import type { ApprovalOrder, Permit2Params, TypedData } from '../approval.ts';
import { permit2Contract, typedAddress } from './address.ts';
import type { StructTypes } from './eip712.ts';
import {
  DOMAIN_NAME,
  PERMIT_MEMBERS,
  PRIMARY_TYPE,
  TOKEN_PERMISSIONS,
  typedDataOf,
  WITNESS,
  WITNESS_MEMBERS,
  witnessHash,
  witnessTypeString,
} from './typed-data.ts';

const TYPES: StructTypes = {
  [PRIMARY_TYPE]: [...PERMIT_MEMBERS, { name: 'witness', type: WITNESS }],
  [WITNESS]: WITNESS_MEMBERS,
  TokenPermissions: TOKEN_PERMISSIONS,
};

/** Makes the data that a user signs to let escrow take the money by the Permit2 contract. */
export function issuePermit2(order: ApprovalOrder): Permit2Params | Rejection {
  const contract = permit2Contract(order.network.family);
  const user = address(order, order.from, 'from');
  const resolver = address(order, order.resolver, 'resolver');
  const verifyingContract = address(order, contract, 'permit2_contract_address');
  for (const one of [user, resolver, verifyingContract]) if (typeof one !== 'string') return one;
  const chainId = order.network.chainId;
  if (chainId === undefined) {
    const message = `${order.network.name} has no chain id, which permits need.`;
    return { code: 'pair-unavailable', field: 'network', message };
  }
  const witness = {
    intent: order.intent,
    user,
    resolver,
    secretHash: order.secretHash,
    destinationNetwork: `${order.destination.network}`,
    destinationToken: order.destination.token,
    destinationAddress: order.destination.address,
    leastAmount: `${order.destination.leastLots}`,
  };
  return {
    escrow_contract_address: order.escrow,
    permit2_contract_address: contract,
    resolver_deposit_address: order.resolver,
    nonce: order.nonce,
    additional_data: {
      domain: { name: DOMAIN_NAME, chainId, verifyingContract },
      types: TYPES,
      witness,
      witness_type_string: witnessTypeString(WITNESS, TYPES),
      witness_hash: witnessHash(witness, WITNESS, TYPES),
    },
  };
}

/** The typed data that a user signs, of what was handed out to him. */
export function permitOf(order: ApprovalOrder, params: Permit2Params): TypedData | Rejection {
  const token = address(order, order.token.contract, 'token');
  if (typeof token !== 'string') return token;
  const spender = address(order, params.escrow_contract_address, 'escrow_contract_address');
  if (typeof spender !== 'string') return spender;
  const { domain, types, witness } = params.additional_data;
  return typedDataOf({
    domain,
    types,
    token,
    lots: order.lots,
    spender,
    nonce: params.nonce,
    deadlineSeconds: BigInt(Math.floor(order.deadline / US_PER_SECOND)),
    witness,
  });
}

function address({ network }: ApprovalOrder, given: string, field: string): string | Rejection {
  const found = typedAddress(network.family, given);
  if (found !== undefined) return found;
  const message = `"${given}" is no address that a permit on ${network.name} can have.`;
  return { code: 'address-invalid', field, message };
}
