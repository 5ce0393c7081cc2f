import type { ChainFee, ChainNode, PaymentOutcome } from '../../../../src/gateways/chains/node.ts';

/** What a node of the tests says of fees beside what its chain does. */
export interface FeeChanges {
  /** What a transfer costs, as `fee` answers. */
  readonly fee: ChainFee;
  /** What its owner holds of the coin, where that is no token that he transfers. */
  readonly held?: bigint;
  /** What a mined transaction has cost. */
  readonly paid?: bigint;
  /** What became of each transaction, in place of what its chain says. */
  readonly outcome?: PaymentOutcome;
}

/** A node of a chain without fees as one that takes them. */
export function withFees<Node extends ChainNode>(node: Node, changes: FeeChanges): Node {
  const { fee, held, paid, outcome } = changes;
  const { coin } = fee;
  const own: Partial<ChainNode> = {
    fee: () => Promise.resolve(fee),
    balance: async (token, address) =>
      token === coin && held !== undefined ? held : node.balance(token, address),
    outcome: async (network, candidates) => {
      const found = outcome ?? (await node.outcome(network, candidates));
      const isMined = found.kind === 'made' || found.kind === 'failed';
      return isMined && paid !== undefined ? { ...found, fee: { lots: paid, coin } } : found;
    },
  };
  return Object.assign(Object.create(node) as Node, own, {
    networks: async () => node.networks(),
    tokens: async () => node.tokens(),
    outputs: async (...asked: Parameters<ChainNode['outputs']>) => node.outputs(...asked),
    transaction: async (...asked: Parameters<ChainNode['transaction']>) =>
      node.transaction(...asked),
    allowance: async (...asked: Parameters<ChainNode['allowance']>) => node.allowance(...asked),
    prepare: async (...asked: Parameters<ChainNode['prepare']>) => node.prepare(...asked),
    send: async (...asked: Parameters<ChainNode['send']>) => node.send(...asked),
  });
}
