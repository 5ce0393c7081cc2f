/** A node of the simulated chains over HTTP, as far as plans and swaps need it. */
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
    hasApproved: async (token, owner) => (await holding(token, owner)).permitted,
    transaction: async (network, hash) => {
      const found = await read(`/networks/${network}/transactions/${hash}`);
      if (found === undefined) return undefined;
      const made = found as Omit<ChainTransaction, 'lots'> & { lots: string };
      return { ...made, lots: BigInt(made.lots) };
    },
    permit: async (permit) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(permit);
      const response = await call('/permits', { method: 'POST', headers, body });
      return response.ok ? undefined : ((await response.json()) as Rejection);
    },
    outputs: absent,
    send: absent,
    spend: absent,
    close: async () => undefined,
  };
};

export default factory;
