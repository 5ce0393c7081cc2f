import { createHash } from 'node:crypto';
import { MillraceError } from '../../../model/errors.ts';
import { permitDigest, type OwnPermit } from '../../../swaps/chains/signed-transfer.ts';
import type { MoveChange, MoveRecord, Step } from '../../../swaps/execution/carrier.ts';
import { numberIn, textIn } from '../data.ts';
import type { SwapPlace } from './place.ts';

/**
 * Before the service can take a token by permit2, its owner must let the permit2 contract take it,
 * on its chain. The nonce of that is made of the move, so that it is done once however often it is
 * sent.
 */
export function permitStep({ id, data }: MoveRecord, { network, token, signer }: SwapPlace): Step {
  const nonce = createHash('sha256').update(`permit ${id} ${textIn(data, 'intent')}`);
  return {
    name: 'permit',
    data: {
      network: network.code,
      token: token.id,
      owner: signer.address,
      nonce: nonce.digest('hex').slice(0, 48),
    },
    pays: false,
  };
}

/** Permits; throws where it is not known whether that was done. */
export async function permit({ signer, node }: SwapPlace, { data }: Step): Promise<MoveChange> {
  if (signer.signTransfer === undefined) {
    throw new MillraceError('key-invalid', `The signer of ${signer.address} signs nothing of its own.`); // prettier-ignore
  }
  const own: OwnPermit = {
    network: textIn(data, 'network'),
    token: numberIn(data, 'token'),
    owner: textIn(data, 'owner'),
    allowed: true,
    nonce: textIn(data, 'nonce'),
  };
  const rejection = await node.permit({ ...own, signature: await signer.signTransfer(permitDigest(own)) }); // prettier-ignore
  if (rejection === undefined || (await node.hasApproved(own.token, own.owner))) return PERMITTED;
  return { state: 'failed', reason: rejection.message };
}

/** What became of a permit that was begun. */
export async function recallPermit(
  { node }: SwapPlace,
  { data }: Step,
): Promise<MoveChange | 'undone'> {
  const isDone = await node.hasApproved(numberIn(data, 'token'), textIn(data, 'owner'));
  return isDone ? PERMITTED : 'undone';
}

export const UNPERMITTED: MoveChange = { state: 'created', data: { permit: 'missing' } };

const PERMITTED: MoveChange = { state: 'created', data: { permit: 'given' } };
