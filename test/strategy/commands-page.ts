import { COMMANDS, ORDER } from '../../src/strategy/command-schema.ts';
import type { AnyMember, AnySchema } from '../../src/strategy/schema.ts';

const INTRO = `# Members of commands

Generated from \`src/strategy/command-schema.ts\`. Lines have value, range and default. A wrong value is
rejected with the code of its member, an unknown member with \`request-invalid\`.
`;

const code = (text: string): string => `\`${text}\``;

function valueOf(member: AnyMember): string {
  switch (member.holds) {
    case 'text':
      return member.values === undefined ? 'text' : member.values.map(code).join(', ');
    case 'amount':
      return 'decimal as text';
    case 'flag':
      return `${code('true')}, ${code('false')}`;
    case 'whole':
      return 'whole number';
    case 'number':
      return 'number';
    case 'decimal':
      return code('Decimal');
    case 'object':
      return code(`{ ${Object.keys(member.schema.members).join(', ')} }`);
    case 'list':
      return member.schema === ORDER ? 'array of [orders](#place)' : 'array';
    case 'record':
      return code(`{ [name]: { ${Object.keys(member.schema.members).join(', ')} } }`);
  }
}

/** What a member may hold, and what counts without it. */
function rangeOf(member: AnyMember): string {
  const absent = member.absent === undefined ? '' : `default ${member.absent}`;
  const rest = member.required === true ? 'required' : absent;
  return [valueOf(member), member.range ?? '', rest].filter((part) => part !== '').join('; ');
}

const lineOf = ([name, member]: readonly [string, AnyMember]): string =>
  `- ${code(name)}: ${member.about} (${rangeOf(member)}), ${code(member.code)}`;

/** The sections of a schema and of those in it; `shown` has what the page has already. */
function sections(
  title: string,
  schema: AnySchema,
  level: string,
  shown: Set<AnySchema | string>,
): readonly string[] {
  if (shown.has(schema)) return [`${level} ${title}\n\nAs above.\n`];
  shown.add(schema);
  const members = Object.entries(schema.members);
  const choices = (schema.choices ?? []).map(({ of, needed }) => {
    const how = needed === undefined ? 'at most one' : 'exactly one';
    return `- ${how} of ${of.slice(0, -1).map(code).join(', ')} and ${code(of.at(-1) ?? '')}`;
  });
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
