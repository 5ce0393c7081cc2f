import { COMMANDS, ORDER } from '../../src/strategy/command-schema.ts';
import type { AnyMember, AnySchema } from '../../src/strategy/schema.ts';

const INTRO = `# Members of commands

What each command may say. The makers of commands, such as \`place\` and \`target\`, build them ([writing a
strategy](writing-a-strategy.md#commands)); a strategy may also emit them as plain objects. The engine
rejects a value of another kind with the code of its member, and a member that is not listed with \`request-invalid\`.
This page is generated from \`src/strategy/command-schema.ts\`, the table that the engine reads commands by.
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

const HEAD = ['member', 'meaning', 'value', 'range', 'if absent', 'code'];

const rowOf = ([name, member]: readonly [string, AnyMember]): readonly string[] => [
  code(name),
  member.about,
  valueOf(member),
  member.range ?? '',
  member.required === true ? 'required' : (member.absent ?? ''),
  code(member.code),
];

/** A table as the formatter leaves it. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = HEAD.map((head, at) =>
    Math.max(head.length, ...rows.map((row) => row[at].length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`;
  return [line(HEAD), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function sections(title: string, schema: AnySchema, level: string): readonly string[] {
  const members = Object.entries(schema.members);
  const choices = (schema.choices ?? []).map(({ of, needed }) => {
    const how = needed === undefined ? 'at most one' : 'exactly one';
    return `- ${how} of ${of.slice(0, -1).map(code).join(', ')} and ${code(of.at(-1) ?? '')}`;
  });
  const rows = members.map((one) => rowOf(one));
  return [
    `${level} ${title}\n\n${table(rows)}\n`,
    ...(choices.length === 0 ? [] : [`A command gives\n\n${choices.join('\n')}\n`]),
    ...members.flatMap(([name, member]) =>
      'schema' in member && member.schema !== ORDER
        ? sections(`${code(name)} of ${title}`, member.schema, `${level}#`)
        : [],
    ),
  ];
}

/** The page docs/commands.md. */
export const commandsPage = (): string =>
  [
    INTRO,
    ...Object.entries<AnySchema>(COMMANDS).flatMap(([kind, schema]) =>
      sections(kind, schema, '##'),
    ),
  ].join('\n');
