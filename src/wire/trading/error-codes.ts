import { classOfStatus, type ErrorClass } from '../error-class.ts';

/**
 * Every known error code of the trading service, with its HTTP status and message. `known` is the source of
 * the text: the service's own lists, or this project if only the existence of the code is known
 * (`docs/protocol-choices.md`).
 */
export const ERROR_CODES = {
  403: { status: 401, message: 'Action is forbidden for account', known: true },
  429: { status: 429, message: 'Too many requests', known: true },
  500: { status: 500, message: 'Internal Server Error', known: true },
  503: { status: 503, message: 'Service Unavailable', known: true },
  504: { status: 504, message: 'Gateway Timeout', known: true },
  600: { status: 400, message: 'Action not allowed', known: true },
  800: { status: 404, message: 'Not found', known: false },
  1001: { status: 401, message: 'Authorization required', known: true },
  1002: { status: 401, message: 'Authorization is required or has been failed', known: true },
  1003: { status: 403, message: 'Action is forbidden for this API key', known: true },
  1004: { status: 401, message: 'Unsupported authorization method', known: true },
  1005: { status: 401, message: 'Authentication failed', known: false },
  2001: { status: 400, message: 'Symbol not found', known: true },
  2002: { status: 400, message: 'Currency not found', known: true },
  2003: { status: 400, message: 'Bad request', known: false },
  2010: { status: 400, message: 'Quantity not a valid number', known: true },
  2011: { status: 400, message: 'Quantity too low', known: true },
  2012: { status: 400, message: 'Bad quantity', known: true },
  2020: { status: 400, message: 'Price not a valid number', known: true },
  2021: { status: 400, message: 'Price too low', known: true },
  2022: { status: 400, message: 'Bad price', known: true },
  2024: { status: 400, message: 'Invalid margin mode', known: true },
  10001: { status: 400, message: 'Validation error', known: true },
  10021: { status: 400, message: 'User disabled', known: true },
  10022: { status: 400, message: 'Bad request', known: false },
  20001: { status: 400, message: 'Insufficient funds', known: true },
  20002: { status: 400, message: 'Order not found', known: true },
  20003: { status: 400, message: 'Limit exceeded', known: true },
  20004: { status: 400, message: 'Transaction not found', known: true },
  20005: { status: 400, message: 'Payout not found', known: true },
  20006: { status: 400, message: 'Payout already committed', known: true },
  20007: { status: 400, message: 'Payout already rolled back', known: true },
  20008: { status: 400, message: 'Duplicate client_order_id', known: true },
  20009: { status: 400, message: 'Price and quantity not changed', known: true },
  20010: { status: 400, message: 'Exchange temporary closed', known: true },
  20011: { status: 400, message: 'Request refused', known: false },
  20012: { status: 400, message: 'Request refused', known: false },
  20014: { status: 400, message: 'Offchain for this payout is unavailable', known: true },
  20016: { status: 400, message: 'Request refused', known: false },
  20018: {
    status: 400,
    message: 'Withdrawals are unavailable under the current configuration',
    known: true,
  },
  20031: { status: 400, message: 'Request refused', known: false },
  20032: { status: 400, message: 'Margin account or position not found', known: true },
  20033: { status: 400, message: 'Position not changed', known: true },
  20034: { status: 400, message: 'Position in close only state', known: true },
  20040: { status: 400, message: 'Margin trading forbidden', known: true },
  20041: { status: 400, message: 'Margin request refused', known: false },
  20042: { status: 400, message: 'Margin request refused', known: false },
  20043: { status: 400, message: 'Margin request refused', known: false },
  20044: { status: 403, message: 'Permission denied', known: false },
  20045: { status: 400, message: 'Order limit exceeded', known: false },
  20047: {
    status: 400,
    message: 'Order placing exceeds the central counterparty balance limit',
    known: true,
  },
  20048: {
    status: 400,
    message: 'Provided Time-In-Force is invalid or not allowed with the order type',
    known: true,
  },
  20049: { status: 400, message: 'Provided order type is invalid', known: true },
  20080: { status: 400, message: 'Internal order execution deadline exceeded', known: true },
  21001: { status: 400, message: 'Sub account request refused', known: false },
  21003: { status: 400, message: 'Account suspended', known: false },
  21004: { status: 400, message: 'Sub account is already frozen or disabled', known: true },
  22004: { status: 400, message: 'User is not found', known: true },
  22008: { status: 504, message: 'Gateway timeout exceeded', known: true },
} as const satisfies Record<
  number,
  { readonly status: number; readonly message: string; readonly known: boolean }
>;

export type ServiceErrorCode = keyof typeof ERROR_CODES;

const CLASSES: ReadonlyMap<number, ErrorClass> = new Map<number, ErrorClass>([
  ...[403, 600, 1001, 1002, 1003, 1004, 1005, 10_021, 20_044, 21_003].map(
    (code) => [code, 'authorization'] as const,
  ),
  ...[2001, 2002, 2003, 2010, 2011, 2012, 2020, 2021, 2022, 2024, 10_001, 10_022].map(
    (code) => [code, 'bad-request'] as const,
  ),
  [429, 'rate-limit'],
  [503, 'unavailable'],
  [20_010, 'unavailable'],
  [500, 'outcome-unknown'],
  [504, 'outcome-unknown'],
  [22_008, 'outcome-unknown'],
]);

/**
 * The class of a service's error. A known code decides, since sockets have no status; an unknown code is
 * classed by its HTTP status, without one as refused.
 */
export function errorClass(code: number, status?: number): ErrorClass {
  const known = CLASSES.get(code);
  if (known !== undefined) return known;
  if (code in ERROR_CODES || status === undefined) return 'refused';
  return classOfStatus(status);
}
