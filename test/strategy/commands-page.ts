import { COMMANDS, ORDER } from '../../src/strategy/command-schema.ts';
import { COUNTED, ID, RATE } from '../../src/strategy/schema-members.ts';
import type { AnyMember, AnySchema } from '../../src/strategy/schema.ts';

const INTRO = `# Members of commands

Lines have value, range and default; * is required. A wrong or unknown member is rejected: [errors](errors.md) has the
codes. A **count** is a whole number from 1 to 2^53 − 1. An **id** has 8 to 32 Latin letters, digits, \`_\` or \`-\`. A **price**
is a positive decimal on the tick size, a **quantity** one on the increment, a **rate** a decimal between −1 and 1 of at
most 9 places. A **flag** is \`true\` or \`false\` (default). Of ticks or lots and the same as a decimal, at most one may be given.
`;

const code = (text: string): string => `\`${text}\``;

function valueOf(member: AnyMember): string {
  switch (member.holds) {
    case 'text':
      return member.values === undefined ? 'text' : member.values.map(code).join(', ');
    case 'amount':
      return 'decimal as text';
    case 'flag':
      return 'flag';
    case 'whole':
      return 'whole number';
    case 'number':
      return 'number';
    case 'decimal':
      return code('Decimal');
    case 'object':
      return 'object';
    case 'list':
      return member.schema === ORDER ? 'array of [orders](#place)' : 'array';
    case 'record':
      return 'object by name';
  }
}

/** What the introduction of the page defines, by kind and range. */
const DEFINED: ReadonlyMap<string, string> = new Map([
  [`whole; ${COUNTED}`, 'count'],
  [`text; ${ID}`, 'id'],
  ['decimal; positive, on the tick size', 'price'],
  ['decimal; positive, on the quantity increment', 'quantity'],
  [`decimal; ${RATE}`, 'rate'],
]);

/** What a member may hold, and what counts without it. */
function rangeOf(member: AnyMember): string {
  const defined = DEFINED.get(`${member.holds}; ${member.range ?? ''}`);
  const range = (member.range ?? '').replace(/from ([\d.]+) to ([\d.^]+)/, '$1…$2');
  const values = defined === undefined ? [valueOf(member), range] : [defined];
  const isPlainFlag = member.holds === 'flag' && member.absent === code('false');
  const absent = member.absent === undefined || isPlainFlag ? '' : `default ${member.absent}`;
  return [...values, absent].filter((part) => part !== '').join('; ');
}

const lineOf = ([name, member]: readonly [string, AnyMember]): string =>
  `- ${code(name)}${member.required === true ? '*' : ''}: ${member.about} (${rangeOf(member)})`;

/** The sections of a schema and of those in it; `shown` has what the page has already. */
function sections(
  title: string,
  schema: AnySchema,
  level: string,
  shown: Set<AnySchema | string>,
): readonly string[] {
  if (shown.has(schema)) return [];
  shown.add(schema);
  const members = Object.entries(schema.members);
  const choices = (schema.choices ?? [])
    .filter(({ unit, needed }) => unit === undefined || needed !== undefined)
    .map(({ of, needed }) => {
      const how = needed === undefined ? 'at most one' : 'exactly one';
      return `- ${how} of ${of.slice(0, -1).map(code).join(', ')} and ${code(of.at(-1) ?? '')}`;
    })
    .filter((line) => !shown.has(line));
  for (const line of choices) shown.add(line);
  const isNew = (one: (typeof members)[number]): boolean => !shown.has(lineOf(one));
  const known = members.filter((one) => !isNew(one)).map(([name]) => code(name));
  const lines = members.filter(isNew).map((one) => lineOf(one));
  for (const line of lines) shown.add(line);
  if (known.length > 0) lines.push(`- as above: ${known.join(', ')}`);
  return [
    `${level} ${title}\n\n${[...lines, ...choices].join('\n')}\n`,
    ...members.flatMap(([name, member]) =>
      'schema' in member && member.schema !== ORDER
        ? sections(`${code(name)} of ${title}`, member.schema, `${level}#`, shown)
        : [],
    ),
  ];
}

/** The page docs/commands.md. */
export function commandsPage(): string {
  const shown = new Set<AnySchema | string>();
  const commands = Object.entries<AnySchema>(COMMANDS);
  const all = commands.flatMap(([kind, schema]) => sections(kind, schema, '##', shown));
  return [INTRO, ...all].join('\n');
}
