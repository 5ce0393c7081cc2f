import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BitcoinChain, Refusal, type KnownTransaction } from './bitcoin-chain.ts';

/** What a server does in place of its answer; `lose` does what was asked first. */
export type EsploraFault =
  | 'lose'
  | 'hang'
  | { readonly status: number; readonly body: string; readonly headers?: Record<string, string> };

/** Outputs of an address that are listed at most. */
const OUTPUTS_MAX = 500;

/** Esplora's REST before a chain in memory, with the paths, members and refusals of Esplora. */
export class EsploraServer {
  readonly chain: BitcoinChain;
  readonly asked: string[] = [];
  /** Satoshi of a virtual byte by target. */
  estimates: Readonly<Record<string, number>> = { '1': 5.5, '2': 4.001, '3': 3, '144': 1 };
  /** Asked for each request; nothing for the right answer. */
  fault: (name: string) => EsploraFault | undefined = () => undefined;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  constructor(chain = new BitcoinChain()) {
    this.chain = chain;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/api`;
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const name = `${request.method ?? ''} ${(request.url ?? '').replace(/^\/api/, '')}`;
    this.asked.push(name);
    const fault = this.fault(name);
    if (fault === 'hang') return;
    if (typeof fault === 'object') {
      response.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    const [status, body] = this.#answer(name, Buffer.concat(parts).toString());
    if (fault === 'lose') response.destroy();
    else response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  #answer(name: string, body: string): readonly [number, unknown] {
    const { chain } = this;
    if (name === 'POST /tx') return this.#take(body);
    if (name === 'GET /fee-estimates') return [200, this.estimates];
    if (name === 'GET /blocks/tip/height') return [200, `${chain.height}`];
    if (name === 'GET /blocks/tip/hash') return [200, chain.blocks.at(-1)?.hash];
    const [, kind = '', of = '', what, more = ''] = name.replace(/^GET /, '').split('/');
    if (kind === 'block-height') {
      const hash = chain.blocks[Number(of)]?.hash;
      return hash === undefined ? [404, 'Block not found'] : [200, hash];
    }
    if (kind === 'address' && what === 'utxo') return this.#outputs(of);
    const found = kind === 'tx' ? chain.find(of) : undefined;
    if (found === undefined) return [404, kind === 'tx' ? 'Transaction not found' : 'Not found'];
    if (what === undefined) return [200, this.#transaction(found)];
    if (what === 'status') return [200, this.#status(of)];
    if (what === 'hex') return [200, found.made.toHex()];
    return what === 'outspend' ? [200, this.#outspend(of, Number(more))] : [404, 'Not found'];
  }

  #take(raw: string): readonly [number, string] {
    try {
      return [200, this.chain.accept(raw)];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message } = error;
      return [400, `sendrawtransaction RPC error: ${JSON.stringify({ code, message })}`];
    }
  }

  #outputs(of: string): readonly [number, unknown] {
    const outputs = this.chain.outputsOf(of);
    if (outputs.length > OUTPUTS_MAX) return [400, 'Too many unspent outputs (>500)'];
    return [200, outputs.map(({ txid, vout, value }) => ({ txid, vout, status: this.#status(txid), value: Number(value) }))]; // prettier-ignore
  }

  #status(id: string): object {
    const height = this.chain.heightOf(id);
    const block = this.chain.blocks[height ?? -1];
    if (block === undefined) return { confirmed: false };
    return { confirmed: true, block_height: height, block_hash: block.hash, block_time: block.time }; // prettier-ignore
  }

  #outspend(txid: string, vout: number): object {
    const spender = this.chain.spender(txid, vout);
    if (spender === undefined) return { spent: false };
    const vin = this.chain.find(spender)?.prevouts.findIndex((one) => one.txid === txid && one.vout === vout); // prettier-ignore
    return { spent: true, txid: spender, vin, status: this.#status(spender) };
  }

  #transaction({ id, made, prevouts, fee }: KnownTransaction): object {
    const output = (script: Uint8Array, value: bigint): object => {
      const address = this.chain.addressOf(script);
      return {
        scriptpubkey: Buffer.from(script).toString('hex'),
        ...(address !== undefined && { scriptpubkey_address: address }),
        value: Number(value),
      };
    };
    return {
      txid: id,
      version: made.version,
      locktime: made.locktime,
      vin: made.ins.map(({ index, sequence, witness }, at) => {
        const spent = prevouts[at];
        return {
          txid: spent?.txid ?? '0'.repeat(64),
          vout: index,
          prevout: spent === undefined ? null : output(spent.script, spent.value),
          scriptsig: '',
          witness: witness.map((one) => Buffer.from(one).toString('hex')),
          is_coinbase: spent === undefined,
          sequence,
        };
      }),
      vout: made.outs.map(({ script, value }) => output(script, value)),
      size: made.byteLength(),
      weight: made.weight(),
      fee: Number(fee),
      status: this.#status(id),
    };
  }
}
