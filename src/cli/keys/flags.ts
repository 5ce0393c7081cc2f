/** A key for each family of chains, and one for services. */
export const DEFAULT_KEYS = 'ethereum:evm,tron:tron,bitcoin:bitcoin,solana:solana,api:service';

/** What the command line of `millrace keys` says. */
export interface KeysFlags {
  readonly passphraseEnv: string;
  readonly keys: string;
  readonly json?: true;
  /** The key whose secret is asked for. */
  readonly secret?: string;
}
