import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument, type Document, type Pair, type Scalar, type YAMLMap } from 'yaml';
import { splitSymbol } from '../../feeds/importers/symbol.ts';
import type { Strategy } from '../../strategy/define.ts';
import {
  describeParameters,
  parseParameters,
  type ParameterDescription,
} from '../../strategy/parameters.ts';
import { namedSymbols, STRATEGY_NAME_LENGTH } from '../bot/strategies.ts';
import { TEMPLATES } from './templates.ts';

/** Inputs of a bot's configuration besides the strategy. */
export interface BotConfigParts {
  /** The name of the bot. */
  readonly name: string;
  /** How the configuration names the strategy: by a name from strategies/, or by a path. */
  readonly strategy: string;
  /** Values that replace the strategy's own defaults. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Paths of the schema and the journals, relative to the configuration. */
  readonly schema: string;
  readonly data: string;
  /** The address of the venue, if it is not the local one. */
  readonly url?: string;
}

/** A symbol of the example venue. */
const SYMBOL = 'BTCUSDT';

/**
 * The text of a paper bot's configuration for a strategy: all its parameters with their values and
 * descriptions. Throws `parameter-invalid` for a value that the strategy rejects.
 */
export function botConfigText(strategy: Strategy, parts: BotConfigParts): string {
  const given = parts.parameters ?? {};
  const parsed: Readonly<Record<string, unknown>> = parseParameters(strategy, given);
  const symbols = namedSymbols(parsed);
  const quote = splitSymbol(symbols[0] ?? SYMBOL)?.quoteCurrency ?? 'USDT';
  const document = parseDocument(readFileSync(join(TEMPLATES, 'bot.yaml'), 'utf8'));
  const main = ['strategies', 'main'];
  set(document, ['name'], parts.name);
  set(document, ['data'], parts.data);
  if (parts.url !== undefined) set(document, ['accounts', 'local', 'url'], parts.url);
  set(document, [...main, 'strategy'], parts.strategy);
  const described = describeParameters(strategy.parameters);
  document.setIn([...main, 'parameters'], parametersNode(document, described, given));
  if (symbols.length === 0) {
    const list = document.createNode([SYMBOL], { flow: true });
    list.comment = ' what it trades';
    document.addIn(main, document.createPair('symbols', list));
  }
  for (const path of [
    ['accounts', 'local', 'paper', 'balances'],
    [...main, 'risk', 'maxNotional'],
    [...main, 'risk', 'maxDailyLoss'],
  ]) {
    renameFirst(document, path, quote);
  }
  renameFirst(document, ['strategies'], shortName(strategy.name));
  return document
    .toString({ lineWidth: 0 })
    .replace(/\$schema=\S+/, () => `$schema=${parts.schema}`);
}

/** Replaces a value and keeps the comment beside it. */
function set(document: Document, path: readonly string[], value: string): void {
  (document.getIn(path, true) as Scalar).value = value;
}

/** Renames the first key of a map. */
function renameFirst(document: Document, path: readonly string[], name: string): void {
  const [pair] = (document.getIn(path) as YAMLMap).items as Pair<Scalar>[];
  pair.key.value = name;
}

/** The parameters as a map with descriptions; one without a value is a comment. */
function parametersNode(
  document: Document,
  described: readonly ParameterDescription[],
  given: Readonly<Record<string, unknown>>,
): YAMLMap {
  const map = document.createNode({});
  const unset: string[] = [];
  for (const parameter of described) {
    const { name, type, range, description } = parameter;
    const takes = [type, range].filter((part) => part !== '').join(', ');
    const comment = ` ${takes}${description === '' ? '' : `: ${description}`}`.replaceAll(
      '\n',
      ' ',
    );
    const value = Object.hasOwn(given, name) ? given[name] : parameter.default;
    if (value === undefined) {
      unset.push(` ${name}:${comment}`);
      continue;
    }
    const node = document.createNode(value, { flow: true });
    node.comment = comment;
    map.add(document.createPair(name, node));
  }
  if (unset.length > 0) map.comment = unset.join('\n');
  if (map.items.length === 0) map.flow = true;
  return map;
}

/** Letters of the name for the ids of orders, which have little room. */
const shortName = (name: string): string => name.slice(0, STRATEGY_NAME_LENGTH).replace(/-$/, '');
