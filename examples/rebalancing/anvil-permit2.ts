/** Puts Permit2 on a local anvil, and gives 10 ETH for fees to each address that is named. */
import permit2 from './permit2.json' with { type: 'json' };
import { anvilAt } from './anvil.ts';

const [url = '', ...owners] = process.argv.slice(2);
const { ask } = anvilAt(url);

const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
// The published code holds the separator of chain 31337 at another address: without that chain id, of
// 32 bytes from this byte on, it works the separator out as it does on every other chain.
const from = 2 + 2 * 6_945;
const code = permit2.code.slice(0, from) + '0'.repeat(64) + permit2.code.slice(from + 64);
await ask('anvil_setCode', PERMIT2, code);
for (const owner of owners) await ask('anvil_setBalance', owner, '0x8ac7230489e80000');
console.log(`Permit2 is ${PERMIT2}`);
