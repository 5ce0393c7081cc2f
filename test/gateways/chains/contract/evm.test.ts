import { ANVIL } from '../anvil.ts';
import { evmHarness } from './evm.ts';
import { testChainNode } from './suite.ts';

if (ANVIL === undefined) process.stderr.write('There is no anvil for this platform: EvmNode is NOT tested.\n'); // prettier-ignore

testChainNode(evmHarness, { skip: ANVIL === undefined });
