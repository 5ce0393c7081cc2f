import type { Network } from '../../model/currency.ts';
import type { Refusal } from '../../model/refusals.ts';

export const withdrawalUnavailable = (currency: string, network?: string): Refusal => ({
  code: 'withdrawal-unavailable',
  field: network === undefined ? 'currency' : 'network',
  message: `Withdrawals of ${currency}${network === undefined ? '' : ` on ${network}`} are switched off.`,
});

export const addressInvalid = (network: string, address: string): Refusal => ({
  code: 'address-invalid',
  field: 'address',
  message: `${JSON.stringify(address)} is no address on ${network}; nothing was withdrawn.`,
});

export const addressMissing = (): Refusal => ({
  code: 'address-missing',
  field: 'address',
  message: 'A withdrawal names the address that it goes to.',
});

export const offchainUnavailable = (address: string): Refusal => ({
  code: 'offchain-unavailable',
  field: 'address',
  message: `"${address}" is no deposit address of another account here.`,
});

export const feeLevelUnknown = (network: Network, level = ''): Refusal => ({
  code: 'fee-level-unknown',
  field: 'feeLevel',
  message: `The network ${network.code} has no fee level "${level}"; it has ${listOf(network)}.`,
});

export const withdrawalUnknown = (txId: string): Refusal => ({
  code: 'withdrawal-unknown',
  field: 'txId',
  message: `There is no withdrawal "${txId}".`,
});

export const committed = (txId: string): Refusal => ({
  code: 'withdrawal-committed',
  field: 'txId',
  message: `The withdrawal "${txId}" is committed already and cannot be rolled back.`,
});

export const rolledBack = (txId: string): Refusal => ({
  code: 'withdrawal-rolled-back',
  field: 'txId',
  message: `The withdrawal "${txId}" is rolled back already and cannot be committed.`,
});

export const notCommitted = (txId: string): Refusal => ({
  code: 'withdrawal-not-committed',
  field: 'txId',
  message: `The withdrawal "${txId}" is not committed yet.`,
});

export const withdrawalEnded = (txId: string, status: string): Refusal => ({
  code: 'transaction-ended',
  field: 'txId',
  message: `The withdrawal "${txId}" has ended already: ${status}.`,
});

const listOf = ({ feeLevels }: Network): string =>
  feeLevels.length === 0 ? 'none' : feeLevels.map(({ id }) => id).join(', ');
