/** True for one address of an unknown network: letters of `0x` addresses are of any case. */
export const isSameAddress = (one: unknown, other: string): boolean =>
  typeof one === 'string' &&
  (one === other || (isHex(one) && isHex(other) && small(one) === small(other)));

const isHex = (address: string): boolean => /^0x[\dA-Fa-f]{40}$/.test(address);

const small = (address: string): string => address.toLowerCase();
