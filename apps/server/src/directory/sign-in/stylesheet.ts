import { hash } from 'node:crypto'

/** Style of all pages: system fonts, both colour schemes, one column that fits a phone. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --text: #1c2024; --muted: #5b626a; --ground: #f6f7f8; --card: #fff; --line: #8a929b;
  --accent: #1f5fbf; --on-accent: #fff; --danger: #b3261e; --good: #1a6b3c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e8eaed; --muted: #a9b0b8; --ground: #15181b; --card: #1e2226; --line: #757d86;
    --accent: #8ab4f8; --on-accent: #10151c; --danger: #f2a29b; --good: #86d3a5;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
header, main { max-width: 44rem; margin: 0 auto; padding: 1rem; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; }
header .brand { font-weight: 700; margin-right: auto; }
header form { margin: 0; }
main > section, main > form {
  background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
  padding: 1rem 1.25rem; margin: 0 0 1.25rem;
}
h1 { font-size: 1.5rem; margin: .5rem 0 1rem; }
h2 { font-size: 1.15rem; margin: 0 0 .75rem; }
a { color: var(--accent); }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, textarea:focus-visible, [tabindex]:focus-visible {
  outline: 3px solid var(--accent); outline-offset: 2px;
}
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem; }
.field { margin: 0 0 1rem; }
label, legend { display: block; font-weight: 600; }
fieldset { border: 1px solid var(--line); border-radius: .25rem; margin: 0 0 1rem; }
.choice { display: flex; gap: .6rem; align-items: baseline; padding: .25rem 0; }
.choice label { font-weight: 400; }
input[type=text], input[type=password], input[type=date], select, textarea {
  width: 100%; font: inherit; padding: .5rem .6rem; color: inherit;
  background: var(--ground); border: 1px solid var(--line); border-radius: .25rem;
}
input[aria-invalid=true], textarea[aria-invalid=true] { border: 2px solid var(--danger); }
button {
  font: inherit; font-weight: 600; padding: .5rem 1.1rem; border-radius: .25rem; cursor: pointer; white-space: nowrap;
  border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent);
}
button.plain { background: transparent; color: var(--accent); }
button.danger { background: transparent; color: var(--danger); border-color: var(--danger); }
.hint { color: var(--muted); margin: .1rem 0 .4rem; }
.wrong { color: var(--danger); margin: .1rem 0 .4rem; font-weight: 600; }
.summary { border-left: .4rem solid var(--danger); }
.notice { border-left: .4rem solid var(--good); }
header .brand img { max-height: 2.5rem; vertical-align: middle; }
.introduction img { max-width: 100%; }
.banner { margin: 0; padding: .5rem 1rem; text-align: center; white-space: pre-line; }
code { font-family: ui-monospace, monospace; font-size: 1.05rem; }
.notice code { user-select: all; }
.tokens { list-style: none; margin: 0; padding: 0; }
.tokens li { border-top: 1px solid var(--line); padding: .75rem 0; }
.tokens li:first-child { border-top: 0; }
.tokens p { margin: 0 0 .4rem; }
`.trim()

/** Path of the stylesheet; it contains a hash of the text, so browsers may cache it forever. */
export const stylesheetPath = `/-/assets/style-${hash('sha256', stylesheet, 'hex').slice(0, 16)}.css`
