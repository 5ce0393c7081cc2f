import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ChainPayer } from '../../../../src/gateways/rebalancing/payments/chain-payer.ts';
import {
  observePermit,
  permit,
  permitStep,
  preparePermit,
  recallPermit,
} from '../../../../src/gateways/rebalancing/swap/permit.ts';
import { micros } from '../../../../src/platform/time.ts';
import type {
  TransferData,
  TransferRecord,
  Step,
} from '../../../../src/swaps/execution/transfer-route.ts';
import { amountOf } from '../../../../src/swaps/tokens.ts';
import { wait } from '../../../kit/nats-server.ts';
import type { Errand } from './kills.ts';
import type { PayerFactory } from './payer-factory.ts';

/**
 * A process that makes one payment by the node of a harness, or lets permit2 take as much, with a
 * journal of its own as an executor keeps it, and that kills itself at the moment that it is told:
 * before or after the n-th write or send.
 */
interface Kept {
  data: TransferData;
  step?: Step;
}

const { job = 'pay', module, settings, folder, to, lots, id, killAt } = JSON.parse(process.argv[2] ?? '') as Errand; // prettier-ignore
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
const amount = amountOf(BigInt(lots), wallet.token.decimals);

/** What is done step by step; `observe` gives the word that ends it. */
interface Work {
  next(data: TransferData): Step | undefined;
  perform(data: TransferData, step: Step): Promise<{ readonly data?: TransferData }>;
  recall(data: TransferData, step: Step): Promise<{ readonly data?: TransferData } | 'undone'>;
  observe(data: TransferData): Promise<{ readonly data?: TransferData; readonly end?: string }>;
}

const work: Record<NonNullable<Errand['job']>, () => Work> = {
  pay: () => {
    const payer = new ChainPayer(node, wallet);
    const payment = { id, to: { address: to }, amount, most: amount, since: micros(0) };
    return {
      next: (data) => payer.next(payment, data),
      perform: async (data, step) => payer.perform(payment, data, step),
      recall: async (data, step) => payer.recall(payment, data, step),
      observe: async (data) => {
        const { stage } = await payer.observe(payment, data);
        return stage === 'sent' ? {} : { end: stage };
      },
    };
  },
  permit: () => {
    const { network, token } = wallet;
    const swapWallet = { ...wallet, holding: { asset: token.asset, location: network.code }, node };
    const transferOf = (data: TransferData) => ({ id, state: 'created', send: amount, data: { intent: id, permit: 'missing', ...data } }) as unknown as TransferRecord; // prettier-ignore
    const given = (data: TransferData = {}) => data['permit'] === 'given';
    return {
      next: (data) => given(data) || data['permit'] === 'sent' ? undefined : permitStep(transferOf(data), swapWallet), // prettier-ignore
      perform: async (data, step) => (step.name === 'permit' ? permit : preparePermit)(transferOf(data), swapWallet, step), // prettier-ignore
      recall: async (data, step) => step.name === 'permit' ? recallPermit(transferOf(data), swapWallet) : 'undone', // prettier-ignore
      observe: async (data) => {
        if (given(data)) return { end: 'given' };
        const { state = 'created', ...change } =
          (await observePermit(transferOf(data), swapWallet)) ?? {};
        return state === 'created' ? change : { end: state };
      },
    };
  },
};

const { next, perform, recall, observe } = work[job]();
const learned = (change: { readonly data?: TransferData }): void => {
  kept.data = { ...kept.data, ...change.data };
  delete kept.step;
  write();
};
if (kept.step !== undefined) {
  const found = await recall(kept.data, kept.step);
  learned(found === 'undone' ? {} : found);
}
for (;;) {
  const step = next(kept.data);
  if (step !== undefined) {
    kept.step = step;
    write();
    learned(await perform(kept.data, step));
    continue;
  }
  const { end, ...change } = await observe(kept.data);
  if (end !== undefined) {
    process.stdout.write(`${end} after ${moment}`);
    break;
  }
  if (change.data !== undefined) learned(change);
  await wait(20);
}
await node.close?.();
