import { faultAt, type Fault, type Source } from './source.ts';

const LEFTOVER = /\b(TODO|FIXME|XXX|HACK)\b/;
const INSTEAD = 'Do it now, or open an issue and say in a sentence what the code does today.';

/** Notes to oneself in comments. */
export function leftoversInSource(source: Source): Fault[] {
  return source.comments.flatMap(({ start, text }) => {
    const at = text.search(LEFTOVER);
    return at < 0 ? [] : [faultAt(source, start + at, `A leftover note. ${INSTEAD}`)];
  });
}

/** Notes to oneself in prose, configuration and scripts. */
export function leftoversInText(path: string, text: string): Fault[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      LEFTOVER.test(line)
        ? [{ where: `${path}:${index + 1}`, message: `A leftover note. ${INSTEAD}` }]
        : [],
    );
}
