import { MillraceError } from '../../../model/errors.ts';
import { sanitize } from '../../../model/plain-words.ts';
import { invalid, record, RpcProviders } from '../json-rpc/providers.ts';
import type { RpcOutcome } from '../json-rpc/rpc.ts';

const QUANTITY = /^0x(?:0|[1-9a-fA-F][\da-fA-F]*)$/;
const WORD = /^0x[\da-fA-F]{64}$/;

/** A block by which balances are read and receipts are checked. */
export interface Block {
  readonly number: number;
  readonly hash: string;
  /** Seconds. */
  readonly timestamp: number;
  /** Wei; absent on a chain without EIP-1559. */
  readonly baseFee?: bigint;
}

/**
 * The providers of an EVM chain. Answers about one block must be equal; of growing numbers, such as the
 * head, the lowest counts.
 */
export class EvmProviders extends RpcProviders {
  /** The answer of each to bytes, sent once to each. */
  async sent(raw: string): Promise<readonly RpcOutcome[]> {
    return this.once('eth_sendRawTransaction', [raw]);
  }

  /** The block that all of them have: of a tag, the lowest. */
  async block(tag: string): Promise<Block | undefined> {
    const outcomes = await this.outcomes('eth_getBlockByNumber', [tag, false]);
    const blocks = outcomes.map((one) => {
      if (one.kind === 'result') return one.result === null ? undefined : blockIn(one.result);
      // A node without such a tag says so; the caller then counts confirmations.
      if (one.kind === 'error' && tag !== 'latest') return undefined;
      const why = one.kind === 'error' ? one.error.message : one.why;
      throw new MillraceError('service-unavailable', `A node has no ${tag} block: ${sanitize(why)}.`); // prettier-ignore
    });
    // A single node that has it does not decide.
    return blocks.reduce((low, one) =>
      low === undefined || one === undefined ? undefined : low.number <= one.number ? low : one,
    );
  }

  /** The greatest count of mined transactions that any of them has, or the least. */
  async mined(address: string, tag: string, which: 'most' | 'least'): Promise<number> {
    const answers = await this.each('eth_getTransactionCount', [address, tag]);
    const counts = answers.map((one) => Number(quantity(one, 'eth_getTransactionCount')));
    return which === 'most' ? Math.max(...counts) : Math.min(...counts);
  }

  /** A call at a block. */
  async call(to: string, data: string, block: string): Promise<string> {
    const result = await this.agreed('eth_call', [{ to, data }, block]);
    if (typeof result === 'string' && /^0x[\da-fA-F]*$/.test(result)) return result;
    throw invalid('eth_call', result);
  }
}

/** A number in hexadecimal, without leading zeros; throws `answer-invalid` for anything else. */
export function quantity(given: unknown, method: string): bigint {
  if (typeof given === 'string' && QUANTITY.test(given)) return BigInt(given);
  throw invalid(method, given);
}

/** Whether it is the 32 bytes that a call answers. */
export const isWord = (given: string): boolean => WORD.test(given);

/** The 32 bytes of a call's result as a number; empty ones are none. */
export function wordOf(given: string, method: string): bigint {
  if (isWord(given)) return BigInt(given);
  throw invalid(method, given);
}

function blockIn(given: unknown): Block {
  const { number, hash, timestamp, baseFeePerGas } = record(given, 'eth_getBlockByNumber');
  if (typeof hash !== 'string') throw invalid('eth_getBlockByNumber', hash);
  return {
    number: Number(quantity(number, 'eth_getBlockByNumber')),
    hash,
    timestamp: Number(quantity(timestamp, 'eth_getBlockByNumber')),
    ...(baseFeePerGas !== undefined && {
      baseFee: quantity(baseFeePerGas, 'eth_getBlockByNumber'),
    }),
  };
}
