import { css } from '../html/css.ts'

/** Colours with their names by use, and the scales of space and type. Every pair has WCAG AA contrast. */
export const tokens = css`
:root {
  color-scheme: light dark;
  --text: light-dark(#1b1f24, #e6e9ed);
  --muted: light-dark(#545d68, #a3adb8);
  --ground: light-dark(#f6f7f9, #14171a);
  --surface: light-dark(#ffffff, #1b1f24);
  --raised: light-dark(#eef1f4, #262b31);
  --line: light-dark(#d8dde3, #353c45);
  --edge: light-dark(#7a838e, #737d88);
  --accent: light-dark(#1f5fbf, #8ab4f8);
  --on-accent: light-dark(#ffffff, #0d1522);
  --good: light-dark(#176639, #7fd0a0);
  --danger: light-dark(#ab231c, #f4a79f);
  --warning: light-dark(#7d5200, #e0b44c);
  --merged: light-dark(#6539b4, #c3abf7);
  --added: light-dark(#e3f5e9, #17331f);
  --added-strong: light-dark(#b4e6c5, #27573a);
  --removed: light-dark(#fdeae8, #3b1d1b);
  --removed-strong: light-dark(#f8c5c0, #6b2e2a);
  --target: light-dark(#fff4cf, #3a3214);
  --space-1: .25rem; --space-2: .5rem; --space-3: .75rem; --space-4: 1rem; --space-5: 1.5rem; --space-6: 2rem;
  --small: .8125rem; --normal: .875rem; --large: 1.25rem; --huge: 1.5rem;
  --radius: .375rem;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
}
[data-theme=light] { color-scheme: light; }
[data-theme=dark] { color-scheme: dark; }
`
