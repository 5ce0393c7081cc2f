import { scriptJson, text } from './escape.ts';
import { STYLE } from './style.ts';

/** Set before the first paint, so that a dark page does not flash. */
const THEME_SCRIPT = `document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';`;

/** The page sends no requests: everything is inline. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/** Parts of a page. */
export interface PageParts {
  readonly title: string;
  /** Style rules of this page. */
  readonly style?: string;
  /** Markup of the main element. */
  readonly main: string;
  /** Data of the scripts, as JSON in the element `data`. */
  readonly data: unknown;
  readonly scripts: readonly string[];
}

/** One HTML file that needs no other file or network. */
export const htmlPage = ({
  title,
  style = '',
  main,
  data,
  scripts,
}: PageParts): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${text(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}${style}</style>
<script>${THEME_SCRIPT}</script>
</head>
<body>
<main>
${main}
</main>
<script type="application/json" id="data">${scriptJson(data)}</script>
${scripts.map((script) => `<script>${script}</script>`).join('\n')}
</body>
</html>
`;

/** The button that switches between light and dark, handled by a script. */
export const THEME_BUTTON =
  '<button id="theme" type="button" aria-label="Light or dark" title="Light or dark">◐</button>';
