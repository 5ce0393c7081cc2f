import { solanaHarness } from './solana.ts';
import { testChainNode } from './suite.ts';

testChainNode(solanaHarness);
