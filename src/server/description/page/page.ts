import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

/** The page that shows both descriptions; it makes requests to the venue only. */
export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Trading service: calls and sockets</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Trading service</h1>
<input id="filter" type="search" placeholder="Filter: spot order, candles, login" aria-label="Filter">
<label>Key <input id="key" size="14" autocomplete="off"></label>
<label>Secret <input id="secret" type="password" size="14" autocomplete="off"></label>
<span class="dim"><a href="/openapi.json">openapi.json</a> <a href="/asyncapi.json">asyncapi.json</a></span>
</header>
<main>
<p id="about" class="dim"></p>
<div id="calls"></div>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
