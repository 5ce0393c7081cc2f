/** A key for each family of chains, and one for services. */
export const DEFAULT_KEYS = 'ethereum:evm,tron:tron,bitcoin:bitcoin,solana:solana,api:service';

/** Flags of `millrace keys`. */
export interface KeysFlags {
  readonly passphraseEnv: string;
  readonly keys: string;
  readonly json?: true;
  /** The key whose secret is requested. */
  readonly secret?: string;
}
