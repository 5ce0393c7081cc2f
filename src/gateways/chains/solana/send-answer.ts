import type { RpcError } from '../json-rpc/rpc.ts';

/**
 * Meaning of a node's answer to sent bytes: it is in a block (`known`), the node has tried it and does not
 * pass it on (`refused`), or it may have been passed on (`unknown`).
 */
export type SendAnswer = 'known' | 'refused' | 'unknown';

const PREFLIGHT_FAILED = -32_002;
const SIGNATURE_WRONG = -32_003;
const PARAMS_INVALID = -32_602;

export function answerToSend({ code, message, data }: RpcError): SendAnswer {
  if (code === SIGNATURE_WRONG || code === PARAMS_INVALID) return 'refused';
  if (code !== PREFLIGHT_FAILED) return 'unknown';
  const error = errorIn(data);
  if (error === 'AlreadyProcessed' || /already been processed/i.test(message)) return 'known';
  // Too late, or the node is behind: also the answer for one that has landed.
  if (error === undefined || error === 'BlockhashNotFound') return 'unknown';
  return 'refused';
}

function errorIn(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'err' in data
    ? (data.err ?? undefined)
    : undefined;
}
