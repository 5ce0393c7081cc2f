import { AMOUNT_PLACES } from '../../src/rules/margin/quotient.ts';
import { COMMANDS, ORDER } from '../../src/strategy/command-schema.ts';
import { COUNTED, ID, RATE } from '../../src/strategy/schema-members.ts';
import type { AnyMember, AnySchema } from '../../src/strategy/schema.ts';

const INTRO = `# Members of commands

Lines have value, range and default; * is required. A wrong or unknown member is [rejected](errors.md). Of \`a\` or \`b\`
at most one may be given. A **count** is a whole number from 1 to 2^53 − 1. An **id** has 8 to 32 Latin letters, digits, \`_\`
or \`-\`. A **price** is a positive decimal on the tick size, a **quantity** one on the increment, a **rate** a decimal
between −1 and 1 of at most 9 places. **Funds** are 0 or more, of at most 12 places. A **flag** is \`true\` or \`false\`
(default).
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
  [`decimal; 0 or more, at most ${AMOUNT_PLACES} decimals`, 'funds'],
]);

/** What a member may hold. */
function rangeOf(member: AnyMember): string {
  const defined = DEFINED.get(`${member.holds}; ${member.range ?? ''}`);
  if (defined !== undefined) return defined;
  const range = (member.range ?? '').replace(/from ([\d.]+) to ([\d.^]+)/, '$1…$2');
  return [valueOf(member), range].filter((part) => part !== '').join('; ');
}

/** A line of the page, and the members that it describes. */
interface Line {
  readonly names: readonly string[];
  readonly text: string;
}

/** One line for a member, or for a decimal and the same in ticks or lots. */
function lineOf(...members: readonly (readonly [string, AnyMember])[]): Line {
  const names = members.map(([name]) => name);
  const [[, member]] = members;
  const isPlainFlag = member.holds === 'flag' && member.absent === code('false');
  const absent = member.absent === undefined || isPlainFlag ? [] : [`default ${member.absent}`];
  const ranges = members.map(([, one]) => rangeOf(one)).join(' or ');
  const name = `${names.map(code).join(' or ')}${member.required === true ? '*' : ''}`;
  return { names, text: `- ${name}: ${member.about} (${[ranges, ...absent].join('; ')})` };
}

/** Whether `steps` is the decimal in ticks or lots. */
const isSameInSteps = (steps: AnyMember, decimal: AnyMember): boolean =>
  decimal.holds === 'decimal' &&
  steps.holds === 'whole' &&
  ['lots', 'ticks'].some((unit) =>
    [`${decimal.about} in ${unit}`, `${decimal.about}, in ${unit}`].includes(steps.about),
  );

/** The lines of members; a decimal and the same in ticks or lots have one. */
function linesOf(members: readonly (readonly [string, AnyMember])[]): readonly Line[] {
  return members.flatMap((one) => {
    if (members.some(([, other]) => isSameInSteps(one[1], other))) return [];
    const steps = members.find(([, other]) => isSameInSteps(other, one[1]));
    return [steps === undefined ? lineOf(one) : lineOf(one, steps)];
  });
}

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
  const all = linesOf(members);
  const known = all.filter(({ text }) => shown.has(text)).flatMap(({ names }) => names.map(code));
  const lines = all.map(({ text }) => text).filter((text) => !shown.has(text));
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
