/** Asks a local anvil, and sends by accounts whose keys it has. */
export function anvilAt(url: string) {
  async function ask(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const answer = (await (await fetch(url, { method: 'POST', headers, body })).json()) as {
      readonly result?: unknown;
      readonly error?: { readonly message: string };
    };
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  }

  /** Waits for the block; gives the address of a contract that was made. */
  async function sent(transaction: object): Promise<string | null> {
    const hash = await ask('eth_sendTransaction', transaction);
    for (;;) {
      const receipt = await ask('eth_getTransactionReceipt', hash);
      if (receipt !== null) return (receipt as { readonly contractAddress: string | null }).contractAddress; // prettier-ignore
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  return { ask, sent };
}
