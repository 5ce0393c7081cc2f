/** A node of the simulated chains over HTTP, as far as plans and swaps need it. */
import { createHash } from 'node:crypto';
import type {
  ChainNodeFactory,
  ChainTransaction,
  NetworkTerms,
  Rejection,
  TokenTerms,
} from 'millrace/clients';

const factory: ChainNodeFactory = ({ settings }) => {
  const { url } = settings;
  if (typeof url !== 'string') throw new Error('settings.url must be an address');
  const call = (path: string, request?: RequestInit) => fetch(`${url}/chains/v1${path}`, request);
  const read = async (path: string): Promise<unknown> => {
    const response = await call(path);
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`the node answers ${response.status}`);
    return response.json();
  };
  const holding = async (token: number, address: string) =>
    (await read(`/tokens/${token}/balances/${address}`)) as { lots: string; permitted: boolean };
  const absent = async (): Promise<never> => {
    throw new Error('this node makes no transfers; it serves swaps alone');
  };
  return {
    networks: async () => (await read('/networks')) as NetworkTerms[],
    tokens: async () => (await read('/tokens')) as TokenTerms[],
    balance: async (token, address) => BigInt((await holding(token, address)).lots),
    allowance: async (token, owner) =>
      (await holding(token, owner)).permitted ? 2n ** 256n - 1n : 0n,
    transaction: async (network, hash) => {
      const found = await read(`/networks/${network}/transactions/${hash}`);
      if (found === undefined) return undefined;
      const made = found as Omit<ChainTransaction, 'lots'> & { lots: string };
      return { ...made, lots: BigInt(made.lots) };
    },
    fee: async () => ({ lots: 0n }),
    prepare: async (order, sign) => {
      if ('to' in order) return absent();
      const { network, token, owner, lots, nonce } = order;
      const signed = { network, token, owner, allowed: lots > 0n, nonce };
      const words = ['millrace permit2', network, token, owner, signed.allowed, nonce];
      const id = createHash('sha256').update(JSON.stringify(words)).digest('hex');
      const raw = JSON.stringify({ ...signed, signature: await sign(id) });
      return { id, raw, uses: `nonce ${nonce} of ${owner}`, feeLots: 0n };
    },
    send: async (_, raw) => {
      const headers = { 'content-type': 'application/json' };
      const response = await call('/permits', { method: 'POST', headers, body: raw });
      return response.ok ? { id: 'permit' } : ((await response.json()) as Rejection);
    },
    outcome: async () => ({ kind: 'unseen' }),
    outputs: absent,
    close: async () => undefined,
  };
};

export default factory;
