/** The stylesheet of these pages. The viewer has its own, with a class `dark-mode`. */
export const stylesheet = `:root {
  color-scheme: light dark;
  --back: #fbfaf7;
  --text: #17201c;
  --soft: #55605a;
  --line: #dcd8cd;
  --link: #0b6b52;
  --mark: #fff3cf;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #101412;
    --text: #e5ebe8;
    --soft: #a5b0aa;
    --line: #313a36;
    --link: #6fd3b0;
    --mark: #3a3312;
  }
}
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; }
.top { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .75rem 1rem; border-bottom: 1px solid var(--line); }
.top a { color: var(--link); padding: .25rem 0; }
.top a[aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
.notice { padding: 1rem; }
.page { max-width: 46rem; margin: 0 auto; padding: 1rem 1rem 4rem; }
.page a { color: var(--link); text-underline-offset: .25em; }
.page a:focus-visible, .top a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.page h1 { margin: .75rem 0 .5rem; line-height: 1.2; }
.page h2 { margin: 0; font-size: 1.1rem; overflow-wrap: anywhere; }
.page h2 a { color: inherit; font-family: ui-monospace, monospace; text-decoration: none; }
.page h2 a:hover { text-decoration: underline; }
.page code { font-family: ui-monospace, monospace; font-size: .95em; overflow-wrap: anywhere; }
.page p { margin: .4rem 0; }
.page section { padding: 1rem 0 .75rem; border-top: 1px solid var(--line); }
.page section:target { background: var(--mark); box-shadow: -.75rem 0 var(--mark), .75rem 0 var(--mark); }
.page [lang=pt]:not(th):not(td):not(q) { color: var(--soft); }
.page h2.link a { color: var(--link); font-family: inherit; text-decoration: underline; }
.codes { columns: 15rem; list-style: none; margin: 1rem 0 1.5rem; padding: 0; font-family: ui-monospace, monospace; font-size: .9rem; }
.codes li { padding: .15rem 0; }
.facts { color: var(--soft); }
.status { font-weight: 600; color: var(--text); margin-right: .5rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0; font-size: .95rem; }
th, td { text-align: left; font-weight: normal; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { font-weight: 600; }
`
