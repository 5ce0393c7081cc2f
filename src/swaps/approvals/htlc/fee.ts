import { readPsbt } from './psbt.ts';
import { spentOutput } from './taproot.ts';

/** The miner fee of a PSBT; `undefined` if it does not have its spent outputs. */
export function minerFee(text: string): bigint | undefined {
  const psbt = readPsbt(text);
  const spent = psbt?.inputs.map(spentOutput);
  if (psbt === undefined || !spent?.every((one) => one !== undefined)) return undefined;
  const gathered = spent.reduce((sum, { lots }) => sum + lots, 0n);
  const outputs = Array.from({ length: psbt.transaction.outputsLength }, (_, at) => at);
  return outputs.reduce(
    (left, at) => left - (psbt.transaction.getOutput(at).amount ?? 0n),
    gathered,
  );
}
