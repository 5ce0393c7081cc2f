import { existsSync } from 'node:fs';
import { MillraceError } from '../../model/errors.ts';
import type { Random } from '../../platform/random.ts';
import { confirmed, type Difference } from './confirmation.ts';
import type { StateTable } from './state-table.ts';
import { StateFile, type Json } from './state-file.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const IDENTITY_LENGTH = 4;
const STATE_ID_LENGTH = 16;

/** The state file's knowledge of the journal beside it. */
interface Mark {
  readonly account: string;
  readonly identity: string;
  /** The journal had at least this many events. */
  readonly sequence: number;
}

/** Inputs of the comparison. */
export interface ProvenanceSetup {
  /** Path of the journal. */
  readonly path: string;
  readonly account: string;
  readonly random: Random;
  readonly state: StateFile;
  readonly stateTable: StateTable;
  /** Number of the last event in the journal; 0 if there is none. */
  readonly lastSequence: number;
}

export interface Provenance {
  readonly identity: string;
  /** Sentences about differences that need no check, or were confirmed. */
  readonly notices: readonly string[];
}

/** The difference of a missing journal that the state file knows. */
export function checkThere(path: string, state: StateFile): readonly string[] {
  const mark = markOf(state);
  return mark === undefined || existsSync(path) ? [] : confirmed(path, state, [gone(path, mark)]);
}

/**
 * Compares a journal with the state file beside it, and gives a new one an identity. Throws
 * `journal-invalid` for a journal of another account, and `journal-unconfirmed` if an operator has to
 * check: it is missing, older than it was, a different one, or in a copied folder. `keepMark` stores the
 * result.
 */
export function prove(setup: ProvenanceSetup): Provenance {
  const { path, account, random, state, stateTable } = setup;
  const owner = stateTable.fact('account');
  if (owner !== undefined && owner !== account) throw ofOther(path, owner, account);
  const moves = movesOf(state);
  const differences = [...differencesOf(setup), ...moves.differences];
  const notices = [...moves.notices, ...confirmed(path, state, differences)];
  if (owner === undefined) stateTable.setFact('account', account);
  const identity = stateTable.fact('identity') ?? random36(random, IDENTITY_LENGTH);
  stateTable.setFact('identity', identity);
  const id = stateIdOf(state) ?? random36(random, STATE_ID_LENGTH);
  // The state file first, so that a journal never names an unknown identity.
  if (stateIdOf(state) === undefined) state.set({ id });
  stateTable.setFact('stateFile', id);
  return { identity, notices };
}

/** Stores the journal's identity, progress and location. The journal itself must be on disk before. */
export function keepMark(
  { state, stateTable, account }: Pick<ProvenanceSetup, 'state' | 'stateTable' | 'account'>,
  sequence: number,
): void {
  const mark: Mark = { account, identity: stateTable.fact('identity') ?? '', sequence };
  const { inode, path } = state.identity;
  state.set({ journal: { ...mark }, place: { inode, path } });
}

function differencesOf(setup: ProvenanceSetup): readonly Difference[] {
  const { path, state, stateTable, lastSequence } = setup;
  const identity = stateTable.fact('identity');
  const named = stateTable.fact('stateFile');
  const mark = markOf(state);
  if (mark === undefined) {
    if (named === undefined || named === stateIdOf(state)) return [];
    return [
      {
        token: `state-gone:${named}`,
        message: `The journal ${path} has a state file ${state.path}, which is gone: the trading states it kept are not known, and this may be a copy of the journal alone.`,
      },
    ];
  }
  if (identity === undefined) return [gone(path, mark)];
  if (identity !== mark.identity || (named !== undefined && named !== stateIdOf(state))) {
    return [
      {
        token: `journal-other:${identity}:${named ?? ''}`,
        message: `The journal ${path} has the identity ${identity}, and the state file beside it belongs to another one, ${mark.identity}: one of the two was put here from elsewhere.`,
      },
    ];
  }
  if (lastSequence >= mark.sequence) return [];
  return [
    {
      token: `journal-older:${lastSequence}:${mark.sequence}`,
      message: `The journal ${path} ends with event ${lastSequence}, and it had ${mark.sequence}: it is an older copy, or has lost its end. What was sent and filled since is not in it.`,
    },
  ];
}

/** Compares the state file's own location with the stored one. */
function movesOf(state: StateFile): {
  readonly differences: readonly Difference[];
  readonly notices: readonly string[];
} {
  const last = state.get('place') as { inode: string; path: string } | undefined;
  const { inode, path } = state.identity;
  if (last === undefined || (last.inode === inode && last.path === path)) {
    return { differences: [], notices: [] };
  }
  const isOriginalThere = last.path !== path && idAt(last.path) === stateIdOf(state);
  if (last.inode === inode && !isOriginalThere) {
    return {
      differences: [],
      notices: [`The data folder was moved: ${last.path} is ${path} now.`],
    };
  }
  const why = isOriginalThere
    ? `its original ${last.path} is there too, and a bot at each of them would send orders with the same ids`
    : 'a bot at its original would send orders with the same ids, and what that did since is not in it';
  return {
    differences: [
      { token: `folder-copied:${inode}:${path}`, message: `${path} is a copy of a file that was ${last.path}: ${why}.` }, // prettier-ignore
    ],
    notices: [],
  };
}

function idAt(path: string): Json | undefined {
  try {
    return StateFile.read(path)?.['id'];
  } catch {
    // Whatever is there is no sound file of this id.
    return undefined;
  }
}

const gone = (path: string, { identity, sequence }: Mark): Difference => ({
  token: `journal-gone:${identity}`,
  message: `The journal ${path} is gone or empty, and the state file beside it knows one with the identity ${identity} and ${sequence} events. Without it own orders would be foreign and positions 0.`,
});

const markOf = (state: StateFile): Mark | undefined => state.get('journal') as Mark | undefined;

const stateIdOf = (state: StateFile): string | undefined => state.get('id') as string | undefined;

const random36 = (random: Random, length: number): string =>
  Array.from({ length }, () => LETTERS.charAt(random.integer(0, LETTERS.length - 1))).join('');

const ofOther = (path: string, owner: string, account: string): MillraceError =>
  new MillraceError(
    'journal-invalid',
    `The journal ${path} is of account "${owner}" and not of "${account}"; put each journal back under the name of its account.`,
    { where: path },
  );
