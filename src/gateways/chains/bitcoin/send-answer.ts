/** Meaning of a rejection of sent bytes; it is Bitcoin Core's, in the words of many releases. */
export type SendAnswer = 'known' | 'wrong' | 'unknown';

const TEXTS: readonly (readonly [RegExp, SendAnswer])[] = [
  [/txn-already-(?:in-mempool|known)|already in (?:block ?chain|mempool|utxo set)|"code": ?-27\b/i, 'known'], // prettier-ignore
  // Another one with its inputs is in flight or in a block, or this provider lags.
  [/missing-?inputs|missingorspent|txn-mempool-conflict|insufficient fee|replacement|conflict/i, 'unknown'], // prettier-ignore
  [/\bdust\b|min relay fee not met|mempool min fee not met|fee exceeds maximum|max-fee-exceeded|absurdly-high-fee|too-long-mempool-chain|script-verify|scriptpubkey|scriptsig|tx-size|decode failed|bad-txns|bad-witness|"code": ?-22\b/i, 'wrong'], // prettier-ignore
];

/** In doubt it may have been accepted. */
export const answerToSend = (message: string): SendAnswer =>
  TEXTS.find(([text]) => text.test(message))?.[1] ?? 'unknown';
