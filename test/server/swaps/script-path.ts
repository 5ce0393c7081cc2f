import { p2tr, p2tr_pk, Transaction } from '@scure/btc-signer';

/**
 * The same transaction for an owner whose address has a script that asks for his key, and no key that
 * spends by itself: its inputs dictate the script path, and its change goes back to that address.
 */
export function scripted(psbt: string, publicKey: string): { psbt: string; address: string } {
  const options = { allowUnknownOutputs: true };
  const given = Transaction.fromPSBT(Buffer.from(psbt, 'base64'), options);
  const { script: leaf } = p2tr_pk(Buffer.from(publicKey, 'hex'));
  const payment = p2tr(undefined, { script: leaf });
  const { script, tapInternalKey, tapMerkleRoot, tapLeafScript, address } = payment;
  if (tapLeafScript === undefined || address === undefined) throw new Error('there is a script');
  const made = new Transaction(options);
  const own = new Set<string>();
  for (let at = 0; at < given.inputsLength; at += 1) {
    const { txid, index, witnessUtxo } = given.getInput(at);
    if (txid === undefined || index === undefined || witnessUtxo === undefined) {
      throw new Error('an input has an output to spend');
    }
    own.add(hex(witnessUtxo.script));
    const spent = { script, amount: witnessUtxo.amount };
    const taproot = { tapInternalKey, tapLeafScript, ...(tapMerkleRoot && { tapMerkleRoot }) };
    made.addInput({ txid, index, witnessUtxo: spent, ...taproot });
  }
  for (let at = 0; at < given.outputsLength; at += 1) {
    const { script: to = new Uint8Array(), amount = 0n } = given.getOutput(at);
    made.addOutput({ script: own.has(hex(to)) ? script : to, amount });
  }
  return { psbt: Buffer.from(made.toPSBT()).toString('base64'), address };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
