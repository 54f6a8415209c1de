/** How the pages look: one column, system fonts, light and dark, from 360 px up. Kept as text so that the build is `tsc` alone. */

export const stylesheet = `
:root {
  color-scheme: light dark;
  --paper: #fdfdfb; --ink: #1d2126; --quiet: #5b6470; --line: #dfe2e0; --link: #15558a; --visited: #5d4a8a;
  --mark: #fbe9a9; --accent: #1f6f78; --well: #f1f3f1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181b; --ink: #e4e6e8; --quiet: #9aa4ae; --line: #2d3338; --link: #8cc4f0; --visited: #bfa9ea;
    --mark: #5a4a12; --accent: #6dc1ca; --well: #1e2327;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 46rem; padding: 0 1rem; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow-wrap: anywhere;
}
:lang(zh) { font-family: system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
a { color: var(--link); text-underline-offset: 0.15em; }
a:visited { color: var(--visited); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
main { flex: 1; }
mark { background: var(--mark); color: inherit; border-radius: 2px; padding: 0 0.1em; }
pre { background: var(--well); padding: 0.6rem 0.8rem; border-radius: 6px; overflow-x: auto; }

.skip, .unseen { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--paper); padding: 0.3rem 0.6rem; }
.top { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; padding: 1rem 0; }
.top .name { font-weight: 650; font-size: 1.15rem; color: var(--ink); text-decoration: none; }
footer { margin-top: 2rem; padding: 1rem 0; border-top: 1px solid var(--line); color: var(--quiet); font-size: 0.875rem; }

.box { display: flex; gap: 0.5rem; margin: 0.5rem 0 1rem; }
.box input[type="search"] {
  flex: 1; min-width: 0; font: inherit; padding: 0.55rem 0.8rem; color: inherit; background: var(--paper);
  border: 1px solid var(--quiet); border-radius: 8px;
}
.box button {
  font: inherit; padding: 0.55rem 1.1rem; border: 0; border-radius: 8px; background: var(--accent); color: var(--paper); cursor: pointer;
}
.total { color: var(--quiet); font-size: 0.875rem; margin: 0 0 1rem; }

.results { list-style: none; margin: 0; padding: 0; display: grid; gap: 1.5rem; }
.results h2 { font-size: 1.125rem; font-weight: 550; line-height: 1.35; margin: 0; }
.results h2 a { text-decoration: none; }
.results h2 a:hover { text-decoration: underline; }
.results p, .facts { margin: 0.15rem 0 0; }
.where { color: var(--accent); font-size: 0.875rem; }
.label { color: var(--quiet); border: 1px solid var(--line); border-radius: 99px; padding: 0 0.5em; margin-inline-start: 0.5em; }
.facts { display: flex; flex-wrap: wrap; gap: 0 1em; color: var(--quiet); font-size: 0.875rem; }
.facts ul { margin: 0.3rem 0; padding-inline-start: 1.2rem; }
.pager { display: flex; gap: 1.5rem; margin-top: 2rem; }

.help { margin-top: 1.5rem; }
.help h1, .help h2 { font-size: 1.25rem; margin: 0 0 0.5rem; }
.chips { display: flex; flex-wrap: wrap; gap: 0.4rem; align-items: center; }
.chips span, .chips a { background: var(--well); border-radius: 6px; padding: 0.1rem 0.6rem; }

.wide { max-width: none; height: 100vh; }
.wide main { display: flex; flex-direction: column; min-height: 0; }
.bar { border-bottom: 1px solid var(--line); padding-bottom: 0.6rem; font-size: 0.9rem; }
.bar p { margin: 0.2rem 0; }
.bar h1 { font-size: 1.25rem; margin: 1rem 0 0.5rem; }
/* Pages are made for white paper, whatever the reader's theme. */
.copy { flex: 1; width: 100%; border: 0; background: #fff; color-scheme: light; min-height: 60vh; }
`;

/** A drop over two ripples. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#1f6f78" d="M16 3c4 6 6.5 9 6.5 12.5a6.5 6.5 0 0 1-13 0C9.5 12 12 9 16 3z"/><path fill="none" stroke="#1f6f78" stroke-width="2.5" stroke-linecap="round" d="M4 25q4-3 8 0t8 0 8 0M8 29q4-2 8 0t8 0"/></svg>`;
