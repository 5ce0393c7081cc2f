const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text escaped for an element or a quoted attribute. */
export const text = (value: unknown): string =>
  String(value).replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

/**
 * JSON escaped for a script element: no `<` that could end the element or open a comment, and none
 * of the two line ends that older script engines reject in text.
 */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
