/** A sentence with a full stop at its end, unchanged if it has one or is a question. */
export const fullStop = (sentence: string): string =>
  /[.?!…]$/.test(sentence) ? sentence : `${sentence}.`;
