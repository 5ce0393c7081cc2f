import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { getAddress, TypedDataEncoder, verifyTypedData, zeroPadValue } from 'ethers';
import { onTestFinished } from 'vitest';
import { SystemScheduler } from '../../../../src/platform/system-scheduler.ts';

/** What a foreign implementation of the specification calls the parts of what it has signed. */
const TYPES = {
  TokenPermissions: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
  Target: [
    { name: 'chain', type: 'uint32' },
    { name: 'asset', type: 'address' },
    { name: 'receiver', type: 'bytes32' },
    { name: 'minimum', type: 'uint256' },
  ],
  FusionOrder: [
    { name: 'maker', type: 'address' },
    { name: 'sellToken', type: 'address' },
    { name: 'sellAmount', type: 'uint256' },
    { name: 'target', type: 'Target' },
    { name: 'hashlock', type: 'bytes32' },
    { name: 'expiry', type: 'uint64' },
  ],
  PermitWitnessTransferFrom: [
    { name: 'permitted', type: 'TokenPermissions' },
    { name: 'spender', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'witness', type: 'FusionOrder' },
  ],
};

const TYPE_STRING =
  'FusionOrder witness)FusionOrder(address maker,address sellToken,uint256 sellAmount,Target target,bytes32 hashlock,uint64 expiry)Target(uint32 chain,address asset,bytes32 receiver,uint256 minimum)TokenPermissions(address token,uint256 amount)';

export const ESCROW = getAddress(`0x${'e5'.repeat(20)}`);
export const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
export const SOLD = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
export const BOUGHT = '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85';
/** More than a double holds. */
const NONCE = '340282366920938463463374607431768211457';
const HASHLOCK = `0x${'5e'.repeat(32)}`;

/** What a service that means ill changes of what it asks to sign. */
export interface Tampering {
  readonly escrow?: string;
  readonly permit2?: string;
  /** Seconds. */
  readonly deadline?: number;
  /** Of the witness, by path; its hash is made again. */
  readonly witness?: Readonly<Record<string, unknown>>;
  /** Of what it says that was quoted. */
  readonly token?: string;
}

type Members = Record<string, unknown>;

const scheduler = new SystemScheduler();

/** Unix seconds now. */
export const systemSeconds = (): number => Math.floor(scheduler.now() / 1_000_000);

interface Issued {
  readonly domain: Members;
  readonly message: Members;
  readonly maker: string;
}

/** A swap service that somebody else has written, on a port of this machine. */
export class ForeignService {
  url = '';
  /** The ids of intents whose approval was signed by their maker, over just what was issued. */
  readonly approved: string[] = [];
  /** What was sent as an approval and was no signature of the maker. */
  readonly wrong: unknown[] = [];
  tampering: Tampering = {};
  readonly #seconds: () => number;
  readonly #issued = new Map<string, Issued>();

  private constructor(seconds: () => number) {
    this.#seconds = seconds;
  }

  /** Opens one until the test ends. */
  static async open(seconds = systemSeconds): Promise<ForeignService> {
    const service = new ForeignService(seconds);
    const server = createServer((request, response) => {
      void service.#answer(request).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return service;
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; body: string }> {
    const body = JSON.parse((await text(request)) || '{}') as Members;
    const path = request.url ?? '';
    if (path === '/v1/quotes') return { status: 200, body: JSON.stringify(this.#quote(body)) };
    if (path === '/v1/intents') return { status: 200, body: this.#intent(body) };
    const [, id] = /^\/v1\/intents\/([^/]+)\/approvals$/.exec(path) ?? [];
    const issued = this.#issued.get(id ?? '');
    if (id === undefined || issued === undefined) return { status: 404, body: '{}' };
    const { PermitWitnessTransferFrom: permit, ...rest } = TYPES;
    const types = { PermitWitnessTransferFrom: permit, ...rest };
    const signature = String(body['signed_data']);
    const signer = verifyTypedData(issued.domain, types, issued.message, signature);
    if (signer !== issued.maker) {
      this.wrong.push(body);
      const rejection = { code: 422, type: 'signature', message: 'not signed by the maker' };
      return { status: 422, body: JSON.stringify(rejection) };
    }
    this.approved.push(id);
    return { status: 200, body: JSON.stringify({ intent_id: id }) };
  }

  /** One to one, less one per mill. */
  #quote(body: Members): Members {
    const lots = lotsOf(body['amount']);
    return {
      id: 'quote-1',
      from: { network_id: 1, token: this.tampering.token ?? SOLD, token_id: 1, amount_lots: Number(lots), amount_decimals: 6 }, // prettier-ignore
      mid: { token_id: null, token: null, token_min_amount: null, token_max_amount: null, token_decimals: null }, // prettier-ignore
      to: { network_id: 10, token: BOUGHT, token_id: 2, min_amount_lots: Number(lots - lots / 1000n), max_amount_lots: Number(lots), amount_decimals: 6 }, // prettier-ignore
      slippage_bps: String(body['slippage_bps']),
      expires_at: (this.#seconds() + 30) * 1000,
    };
  }

  #intent(body: Members): string {
    const { escrow = ESCROW, permit2 = PERMIT2, deadline = this.#seconds() + 600 } = this.tampering;
    const [from, to] = [body['from'] as Members, body['to'] as Members];
    const lots = lotsOf(body['amount']);
    const maker = getAddress(String(from['address']));
    const target: Members = {
      chain: 10,
      asset: BOUGHT,
      receiver: zeroPadValue(String(to['address']), 32),
      minimum: String(lots - lots / 1000n),
    };
    const witness: Members = { maker, sellToken: SOLD, sellAmount: String(lots), target, hashlock: HASHLOCK, expiry: deadline }; // prettier-ignore
    for (const [name, value] of Object.entries(this.tampering.witness ?? {})) {
      const [outer = '', inner] = name.split('.');
      if (inner === undefined) witness[outer] = value;
      else (witness[outer] as Members)[inner] = value;
    }
    // Other implementations write the number as text; it hashes to the same.
    const domain = { name: 'Permit2', chainId: '1', verifyingContract: permit2 };
    const permitted = { token: SOLD, amount: lots };
    const message = { permitted, spender: escrow, nonce: BigInt(NONCE), deadline, witness };
    const id = `intent-${this.#issued.size + 1}`;
    this.#issued.set(id, { domain, message, maker });
    const { FusionOrder, Target } = TYPES;
    const hash = TypedDataEncoder.hashStruct('FusionOrder', { FusionOrder, Target }, witness);
    const answer = {
      id,
      deadline_at: deadline,
      secret_hash: HASHLOCK,
      approval_type: 'permit2',
      params_to_sign: {
        escrow_contract_address: escrow,
        permit2_contract_address: permit2,
        resolver_deposit_address: getAddress(`0x${'77'.repeat(20)}`),
        nonce: 'NONCE',
        additional_data: { domain, types: TYPES, witness, witness_type_string: TYPE_STRING, witness_hash: hash, secretHash: HASHLOCK }, // prettier-ignore
      },
    };
    return JSON.stringify(answer).replace('"NONCE"', NONCE);
  }
}

const lotsOf = (amount: unknown): bigint => BigInt(Math.round(Number(amount) * 1e6));
