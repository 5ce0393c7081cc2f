/** A sentence with a full stop at its end, or as it is where it has one, or asks. */
export const fullStop = (sentence: string): string =>
  /[.?!…]$/.test(sentence) ? sentence : `${sentence}.`;
