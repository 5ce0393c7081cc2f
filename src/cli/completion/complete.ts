import type { Argument, Command, Option } from 'commander';
import { valuesOf, type CompletedArgument, type Candidate, type Values } from './values.ts';

const NOTHING: Values = { candidates: [] };

/** State of a line before the word to complete. */
interface Line {
  readonly command: Command;
  /** The option that takes the word, if one does. */
  readonly option: Option | undefined;
  /** Whether that option has a value already, and may take more. */
  readonly hasValue: boolean;
  /** After `--` nothing is an option. */
  readonly isOver: boolean;
  readonly operands: readonly string[];
  /** The last value of each option, by its name: `strategy`. */
  readonly given: ReadonlyMap<string, string>;
}

/**
 * Completions of the last of the words after `millrace`, by the tree of commands. Never throws: a line that
 * is being typed is rarely valid.
 */
export async function complete(root: Command, words: readonly string[]): Promise<Values> {
  const word = words.at(-1) ?? '';
  const line = read(root, words.slice(0, -1));
  const { candidates, paths } = await valuesAt(line, word).catch(() => NOTHING);
  return { candidates: candidates.filter(({ value }) => value.startsWith(word)), paths };
}

function read(root: Command, words: readonly string[]): Line {
  let command = root;
  let option: Option | undefined;
  let [hasValue, isOver] = [false, false];
  const operands: string[] = [];
  const given = new Map<string, string>();
  for (const word of words) {
    if (option !== undefined && (!hasValue || !word.startsWith('-'))) {
      given.set(option.attributeName(), word);
      hasValue = true;
      if (!option.variadic) option = undefined;
      continue;
    }
    option = undefined;
    if (!isOver && word === '--') isOver = true;
    else if (!isOver && word.startsWith('-')) {
      const [flag = '', value] = word.split(/=(.*)/s);
      const found = optionOf(command, flag);
      if (found !== undefined && value !== undefined) given.set(found.attributeName(), value);
      else if (found?.required === true) [option, hasValue] = [found, false];
    } else {
      const below = operands.length === 0 ? commandOf(command, word) : undefined;
      if (below !== undefined) command = below;
      else if (word !== 'help' || command.commands.length === 0) operands.push(word);
    }
  }
  return { command, option, hasValue, isOver, operands, given };
}

async function valuesAt(line: Line, word: string): Promise<Values> {
  const { command, option, hasValue, isOver, operands, given } = line;
  if (option !== undefined && (!hasValue || !word.startsWith('-'))) {
    return valuesOf(asked(option, line), word);
  }
  if (!isOver && word.startsWith('-')) {
    const [flag = '', value] = word.split(/=(.*)/s);
    if (value === undefined) return { candidates: options(command, given) };
    const found = optionOf(command, flag);
    if (found?.required !== true) return NOTHING;
    const { candidates, paths } = await valuesOf(asked(found, line), value);
    return {
      candidates: candidates.map((one) => ({ ...one, value: `${flag}=${one.value}` })),
      paths,
    };
  }
  if (command.commands.length > 0)
    return { candidates: operands.length === 0 ? commands(command) : [] };
  const args = command.registeredArguments;
  const argument = args[operands.length] ?? args.findLast(({ variadic }) => variadic);
  return argument === undefined ? NOTHING : valuesOf(asked(argument, line), word);
}

function asked(of: Option | Argument, { command, operands, given }: Line): CompletedArgument {
  const isOption = 'flags' in of;
  return {
    command: command.name(),
    name: isOption ? (/[<[]([^>\].]+)/.exec(of.flags)?.[1] ?? '') : of.name(),
    option: isOption ? (of.long ?? undefined) : undefined,
    choices: of.argChoices ?? [],
    operands,
    given,
  };
}

const optionOf = (command: Command, flag: string): Option | undefined =>
  command.options.find(({ long, short }) => flag === long || flag === short);

const commandOf = (command: Command, name: string): Command | undefined =>
  command.commands.find((one) => one.name() === name);

const commands = (command: Command): readonly Candidate[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ value: one.name(), description: one.description() }));

/** Options by their long names, without those given already unless they may be repeated. */
const options = (command: Command, given: Line['given']): readonly Candidate[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .filter((one) => one.variadic || !given.has(one.attributeName()))
    .map(({ long, short, description }) => ({ value: long ?? short ?? '', description }));
