/** A sentence of a service's specification, and which sides of the wire it binds. */
export interface Row {
  /** Service, area and name, as `trading-v3.spot.post-order`. */
  readonly id: string;
  readonly what: string;
  readonly sides: readonly string[];
}

/** A test as vitest's JSON reporter writes it. */
export interface TestResult {
  readonly fullName: string;
  readonly status: string;
  readonly tags: readonly string[];
}

/** Which rows passing tests show: by tag, or by `[side:id]` in a title whose rows come of a table. */
export function shownBy(results: readonly TestResult[]): ReadonlySet<string> {
  return new Set(
    results
      .filter(({ status }) => status === 'passed')
      .flatMap(({ fullName, tags }) => [
        ...tags,
        ...[...fullName.matchAll(/\[((?:server|client):[a-z0-9.-]+)\]/g)].map(
          ([, tag = '']) => tag,
        ),
      ]),
  );
}

/** The tags that no test shows. */
export const missingFrom = (rows: readonly Row[], shown: ReadonlySet<string>): readonly string[] =>
  rows.flatMap(tagsOf).filter((tag) => !shown.has(tag));

/** The tags that name no row, or a side that its row does not bind. */
export function strangersIn(rows: readonly Row[], shown: ReadonlySet<string>): readonly string[] {
  const known = new Set(rows.flatMap(tagsOf));
  return [...shown].filter((tag) => /^(?:server|client):/.test(tag) && !known.has(tag));
}

/** The page of the documentation: for each service, how many rows are shown on a side. */
export function conformancePage(rows: readonly Row[], shown: ReadonlySet<string>): string {
  const services = Map.groupBy(rows, ({ id }) => id.split('.', 1)[0]);
  const lines = [...services].map(([service, own]) => {
    const cells = ['server', 'client'].map((side) => {
      const tags = own.flatMap(tagsOf).filter((tag) => tag.startsWith(side));
      return tags.length === 0
        ? 'none'
        : `${tags.filter((tag) => shown.has(tag)).length}/${tags.length}`;
    });
    return `- \`${service}\`: ${cells.join(', ')}`;
  });
  return [PREFACE, ...lines, ''].join('\n');
}

const tagsOf = ({ id, sides }: Row): readonly string[] => sides.map((side) => `${side}:${id}`);

const PREFACE = `# Conformance

Rows of the services' specifications that the tests show, on the simulated service, then on the client.

A test carries a row as a tag. \`npx vitest --list-tags\` prints all; \`npx vitest run --tags-filter server:trading-v3.spot.post-order\` runs the tests of one.

\`node test/conformance/main.ts coverage/test-results.json\` writes this page from the results of a whole run.
`;
