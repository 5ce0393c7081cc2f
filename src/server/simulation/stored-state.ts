import { crc32 } from 'node:zlib';
import { MillraceError } from '../../model/errors.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, type Micros } from '../../platform/time.ts';
import { InputLog, type LogListener } from '../data/input-log.ts';
import type { ProcessLock } from '../../platform/process-lock.ts';
import { takeFolderLock } from '../data/lock.ts';
import {
  LoggedInputs,
  type Progress,
  type Replayed,
  type ReplayedMarket,
} from '../data/logged-inputs.ts';
import type { TradingService } from '../trading/service.ts';
import { checkIdentity, identityOf, type Plain } from './identity.ts';
import type { SimulationSettings } from './settings.ts';

/** Format of the log; another number is of a later release. */
const FORMAT = 2;

/** The folder of a venue's state. */
export interface StoredVenueStateSetup {
  readonly folder: string;
  /** Release of the program, named if another one wrote the log. */
  readonly release: string;
  /** Called when the disk is full, and once when the state can no longer be written. */
  readonly listener: LogListener;
}

/** The first record of a log. */
interface Opening {
  readonly format: number;
  readonly release: string;
  readonly seed: number;
  readonly identity: Plain;
}

/** State found in a venue's folder. */
export interface Restored extends Replayed {
  readonly folder: string;
  /** True if it has only begun to keep its state there. */
  readonly isNew: boolean;
}

/** The state of a venue in a folder: a lock, and the log of its inputs. */
export class StoredVenueState {
  readonly inputs: LoggedInputs;
  /** Of keys and hashes of the chains. */
  readonly seed: number;
  readonly folder: string;
  readonly #isNew: boolean;
  readonly #lock: ProcessLock;

  private constructor(
    folder: string,
    lock: ProcessLock,
    opened: { inputs: LoggedInputs; seed: number; isNew: boolean },
  ) {
    this.folder = folder;
    this.#lock = lock;
    this.inputs = opened.inputs;
    this.seed = opened.seed;
    this.#isNew = opened.isNew;
  }

  /**
   * Opens the stored state of a folder, or starts it. Throws `venue-data-locked`, `venue-data-differs`,
   * `venue-data-invalid`, `venue-data-unwritable`.
   */
  static open(
    { folder, release, listener }: StoredVenueStateSetup,
    settings: SimulationSettings,
    present: Scheduler,
    newSeed: () => number,
  ): StoredVenueState {
    const lock = takeFolderLock(folder);
    try {
      const identity = identityOf(settings);
      const first = (): { readonly at: Micros; readonly text: string } => {
        const seed = settings.outside?.seed ?? newSeed();
        const opening: Opening = { format: FORMAT, release, seed, identity };
        return { at: present.now(), text: JSON.stringify(opening) };
      };
      let inputs: LoggedInputs | undefined;
      const {
        log,
        first: found,
        isNew,
      } = InputLog.open(folder, first, {
        ...listener,
        full: (isFull) => {
          if (isFull) inputs?.awaitRoom();
          listener.full?.(isFull);
        },
      });
      try {
        const opening = openingOf(found.text, folder);
        checkIdentity(opening.identity, identity, folder);
        checkSeed(settings.outside?.seed, opening.seed, folder);
        inputs = new LoggedInputs({ log, openedAt: micros(found.at), present });
        return new StoredVenueState(folder, lock, { inputs, seed: opening.seed, isNew });
      } catch (error) {
        log.close();
        throw error;
      }
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Restores a venue and its market. */
  async restore(
    trading: TradingService,
    market: ReplayedMarket,
    restoring?: (progress: Progress) => void,
  ): Promise<Restored> {
    this.inputs.stands(market);
    this.inputs.checks(() => {
      trading.act(() => undefined);
      return digestOf(trading);
    });
    const replayed = await this.inputs.replay(restoring);
    return { ...replayed, folder: this.folder, isNew: this.#isNew };
  }

  close(): void {
    this.inputs.close();
    this.#lock.release();
  }
}

function openingOf(text: string, folder: string): Opening {
  const opening = JSON.parse(text) as Opening;
  if (opening.format === FORMAT) return opening;
  throw new MillraceError(
    'venue-data-invalid',
    `The state in ${folder} is of another release of Millrace, ${opening.release}.`,
    { where: folder },
  );
}

function checkSeed(given: number | undefined, kept: number, folder: string): void {
  if (given === undefined || given === kept) return;
  throw new MillraceError(
    'venue-data-differs',
    `The state in ${folder} is that of a venue whose chains have another seed (outside.seed). Set it back, or begin with another folder.`,
    { where: folder },
  );
}

/** Digest of the state: balances, and the latest trade of each symbol. */
function digestOf({ exchange, marketData }: TradingService): string {
  let sum = 0;
  for (let account = 0; account < exchange.ledger.accounts; account += 1) {
    for (const ledger of [exchange.ledger, exchange.wallets, exchange.derivatives]) {
      for (const currency of ledger.balances.keys()) {
        const available = ledger.available(account, currency).toFixed();
        sum = crc32(`${available} ${ledger.reserved(account, currency).toFixed()};`, sum);
      }
    }
  }
  const trades = exchange.instruments.map((_, index) => marketData.lastTrade(index)?.id ?? 0);
  return `${exchange.now} ${sum} ${trades.join(' ')}`;
}
