import { simulatedHarness } from './simulated.ts';
import { testChainNode } from './suite.ts';

testChainNode(simulatedHarness);
