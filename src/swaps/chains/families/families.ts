import type { NetworkFamily } from '../../tokens.ts';
import { bitcoin } from './bitcoin.ts';
import { evm } from './evm.ts';
import type { Family } from './family.ts';
import { solana } from './solana.ts';
import { tron } from './tron.ts';

export const FAMILIES: Readonly<Record<NetworkFamily, Family>> = { evm, tron, bitcoin, solana };
