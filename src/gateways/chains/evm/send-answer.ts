/** Meaning of a node's answer to sent bytes; texts differ and codes mean nothing. */
export type SendAnswer = 'known' | 'nonce-used' | 'too-cheap' | 'funds' | 'wrong' | 'unknown';

const TEXTS: readonly (readonly [RegExp, SendAnswer])[] = [
  [/already known|already imported|known transaction|existing tx with same hash|transaction with the same hash/i, 'known'], // prettier-ignore
  [/nonce(?: is)? too low/i, 'nonce-used'],
  [/replacement (?:transaction|fee).*(?:underpriced|too low)|transaction underpriced|max fee per gas less than block base fee|fee cap less than block base fee/i, 'too-cheap'], // prettier-ignore
  [/insufficient funds/i, 'funds'],
  [/invalid chain id|intrinsic gas too low|exceeds block gas limit|invalid sender|invalid signature/i, 'wrong'], // prettier-ignore
];

/** In doubt it may have been accepted. */
export const answerToSend = (message: string): SendAnswer =>
  TEXTS.find(([text]) => text.test(message))?.[1] ?? 'unknown';
