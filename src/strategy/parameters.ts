import { z } from 'zod';
import { shown } from '../config/excerpt.ts';
import { memberNames } from '../model/members.ts';
import { suggest } from '../model/suggest.ts';
import { MillraceError } from '../model/errors.ts';
import type { StrategyDefinition } from './define.ts';
import { jsonFault } from './json-data.ts';

/** Description of a parameter, for lists, help and messages. */
export interface ParameterDescription {
  readonly name: string;
  /** `whole number`, `number`, `text`, `true or false`, or the choices: `M1, M5, H1`. */
  readonly type: string;
  readonly default: unknown;
  /** `2 to 500`, `at least 2`, `above 0, below 1`; empty without limits. */
  readonly range: string;
  /** The author's description with the unit; empty without one. */
  readonly description: string;
}

/** The supported part of a parameter's JSON schema. */
interface ParameterSchema {
  /** Several for a value of several types, such as a number that may be null. */
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number | boolean)[];
  readonly const?: string | number | boolean;
  readonly anyOf?: readonly ParameterSchema[];
  readonly default?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

/** The parameters of a schema, in its order. */
export function describeParameters(schema: z.ZodObject): readonly ParameterDescription[] {
  return Object.entries(schemasOf(schema)).map(([name, parameter]) => ({
    name,
    type: typeOf(parameter),
    default: parameter.default,
    range: rangeOf(parameter),
    description: parameter.description ?? '',
  }));
}

/** The valid values of a parameter with a fixed choice, as text; empty for others. */
export function choicesOf(schema: z.ZodObject, name: string): readonly string[] {
  const found = schemasOf(schema)[name];
  if (found?.type === 'boolean') return ['true', 'false'];
  return (found?.enum ?? []).map(String);
}

/**
 * Checks raw configuration values against the parameters of a strategy and fills in the defaults.
 * Throws `parameter-invalid` with the parameter, its value and the expected type; of several
 * mistakes it reports the first and counts the rest. The result is JSON data and decimals, so that
 * its parameters identify a run.
 */
export function parseParameters<S extends z.ZodObject>(
  strategy: StrategyDefinition<S>,
  raw: Readonly<Record<string, unknown>>,
): z.output<S> {
  const described = describeParameters(strategy.parameters);
  const names = described.map(({ name }) => name);
  const unknown = memberNames(raw).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw unknownParameter(strategy.name, unknown, names);
  const parsed = safeParse(strategy, raw);
  if (parsed.success) {
    checkData(strategy.name, parsed.data);
    return parsed.data;
  }
  const [issue, ...rest] = parsed.error.issues;
  const field = String(issue.path.at(0) ?? '');
  const parameter = described.find(({ name }) => name === field);
  throw invalid(
    strategy.name,
    parameter === undefined
      ? sentence(issue.message)
      : `the parameter ${field} is ${shown(raw[field] === undefined ? parameter.default : raw[field])}; ${expected(parameter, issue)}${inQuotes(parameter, raw[field])}.`,
    rest.length,
    field === '' ? undefined : field,
  );
}

/**
 * Converts command line values to the types of the schema: numbers and booleans if it has such,
 * text elsewhere. A value that cannot be converted stays text, for `parseParameters` to reject with
 * a message.
 */
export function parametersFromText(
  schema: z.ZodObject,
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const schemas = schemasOf(schema);
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, valueOf(schemas[name], text)]),
  );
}

function valueOf(schema: ParameterSchema | undefined, text: string): unknown {
  const takes = (type: string): boolean =>
    [schema, ...(schema?.anyOf ?? [])].some((each) => [each?.type].flat().includes(type));
  if ((takes('number') || takes('integer')) && /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) {
    return Number(text);
  }
  if (takes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** A schema may throw from a transform; that is an invalid value too. */
function safeParse<S extends z.ZodObject>(
  strategy: StrategyDefinition<S>,
  raw: Readonly<Record<string, unknown>>,
): z.ZodSafeParseResult<z.output<S>> {
  try {
    return strategy.parameters.safeParse(raw);
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    throw invalid(strategy.name, sentence(cause.message), 0, undefined, cause);
  }
}

function checkData(strategy: string, parsed: Readonly<Record<string, unknown>>): void {
  for (const [field, value] of Object.entries(parsed)) {
    const fault = value === undefined ? undefined : jsonFault(value);
    if (fault === undefined) continue;
    throw invalid(strategy, `${dataSentence(field, fault)}.`, 0, field);
  }
}

/** How to fix a parameter that is not JSON data. */
const dataSentence = (field: string, fault: string): string =>
  `the parameter ${field} comes out of its schema as what JSON cannot hold (${fault}); let it be text, a number, true or false, a decimal, or arrays and objects of these, and make the rest of it in run`;

type ParameterSchemas = Readonly<Record<string, ParameterSchema>>;

/** A sweep reads the same schema for each of its sets. */
const known = new WeakMap<z.ZodObject, ParameterSchemas>();

function schemasOf(schema: z.ZodObject): ParameterSchemas {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const schemas = (json.properties ?? {}) as ParameterSchemas;
  known.set(schema, schemas);
  return schemas;
}

function typeOf(schema: ParameterSchema): string {
  if (schema.enum !== undefined) return schema.enum.map(String).join(', ');
  if (schema.const !== undefined) return String(schema.const);
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  return [schema.type ?? 'any'].flat().map(wordOf).join(' or ');
}

function wordOf(type: string): string {
  switch (type) {
    case 'integer':
      return 'whole number';
    case 'boolean':
      return 'true or false';
    case 'string':
      return 'text';
    default:
      return type;
  }
}

function rangeOf(schema: ParameterSchema): string {
  const parts = [
    ...limits(schema),
    ...(schema.multipleOf === undefined ? [] : [`a multiple of ${schema.multipleOf}`]),
    ...(schema.minLength === undefined ? [] : [`at least ${schema.minLength} characters`]),
    ...(schema.maxLength === undefined ? [] : [`at most ${schema.maxLength} characters`]),
    ...(schema.pattern === undefined ? [] : [`matching ${schema.pattern}`]),
  ];
  return parts.join(', ');
}

/** Zod's whole numbers end at ±2^53, which is not a limit of the author's. */
function limits(schema: ParameterSchema): readonly string[] {
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  const least = schema.minimum === Number.MIN_SAFE_INTEGER ? undefined : schema.minimum;
  const most = schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum;
  if (least !== undefined && most !== undefined) return [`${least} to ${most}`];
  return [
    ...(least === undefined ? [] : [`at least ${least}`]),
    ...(above === undefined ? [] : [`above ${above}`]),
    ...(most === undefined ? [] : [`at most ${most}`]),
    ...(below === undefined ? [] : [`below ${below}`]),
  ];
}

function unknownParameter(
  strategy: string,
  unknown: readonly string[],
  names: readonly string[],
): MillraceError {
  const [first, ...rest] = unknown;
  const near = suggest(first, names);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  const known = names.length === 0 ? 'It takes none.' : `It takes ${names.join(', ')}.`;
  return invalid(strategy, `there is no parameter "${first}".${hint} ${known}`, rest.length, first);
}

/** An author's own rule has its own message. */
function expected(parameter: ParameterDescription, issue: z.core.$ZodIssue): string {
  if (issue.code === 'custom') return issue.message.replace(/\.$/, '');
  const choices = parameter.type.includes(',') ? 'one of ' : article(parameter.type);
  const range = parameter.range === '' ? '' : `, ${parameter.range}`;
  const unit = parameter.description === '' ? '' : ` (${parameter.description})`;
  return `expected ${choices}${parameter.type}${range}${unit}`;
}

/** Prices and quantities are text, and configuration files read 0.01 as a number. */
const inQuotes = ({ type }: ParameterDescription, given: unknown): string =>
  type === 'text' && typeof given === 'number' ? `; put it in quotes: '${given}'` : '';

const article = (type: string): string => (type.endsWith('number') ? 'a ' : '');

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

function invalid(
  strategy: string,
  what: string,
  more: number,
  field: string | undefined,
  cause?: unknown,
): MillraceError {
  const others = more === 0 ? '' : ` (${more} more like this)`;
  return new MillraceError('parameter-invalid', `Strategy ${strategy}: ${what}${others}`, {
    field,
    cause,
  });
}
