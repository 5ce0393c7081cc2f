/** Style of the page: system fonts, light and dark by the reader's choice. */
export const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#dcdfe4, #33373e); --soft: light-dark(#f6f7f9, #1b1e23);
  --text: light-dark(#1c1f24, #e7e9ec); --dim: light-dark(#5c6470, #9aa3af); --back: light-dark(#fff, #131519);
  --blue: light-dark(#0b5fb4, #6cb2ff); --green: light-dark(#17703a, #63c98a); --red: light-dark(#b3261e, #ff8a80); }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); }
header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .6rem 1.2rem; align-items: center;
  padding: .6rem 1.2rem; background: var(--back); border-bottom: 1px solid var(--line); }
h1 { font-size: 1.1rem; margin: 0; }
main { max-width: 68rem; margin: 0 auto; padding: 1rem 1.2rem 4rem; }
h2 { font-size: 1.05rem; margin: 2rem 0 .4rem; }
h3 { font-size: .9rem; margin: .9rem 0 .3rem; color: var(--dim); font-weight: 600; }
p { margin: .3rem 0; }
a { color: var(--blue); }
input, textarea, button { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line);
  border-radius: 4px; padding: .25rem .5rem; }
button { cursor: pointer; background: var(--soft); }
:is(input, textarea, button, summary, a):focus-visible { outline: 2px solid var(--blue); outline-offset: 1px; }
#filter { min-width: 18rem; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .35rem 0; scroll-margin-top: 4rem; }
summary { display: flex; flex-wrap: wrap; gap: .1rem .8rem; align-items: baseline; padding: .4rem .7rem; cursor: pointer; }
summary::-webkit-details-marker { display: none; }
.body { padding: 0 .9rem .9rem; border-top: 1px solid var(--line); }
.verb { font: 600 .78rem ui-monospace, monospace; width: 4.2rem; color: var(--blue); }
.verb.POST, .verb.PUT, .verb.PATCH { color: var(--green); }
.verb.DELETE { color: var(--red); }
code, pre, .path { font-family: ui-monospace, monospace; font-size: .85rem; }
.path { overflow-wrap: anywhere; }
.dim { color: var(--dim); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--dim); font-size: .85rem; }
td:first-child { font-family: ui-monospace, monospace; font-size: .85rem; white-space: nowrap; }
td.inner { padding-left: 1.5rem; }
form { display: grid; gap: .4rem; margin-top: .5rem; justify-items: start; }
form label { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
form label code { min-width: 11rem; }
textarea { width: min(100%, 34rem); min-height: 6rem; font-family: ui-monospace, monospace; font-size: .85rem; }
pre { background: var(--soft); border-radius: 4px; padding: .6rem .8rem; overflow: auto; max-height: 24rem; margin: .4rem 0; }
.missing { display: none; }
`;
