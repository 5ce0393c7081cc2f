import type { ChainNode, SignDigest } from '../../../../src/gateways/chains/node.ts';
import type { Fault, FaultProxy } from './fault-proxy.ts';

/** What every node of a chain has to show: titles of the tests of the contract. */
export const SENTENCES = {
  network: 'refuses to start when the network of the node is not the configured one',
  balance: 'tells a balance to the smallest unit, above 2^53 too, and takes no malformed answer for 0',
  decimals: 'refuses by name a token whose decimals on the chain differ from the configured ones',
  id: 'knows the id of a transaction before it is sent, and the chain knows it by the same',
  twice: 'moves the money once when the same transaction is sent twice, at once or later',
  lost: 'calls the fate unknown when the answer to a send is lost, and the same bytes give the transaction',
  unreachable: 'says unreachable when nothing left this machine, and nothing is on the chain',
  killed: 'makes exactly one payment when it is killed around any write and any send',
  together: 'lets two payments of one moment both arrive',
  short: 'refuses with the figures, before it signs, what is beyond the balance, the fee counted in',
  bound: 'refuses a fee above the bound, for a successor too',
  stuck: 'raises a payment that no block takes by one that excludes it, and reports the one that was mined',
  fee: 'reports what a mined transaction cost, and no unit of the coin is missing beside it',
  failed: 'reports a transaction that was mined and failed, with its reason and its cost',
  dropped: 'sends a dropped transaction again unchanged, and gives it up only on proof',
  reorganised: 'lets confirmations fall when the chain reorganises, and reports no vanished transaction',
  arrived: 'reads from the chain what arrived, where it is less than what was sent',
  lagging: 'signs nothing new for a node that lags or disagrees, and believes no larger balance',
  slow: 'bounds reads when a node hangs, answers HTML, 429, half a JSON or ten megabytes, and writes nothing twice',
  allowance: 'reads, sets, changes and takes back the allowance of permit2',
  addresses: 'refuses wrong addresses before it signs, and puts neither key nor transaction in an error',
} as const; // prettier-ignore

export type Sentence = keyof typeof SENTENCES;

/** Why a chain cannot have a sentence, and what its node has to do in place of it. */
export interface Exemption {
  /** Ends the title of the test. */
  readonly reason: string;
  /** Throws where the node does not do so: such as when it does not refuse with its code. */
  readonly instead: (chain: ChainUnderTest) => Promise<void>;
}

/** What a node is opened with beside what its harness sets. All that is absent is as usual. */
export interface NodeChanges {
  /** The most that one transaction may cost, and all of a day; smallest units of the coin. */
  readonly feeBound?: bigint;
  readonly dayBound?: bigint;
  /** True: it is configured for another network than the one of the chain. */
  readonly isWrongNetwork?: boolean;
  /** True: the token is configured with other decimals than it has. */
  readonly isWrongDecimals?: boolean;
  /** Addresses of its providers; that of `proxy` where absent. */
  readonly urls?: readonly string[];
  /** Folder of what it keeps: the same one for a node that is started again. A new one where absent. */
  readonly folder?: string;
  /** How long it waits for one answer. */
  readonly timeoutUs?: number;
}

/** Who makes the payments. */
export interface ChainOwner {
  readonly address: string;
  readonly sign: SignDigest;
}

/**
 * A chain of a test with a node before it. Nothing is mined but by `mine` and `finalize`. What is
 * marked `?` is there unless the sentence that needs it is exempt.
 */
export interface ChainUnderTest {
  /** Code of the network, as the node has it. */
  readonly network: string;
  /** Id of the token that is the coin, and of the token that is paid: the coin, where there is no other. */
  readonly coin: number;
  readonly token: number;
  /** Its wallet holds more than 2^53 smallest units of the token where its chain can have that. */
  readonly owner: ChainOwner;
  /** An address that can receive the token, holds none of it, and is in no other test. */
  readonly other: string;
  /** Smallest units of a payment; the owner can make ten of them. */
  readonly lots: bigint;
  readonly proxy: FaultProxy;
  /** Names of requests, as the proxy has them. */
  readonly asks: { readonly send: string | RegExp; readonly balance: string | RegExp };
  /** Answers to `asks.balance` that tell no balance; each is `answer-invalid`. */
  readonly malformed: readonly Fault[];
  /** An answer to `asks.send` by which a node refuses for good, such as for lack of funds. */
  readonly refusal?: Fault;
  /** An answer to `asks.balance` of more than anybody has, for the second of two providers. */
  readonly inflated?: Fault;
  /** Addresses that must be refused: of another family, mistyped, the contract of the token. */
  readonly wrongAddresses: readonly string[];
  /** A node before the proxy; the end of the test closes it. */
  open(changes?: NodeChanges): ChainNode;
  /** What an address holds, by the chain itself and not by the node. */
  held(token: number, address: string): Promise<bigint>;
  /** Whether a block of the chain has a transaction, by the chain itself. */
  hasMined(id: string): Promise<boolean>;
  /** Mines what waits, in the first of so many blocks; 1 where absent. */
  mine(blocks?: number): Promise<void>;
  /** Mines what waits, and so many blocks that it is final. */
  finalize(): Promise<void>;
  /** Replaces the last so many blocks by empty ones; their transactions wait no more. */
  reorganise?(blocks: number): Promise<void>;
  /** Forgets all that is not mined. */
  drop?(): Promise<void>;
  /** Mines something else in place of what was signed last, so that this can never be mined. */
  displace?(raw: string): Promise<void>;
  /** While true, transfers of the token that are mined fail in their block. */
  fail?(isFailing: boolean): Promise<void>;
  /** From now on no block takes what was prepared before, for its fee. */
  raiseFees?(): Promise<void>;
  /** The token takes 1 % of each transfer from now on. */
  takeFees?(): Promise<void>;
  /** What permit2 may take of the token, by the chain itself. */
  allowed?(owner: string): Promise<bigint>;
  /** How a process of its own makes a node before this chain, for the sentence `killed`. */
  readonly payer: PayerSetup;
  close(): Promise<void>;
}

/** Where the process of a payment gets its node. */
export interface PayerSetup {
  /** A module that exports `makePayer`, a `PayerFactory`, as a file URL. */
  readonly module: string;
  /** What the factory is given; survives JSON. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** One kind of chain. Each test starts one of its own. */
export interface ChainHarness {
  /** Subject of the titles: "an EVM node before anvil". */
  readonly name: string;
  readonly exempt: Readonly<Partial<Record<Sentence, Exemption>>>;
  start(): Promise<ChainUnderTest>;
}
