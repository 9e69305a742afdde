/** The stylesheet of the pages that need no script, in the colours of the console. */
export const stylesheet = `:root {
  color-scheme: light dark;
  --back: #faf8f3;
  --card: #ffffff;
  --text: #17201c;
  --soft: #46534d;
  --line: #e5e0d4;
  --link: #0b6b52;
  --mark: #fcefd4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #101412;
    --card: #181d1b;
    --text: #e9efeb;
    --soft: #b3beb8;
    --line: #2b332f;
    --link: #53d3a8;
    --mark: #3a2c10;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.5 Figtree, system-ui, sans-serif; }
a { color: var(--link); text-underline-offset: .25em; }
a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.top, .top nav { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.25rem; }
.top { justify-content: space-between; padding: .5rem clamp(1rem, 3vw, 2rem); border-bottom: 1px solid var(--line); }
.top a { display: flex; align-items: center; gap: .625rem; min-height: 2.75rem; text-decoration: none; font-weight: 550; }
.top .brand, .top a[aria-current] { color: var(--text); }
.top .brand { font-size: 1.125rem; font-weight: 700; letter-spacing: -.015em; }
.page { max-width: 52rem; margin: 0 auto; padding: 1rem 1rem 4rem; }
.page h1 { margin: 1rem 0 .5rem; font-size: clamp(1.5rem, 1.2rem + 1vw, 1.875rem); line-height: 1.2; letter-spacing: -.011em; }
.page h2 { margin: 0; font-size: 1.0625rem; overflow-wrap: anywhere; }
.page h2 a { color: inherit; font-family: ui-monospace, monospace; text-decoration: none; }
.page h2 a:hover { text-decoration: underline; }
.page code { font-family: ui-monospace, monospace; font-size: .95em; overflow-wrap: anywhere; }
.page p { margin: .4rem 0; }
.page section { margin: .75rem 0; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--card); }
.page section:target { border-color: var(--link); background: var(--mark); }
.page section p + p { color: var(--soft); }
.page section p + p + p { font-size: .9375rem; }
.codes { columns: 15rem; list-style: none; margin: 1rem 0 1.5rem; padding: 0; font-family: ui-monospace, monospace; font-size: .9rem; }
.codes a { display: inline-block; padding: .2rem 0; }
.facts { color: var(--soft); }
.status { font-weight: 600; color: var(--text); margin-right: .5rem; }
`
