import { micros, US_PER_SECOND } from '../../platform/time.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { afterTurn } from '../../platform/turn.ts';
import {
  RealNetworks,
  type RealChain,
  type RealTransfer,
  type SeenBalance,
  type TransferResult,
} from '../../swaps/chains/real-networks.ts';
import { ESCROW, RESOLVER } from '../../swaps/intents/escrow.ts';
import type { Intent } from '../../swaps/intents/intent.ts';
import type { TokenTerms } from '../../swaps/tokens.ts';
import type { Inputs } from '../data/inputs.ts';
import type { Log } from '../http/failures.ts';
import { keySigner } from '../../swaps/keys/key-ring.ts';
import type { RealNetworkSettings } from './chain-settings.ts';
import type { SimulationSettings } from './settings.ts';

/** How often the balances of the service are read. */
const POLL_US = 10 * US_PER_SECOND;
/** Delay before a full disk is checked again. */
const FULL_US = US_PER_SECOND;

const KINDS = { wanted: 'real:wanted', settled: 'real:settled', seen: 'real:seen' } as const;

export interface RealChainsSetup {
  readonly settings: ReadonlyMap<string, RealNetworkSettings>;
  readonly tokens: readonly TokenTerms[];
  /** Folder of the state of the venue. */
  readonly folder: string | undefined;
  /** The time of the machine. */
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** State of the live networks of settings, before anything was read there. */
export const realNetworksOf = (settings: ReadonlyMap<string, RealNetworkSettings>): RealNetworks =>
  new RealNetworks(
    new Map(
      [...settings].map(([code, { addresses }]) => [
        code,
        new Map(
          addresses && [
            [ESCROW, addresses.escrow],
            [RESOLVER, addresses.resolver],
          ],
        ),
      ]),
    ),
  );

/** Settings with the addresses of their keys. */
export function withAddresses(settings: SimulationSettings): SimulationSettings {
  const { outside } = settings;
  if (outside?.real === undefined) return settings;
  const addressOf = (key: string): string => keySigner('evm', key).address;
  const real = [...outside.real].map(([code, one]): [string, RealNetworkSettings] => {
    const { escrow, resolver } = one.keys;
    const addresses = { escrow: addressOf(escrow), resolver: addressOf(resolver) };
    return [code, { ...one, addresses }];
  });
  return { ...settings, outside: { ...outside, real: new Map(real) } };
}

/**
 * Watches the live networks of a venue. Balances and results of transfers are logged as inputs, so a replay
 * needs no chain. A transfer starts once it is logged and resumes after a restart.
 */
export class RealChains {
  readonly #setup: RealChainsSetup;
  readonly #real: RealNetworks;
  readonly #inputs: Inputs;
  readonly #chains = new Map<string, RealChain>();
  #cancelLook: Cancel = () => undefined;
  #isClosed = false;

  /** Throws `config-invalid` if there are real networks and no folder. */
  constructor(setup: RealChainsSetup, real: RealNetworks, inputs: Inputs) {
    this.#setup = setup;
    this.#real = real;
    this.#inputs = inputs;
    const [code] = setup.settings.keys();
    if (setup.folder === undefined && code !== undefined) throw needsFolder(code);
    inputs.replays(KINDS.wanted, () => undefined);
    inputs.replays(KINDS.settled, (logged) => {
      const { id, result } = logged as LoggedResult;
      real.settle(id, 'hash' in result ? { ...result, lots: BigInt(result.lots) } : result);
    });
    inputs.replays(KINDS.seen, (logged) => {
      real.see(seenIn(logged as LoggedBalance));
    });
  }

  /** Reads the chains, and continues started transfers. Throws the errors of a chain. */
  async start(isNew: boolean): Promise<void> {
    const { settings, folder = '', scheduler, log } = this.#setup;
    for (const [code, { open }] of settings) {
      const chain = await open({ folder, scheduler, log });
      this.#chains.set(code, chain);
      await checkChain(code, chain, isNew);
    }
    await this.#pollBalances();
    this.#schedulePoll();
    this.#real.onWanted((transfer) => {
      this.#enqueue(transfer);
    });
    for (const transfer of this.#real.wanted()) this.#enqueue(transfer);
  }

  /** Reads balance and allowance of the intent's owner. Throws if the chain cannot be reached. */
  async readOwner({ order: { token, from } }: Intent): Promise<void> {
    const chain = this.#chains.get(token.network);
    if (chain === undefined) return;
    const allowance = await chain.allowance(token.id, from);
    await this.#read(chain, token, from, allowance);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelLook();
    for (const chain of this.#chains.values()) await chain.close();
  }

  /** Runs on the next event loop turn, as it is requested while an input is applied. */
  #enqueue(transfer: RealTransfer): void {
    afterTurn(() => {
      if (this.#isClosed) return;
      const { scheduler } = this.#setup;
      if (this.#inputs.isFull) {
        scheduler.at(micros(scheduler.now() + FULL_US), () => {
          this.#enqueue(transfer);
        });
        return;
      }
      // Logs the time, so that a replay requests the transfer again.
      this.#inputs.take(KINDS.wanted, () => undefined, () => ({ id: transfer.id })); // prettier-ignore
      this.#inputs.whenDurable(() => {
        void this.#execute(transfer);
      });
    });
  }

  async #execute(transfer: RealTransfer): Promise<void> {
    try {
      const result = await this.#chains.get(transfer.network)?.transfer(transfer);
      if (result === undefined || this.#isClosed) return;
      this.#settle(transfer.id, result);
      await this.#pollBalances();
    } catch (error) {
      if (!this.#isClosed) this.#setup.log(error, `the transfer ${transfer.id}`);
    }
  }

  #settle(id: string, result: TransferResult): void {
    this.#inputs.take(
      KINDS.settled,
      () => {
        this.#real.settle(id, result);
      },
      (): LoggedResult => ({
        id,
        result: 'hash' in result ? { ...result, lots: `${result.lots}` } : result,
      }),
    );
  }

  #schedulePoll(): void {
    const { scheduler, log } = this.#setup;
    this.#cancelLook = scheduler.at(micros(scheduler.now() + POLL_US), () => {
      this.#pollBalances()
        .catch((error: unknown) => {
          if (!this.#isClosed) log(error, 'the balances on real chains');
        })
        .finally(() => {
          if (!this.#isClosed) this.#schedulePoll();
        });
    });
  }

  /** Reads what the service has. */
  async #pollBalances(): Promise<void> {
    for (const [code, chain] of this.#chains) {
      for (const token of this.#setup.tokens.filter(({ network }) => network === code)) {
        for (const owner of [ESCROW, RESOLVER]) {
          const address = this.#real.addressOf(code, owner);
          if (address !== undefined) await this.#read(chain, token, address);
        }
      }
    }
  }

  async #read(
    chain: RealChain,
    { id: token, network }: TokenTerms,
    address: string,
    allowance?: bigint,
  ): Promise<void> {
    const lots = await chain.balance(token, address);
    const seen: SeenBalance = { network, token, address, lots, allowance };
    if (this.#isClosed || this.#inputs.isFull || this.#real.isSeen(seen)) return;
    this.#inputs.take(
      KINDS.seen,
      () => {
        this.#real.see(seen);
      },
      (): LoggedBalance => ({ ...seen, lots: `${lots}`, allowance: allowance?.toString() }),
    );
  }
}

/** As the log has it. */
type LoggedBalance = Omit<SeenBalance, 'lots' | 'allowance'> & {
  readonly lots: string;
  readonly allowance: string | undefined;
};

const seenIn = ({ lots, allowance, ...rest }: LoggedBalance): SeenBalance => ({
  ...rest,
  lots: BigInt(lots),
  ...(allowance !== undefined && { allowance: BigInt(allowance) }),
});

interface LoggedResult {
  readonly id: string;
  readonly result:
    | { readonly hash: string; readonly lots: string }
    | Exclude<TransferResult, { readonly hash: string }>;
}

/** Checks a chain; its error has the place in the configuration. */
async function checkChain(code: string, chain: RealChain, isNew: boolean): Promise<void> {
  try {
    await chain.check(isNew);
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    const message = `The real chain ${code} cannot be used: ${error.message}`;
    throw new MillraceError(error.code, message, { ...fieldOf(code), cause: error });
  }
}

const fieldOf = (code: string) => ({ field: `outside.networks.${code}.evm` });

const needsFolder = (code: string): MillraceError =>
  new MillraceError(
    'config-invalid',
    `${code} is a real chain, whose transfers are kept in a folder: start the venue with --data FOLDER.`,
    fieldOf(code),
  );
