import { bitcoinHarness } from './bitcoin.ts';
import { testChainNode } from './suite.ts';

testChainNode(bitcoinHarness);
