import { createHash } from 'node:crypto';

/** All of it; nothing is loaded from elsewhere. Contrasts are those of WCAG AA at least. */
export const STYLESHEET = `
:root { color-scheme: light; --ink: #1f1e24; --quiet: #535158; --line: #bfbfc3; --link: #0b5cad; --good: #24663b; --bad: #a4260a; }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: #fff; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: #fff; }
header { border-bottom: 1px solid var(--line); }
header > div, main, footer { max-width: 60rem; margin: 0 auto; padding: 1rem; }
header > div { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; justify-content: space-between; }
header ul { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; list-style: none; margin: 0; padding: 0; }
.home { font-weight: 600; }
h1 { font-size: 1.6rem; line-height: 1.2; }
h2 { font-size: 1.25rem; margin-top: 2rem; }
form.fields { max-width: 30rem; }
form.inline { display: inline; }
.field { margin: 1rem 0; }
.field > label, legend { display: block; font-weight: 600; padding: 0; }
.hint, footer { color: var(--quiet); }
.hint { display: block; margin: 0; }
.problem { display: block; color: var(--bad); font-weight: 600; }
input[type=text], input[type=email], input[type=password], input[type=date], textarea, select {
  width: 100%; padding: .5rem; font: inherit; color: inherit; background: #fff; border: 1px solid #737278; border-radius: 4px; }
[aria-invalid=true] { border: 2px solid var(--bad); }
fieldset { border: 0; margin: 1rem 0; padding: 0; }
.choice { display: grid; grid-template-columns: 1.5rem 1fr; margin: .5rem 0; }
.choice input { margin-top: .35rem; }
button { font: inherit; font-weight: 600; padding: .5rem 1rem; color: #fff; background: var(--link); border: 1px solid transparent; border-radius: 4px; cursor: pointer; }
button.plain { color: var(--link); background: #fff; border-color: currentColor; }
button.danger { color: var(--bad); background: #fff; border-color: currentColor; }
.message { padding: .75rem 1rem; margin: 1rem 0; border: 1px solid; border-left-width: 6px; border-radius: 4px; }
.message.good { color: var(--good); }
.message.bad { color: var(--bad); }
.message.bad a { color: inherit; }
.message ul { margin: .25rem 0 0; padding-left: 1.25rem; }
.secret { font: 1rem ui-monospace, monospace; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; font-weight: 600; padding: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .5rem; border-bottom: 1px solid var(--line); }
`.trim();

/** Changes with the content, so that browsers may keep it for ever. */
export const STYLESHEET_PATH = `/-/assets/${createHash('sha256').update(STYLESHEET).digest('hex').slice(0, 16)}.css`;
