import { hexToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { Transaction } from '@scure/btc-signer';
import type { Rejection } from '../../../model/rejections.ts';
import type { Output } from '../../chains/chain-world.ts';
import { scriptOf } from '../../chains/families/bitcoin.ts';
import type { ApprovalOrder, HtlcParams } from '../approval.ts';
import { memoOf } from '../memo.ts';
import { commitmentTo } from './commitment.ts';
import { addressOfKey, xOnlyKey } from './public-key.ts';

/** Miner fee for each virtual byte, in smallest units. */
const FEE_PER_VBYTE = 1n;
/** Outputs of less are not passed on by nodes; change of less is left to the miner. */
const DUST_LOTS = 330n;

/**
 * Virtual bytes of a transaction with Taproot keys, rounded up; an output with a hash is as long as one.
 */
const virtualBytes = (inputs: number, outputs: number): bigint =>
  BigInt(Math.ceil(10.5 + 57.5 * inputs + 43 * outputs));

/** The user's inputs, and the change. */
interface Choice {
  readonly spent: readonly Output[];
  readonly changeLots: bigint;
}

/**
 * Makes the transaction that a user signs: from his oldest outputs that suffice, exactly the agreed amount
 * to escrow and the change back, less the miner fee, which he pays on top. It commits to the memo.
 */
export function issueHtlc(order: ApprovalOrder): HtlcParams | Rejection {
  const key = xOnlyKey(order.publicKey);
  if (order.publicKey === undefined)
    return rejected('public-key-missing', 'There is no public key.');
  if (key === undefined || addressOfKey(key) !== order.from) {
    return rejected(
      'address-invalid',
      `${order.from} is not the Taproot address of the public key.`,
    );
  }
  if (order.lots < DUST_LOTS) {
    return rejected('amount-below-minimum', `Less than ${DUST_LOTS} cannot be sent.`);
  }
  const choice = chosen(order);
  if (choice === undefined) {
    const message = `The outputs of ${order.from} do not cover the amount and the fee of the network.`;
    return rejected('funds-insufficient', message);
  }
  const transaction = new Transaction({ allowUnknownOutputs: true });
  const witnessUtxo = { script: scriptOf(order.from) };
  for (const { txid, index, lots } of choice.spent) {
    transaction.addInput({
      txid: hexToBytes(txid),
      index,
      witnessUtxo: { ...witnessUtxo, amount: lots },
      tapInternalKey: key,
    });
  }
  transaction.addOutput({ script: scriptOf(order.escrow), amount: order.lots });
  if (choice.changeLots > 0n) {
    transaction.addOutput({ script: witnessUtxo.script, amount: choice.changeLots });
  }
  const memo = memoOf(order);
  transaction.addOutput({ script: commitmentTo(memo), amount: 0n });
  const psbt = base64.encode(transaction.toPSBT(0));
  return { psbt, inputs: choice.spent.map((_, at) => at), memo };
}

/** The oldest outputs that suffice. */
function chosen({ outputs = [], lots }: ApprovalOrder): Choice | undefined {
  const spent: Output[] = [];
  let gathered = 0n;
  for (const output of outputs) {
    spent.push(output);
    gathered += output.lots;
    const over = gathered - lots - FEE_PER_VBYTE * virtualBytes(spent.length, 2);
    if (over < 0n) continue;
    const changeLots = gathered - lots - FEE_PER_VBYTE * virtualBytes(spent.length, 3);
    return { spent, changeLots: changeLots < DUST_LOTS ? 0n : changeLots };
  }
  return undefined;
}

const rejected = (code: Rejection['code'], message: string): Rejection => ({
  code,
  field: code === 'funds-insufficient' || code === 'amount-below-minimum' ? 'amount' : 'from',
  message,
});
