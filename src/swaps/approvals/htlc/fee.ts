import { readPsbt } from './psbt.ts';
import { spentOutput } from './taproot.ts';

/** What a PSBT leaves to the miner; `undefined` where it does not say what it spends. */
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
