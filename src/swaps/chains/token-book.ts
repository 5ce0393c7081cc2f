import { MillraceError } from '../../model/errors.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { NetworkTerms, TokenTerms } from '../tokens.ts';
import { FAMILIES } from './families/families.ts';

/** The networks and tokens of a world of chains, found by their names. */
export class TokenBook {
  readonly networks: readonly NetworkTerms[];
  readonly tokens: readonly TokenTerms[];
  readonly #networks: ReadonlyMap<string, NetworkTerms>;
  readonly #tokens: ReadonlyMap<number, TokenTerms>;

  /** Throws `config-invalid` if two have one name, or a token has no network. */
  constructor(networks: readonly NetworkTerms[], tokens: readonly TokenTerms[]) {
    this.networks = networks;
    this.tokens = tokens;
    this.#networks = unique(networks, ({ code }) => code, 'networks');
    unique(networks, ({ id }) => id, 'networks');
    this.#tokens = unique(tokens, ({ id }) => id, 'tokens');
    for (const { id, network } of tokens) {
      if (!this.#networks.has(network)) throw invalid(`Token ${id} has no network ${network}`);
    }
    for (const { code, family, blockUs, confirmations } of networks) {
      if (blockUs < 1 || confirmations < 1) throw invalid(`${code} confirms nothing`);
      const count = tokens.filter(({ network }) => network === code).length;
      if (family === 'bitcoin' && count > 1) throw invalid(`${code} has more than its coin`);
    }
  }

  /** The network of that code. Throws `internal`: callers have the code from here. */
  network(code: string): NetworkTerms {
    const found = this.#networks.get(code);
    if (found === undefined) throw new MillraceError('internal', `There is no network ${code}.`);
    return found;
  }

  findNetwork(code: string): NetworkTerms | undefined {
    return this.#networks.get(code);
  }

  token(id: number): TokenTerms | Rejection {
    return (
      this.#tokens.get(id) ?? {
        code: 'token-unknown',
        field: 'token',
        message: `There is no token ${id}.`,
      }
    );
  }

  /** An address in its canonical form. */
  address(network: NetworkTerms, address: string, field: string): string | Rejection {
    return (
      FAMILIES[network.family].canonical(address) ?? {
        code: 'address-invalid',
        field,
        message: `"${address}" is no address of ${network.name}.`,
      }
    );
  }
}

function unique<Each, Key>(
  all: readonly Each[],
  keyOf: (each: Each) => Key,
  what: string,
): ReadonlyMap<Key, Each> {
  const found = new Map(all.map((each) => [keyOf(each), each]));
  if (found.size < all.length) throw invalid(`Two of the ${what} have one name`);
  return found;
}

const invalid = (why: string): MillraceError =>
  new MillraceError('config-invalid', `The chains contradict themselves: ${why}.`);
