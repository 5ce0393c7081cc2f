import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { EvmNode } from '../../../src/gateways/chains/evm/evm-node.ts';
import { ChainPayer } from '../../../src/gateways/rebalancing/payments/chain-payer.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { micros } from '../../../src/platform/time.ts';
import type { CarrierData, Step } from '../../../src/swaps/execution/carrier.ts';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';

/**
 * A process that makes one payment, with a journal of its own as an executor keeps it, and that
 * kills itself at the moment that it is told: before the n-th write or the n-th request.
 */
interface Errand {
  readonly url: string;
  readonly folder: string;
  readonly key: string;
  readonly to: string;
  readonly killAt: number;
}

interface Kept {
  data: CarrierData;
  step?: Step;
  isSent?: boolean;
}

const { url, folder, key, to, killAt } = JSON.parse(process.argv[2] ?? '') as Errand;
let moment = 0;
const passed = (): void => {
  moment += 1;
  if (moment === killAt) process.kill(process.pid, 'SIGKILL');
};

const path = `${folder}/journal`;
const kept: Kept = existsSync(path)
  ? (JSON.parse(readFileSync(path, 'utf8')) as Kept)
  : { data: {} };
const write = (): void => {
  passed();
  writeFileSync(path, JSON.stringify(kept));
  passed();
};

const token = { id: 1, network: 'ethereum', asset: 'ETH', name: '', contract: 'ETH', decimals: 18, ticker: '', listed: true }; // prettier-ignore
const network = { id: 1, code: 'ethereum', name: 'Anvil', family: 'evm', chainId: 31_337, blockUs: 1, confirmations: 1, customTokens: false } as const; // prettier-ignore
const bounds = { feeBound: 10n ** 17n, dayBound: 10n ** 18n, finality: 1 };
const node = new EvmNode({ network, tokens: [token], coin: 1, urls: [url], nonces: `${folder}/nonces`, ...bounds }); // prettier-ignore
const send = node.send.bind(node);
node.send = async (...sent) => {
  passed();
  const answer = await send(...sent);
  passed();
  return answer;
};
const payer = new ChainPayer(node, { network, token, signer: keySigner('evm', key) });
const amount = decimal('0.5');
const payment = { id: 'p/1', to: { address: to }, amount, most: amount, since: micros(0) };

if (kept.step !== undefined) {
  const found = await payer.recall(payment, kept.data, kept.step);
  if (found !== 'undone') kept.data = { ...kept.data, ...found.data };
  delete kept.step;
  write();
}
for (
  let step = payer.next(payment, kept.data);
  step !== undefined;
  step = payer.next(payment, kept.data)
) {
  // prettier-ignore
  kept.step = step;
  write();
  const change = await payer.perform(payment, kept.data, step);
  kept.data = { ...kept.data, ...change.data };
  delete kept.step;
  write();
}
for (;;) {
  const { stage } = await payer.observe(payment, kept.data);
  if (stage !== 'sent') {
    process.stdout.write(`${stage} after ${moment}`);
    break;
  }
}
await node.close();
