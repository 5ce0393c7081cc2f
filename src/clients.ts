/**
 * What `millrace/clients` exports: the services as objects whose methods are their calls, usable
 * without the rest of Millrace.
 */
export { Decimal, parseDecimal } from './model/decimal.ts';
export { MillraceError, type ErrorCode, type ErrorDetails } from './model/errors.ts';
export { isActive } from './model/order.ts';
export type { Rejection, RejectionCode } from './model/rejections.ts';
export { SystemScheduler } from './platform/system-scheduler.ts';
export type { Cancel, Scheduler } from './platform/scheduler.ts';
export { parseIsoTime, type Micros } from './platform/time.ts';
export { isoTime, micros, Random, VirtualScheduler } from './gateways/checked.ts';
export type { Answer, ArgumentsOf } from './wire/trading/call.ts';
export type { ErrorClass } from './wire/error-class.ts';
export type { Bound } from './wire/trading/paging.ts';
export type { Retries } from './gateways/http/backoff.ts';
export type { ClockReading } from './gateways/trading/client/clock.ts';
export type { TradingCredentials } from './gateways/trading/client/credentials.ts';
export type { CallArguments, RestCall, RestCalls } from './gateways/trading/client/rest.ts';
export { ServiceError, type ServiceErrorBody } from './gateways/http/service-error.ts';
export type { TradingAddress } from './gateways/trading/client/address.ts';
export type { ClientSettings, ClientTerms } from './gateways/trading/client/settings.ts';
export { TradingClient } from './gateways/trading/client/client.ts';
export { TradingClientV2 } from './gateways/trading/client/client-v2.ts';
export {
  MarketSocket,
  type MarketListener,
  type Subscription,
} from './gateways/trading/socket/market.ts';
export type { SocketOptions } from './gateways/trading/socket/options.ts';
export type { RequestOptions, TextOptions } from './gateways/trading/socket/rpc-socket.ts';
export type { LateReply, SocketListener, SocketState } from './gateways/trading/socket/state.ts';
export { TradingSocket, type TradingListener } from './gateways/trading/socket/trading.ts';
export {
  AccountSocketV2,
  MarketSocketV2,
  TradingSocketV2,
  type AccountListenerV2,
  type MarketListenerV2,
  type TradingListenerV2,
} from './gateways/trading/socket/v2.ts';
export { WalletSocket, type WalletListener } from './gateways/trading/socket/wallet.ts';
export type { MarketDataFrame } from './wire/trading/v3/streams/market.ts';
export { AffiliateSwapClient } from './gateways/swaps/affiliate-client.ts';
export { SwapClient } from './gateways/swaps/client.ts';
export type { SwapConditions } from './gateways/swaps/agreement.ts';
export type { ApproveOptions, TokenToAllow } from './gateways/swaps/approving.ts';
export type {
  AffiliateIntentRequest,
  BestQuoteRequest,
  HistoryQuery,
  SwapIntentRequest,
  SwapQuoteRequest,
  SwapsQuery,
  TokensQuery,
} from './gateways/swaps/arguments.ts';
export type { SigningSettings } from './gateways/swaps/signing.ts';
export type {
  Approval,
  ChainFee,
  ChainNode,
  PaymentLimits,
  PaymentOutcome,
  PreparedTransaction,
  SentTransaction,
  SignDigest,
} from './gateways/chains/node.ts';
export { BitcoinNode } from './gateways/chains/bitcoin/bitcoin-node.ts';
export type { BitcoinChain } from './swaps/chains/families/bitcoin.ts';
export type { BitcoinNodeOptions } from './gateways/chains/bitcoin/options.ts';
export { EvmNode, type PermittedTransfer } from './gateways/chains/evm/evm-node.ts';
export type { EvmNodeOptions } from './gateways/chains/evm/options.ts';
export { SolanaNode } from './gateways/chains/solana/solana-node.ts';
export type { SolanaNodeOptions } from './gateways/chains/solana/options.ts';
export type { ChainNodeFactory, ChainNodeOptions } from './gateways/chains/node-factory.ts';
export type { FollowOptions } from './gateways/http/following.ts';
export type {
  AffiliateHistory,
  AffiliateIntent,
  AffiliateQuote,
  AffiliateStatus,
  AffiliateTokens,
} from './gateways/swaps/reading/affiliate.ts';
export type {
  SwapIntent,
  SwapNetwork,
  SwapQuote,
  SwapStatus,
  SwapSummary,
  SwapToken,
  SwapTokens,
} from './gateways/swaps/reading/execution.ts';
export type {
  AffiliateClientSettings,
  SwapClientSettings,
  SwapDialect,
} from './gateways/swaps/settings.ts';
export type { IntentStatus } from './wire/swaps/statuses.ts';
export type {
  AgreedNetwork,
  AgreedTerms,
  ApprovalForm,
  ApprovalSigner,
  SignedApproval,
  TypedData,
} from './swaps/approvals/approval.ts';
export { ApprovalRejected, type Disagreement } from './swaps/approvals/disagreement.ts';
export { WITNESS_SUBJECTS } from './swaps/approvals/policy/policy.ts';
export type {
  CosignPolicy,
  HtlcPolicy,
  NetworkBounds,
  Permit2Policy,
  SigningCheck,
  SigningPolicy,
  SigningRequest,
  SigningStatement,
  WitnessPolicy,
  WitnessRule,
  WitnessSubject,
} from './swaps/approvals/policy/policy.ts';
export type { ChainTransaction, Output } from './swaps/chains/chain-world.ts';
export type { PermitToSpend } from './swaps/chains/real-networks.ts';
export type { OwnTransfer } from './swaps/chains/signed-transfer.ts';
export type { NetworkFamily, NetworkTerms, TokenTerms } from './swaps/tokens.ts';
export { openKeys } from './swaps/keys/key-file.ts';
export { keySigner, signerOn } from './swaps/keys/key-ring.ts';
export type { KeyKind, OwnKey } from './swaps/keys/own-key.ts';
export type { PrivateKey } from './model/private-key.ts';
export { generateKeyPair, type ServiceKeyPair } from './gateways/http/key-pair.ts';
export { ExchangeOrdersClient } from './gateways/exchange-orders/client.ts';
export {
  ExchangeOrderError,
  type AmountLimits,
  type ExchangeOrderFault,
  type ExchangeOrderErrorBody,
} from './gateways/exchange-orders/fault.ts';
export {
  isFinalStatus,
  type FollowTransactionOptions,
} from './gateways/exchange-orders/following.ts';
export type { ArgumentsOfMethod, MethodOfArguments } from './gateways/exchange-orders/arguments.ts';
export type {
  CreatedFixTransaction,
  CreatedPrivateSend,
  CreatedTransaction,
  ExchangeTransaction,
  PayinAddress,
  PrivateSend,
  WithPayin,
} from './gateways/exchange-orders/records.ts';
export type { ExchangeOrdersSettings } from './gateways/exchange-orders/settings.ts';
export type { ExchangeMethod, ReadResult } from './wire/exchange-orders/methods.ts';
