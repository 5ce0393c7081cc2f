import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ChainPayer } from '../../../../src/gateways/rebalancing/payments/chain-payer.ts';
import { micros } from '../../../../src/platform/time.ts';
import type { CarrierData, Step } from '../../../../src/swaps/execution/carrier.ts';
import { amountOf } from '../../../../src/swaps/tokens.ts';
import { wait } from '../../../kit/nats-server.ts';
import type { Errand } from './kills.ts';
import type { PayerFactory } from './payer-factory.ts';

/**
 * A process that makes one payment by the node of a harness, with a journal of its own as an executor
 * keeps it, and that kills itself at the moment that it is told: before or after the n-th write or send.
 */
interface Kept {
  data: CarrierData;
  step?: Step;
}

const { module, settings, folder, to, lots, id, killAt } = JSON.parse(process.argv[2] ?? '') as Errand; // prettier-ignore
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

const { makePayer } = (await import(module)) as { readonly makePayer: PayerFactory };
const { node, wallet } = makePayer(folder, settings);
const send = node.send.bind(node);
node.send = async (...sent) => {
  passed();
  const answer = await send(...sent);
  passed();
  return answer;
};
const payer = new ChainPayer(node, wallet);
const amount = amountOf(BigInt(lots), wallet.token.decimals);
const payment = { id, to: { address: to }, amount, most: amount, since: micros(0) };

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
  await wait(20);
}
await node.close?.();
