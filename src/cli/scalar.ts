import { parse } from 'yaml';

/** A value as YAML reads it: a number, true, false, a list or text; text if it is not YAML. */
export function scalar(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return text;
  }
}
