import { icon } from '../../platform/design/icon.ts'
import { type IconName, iconPaths } from '../../platform/design/icon-paths.ts'
import { prose } from '../../platform/design/prose.ts'
import { tokens } from '../../platform/design/tokens.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { type Family, specimen, specimenAddress } from './specimen.ts'

/** Colours, icons, texts and what elements look like without a component. */
export function foundationSpecimens(): Family {
  return {
    id: 'foundations',
    title: 'Foundations',
    specimens: [
      specimen('Colours', swatches()),
      specimen('Texts', texts),
      specimen('Rendered Markdown', prose(markdown)),
      specimen(
        'Block of code',
        html`<pre class="code" tabindex="0">git clone git@example.com:group/app.git</pre>`,
      ),
      specimen('Table', plainTable),
      specimen('Icon with a name', html`${icon('lock', 'Private')}`),
      specimen('Icons', iconNames()),
    ],
  }
}

/** The names of the colours, as the style sheet declares them. */
function swatches(): Html {
  const names = tokens
    .split('\n')
    .filter((line) => line.includes(': light-dark('))
    .map((line) => line.slice(line.indexOf('--') + 2, line.indexOf(':')))
  const items = names.map(
    (name) =>
      html`<li><svg viewBox="0 0 48 24" width="48" height="24" aria-hidden="true"><rect width="48" height="24" fill="var(--${name})" stroke="var(--edge)"/></svg> <code>${name}</code></li>`,
  )
  return html`<ul class="plain swatches">${items}</ul>`
}

function iconNames(): Html {
  const names = Object.keys(iconPaths) as IconName[]
  return html`<ul class="plain swatches">${names.map((name) => html`<li>${icon(name)} <code>${name}</code></li>`)}</ul>`
}

const texts = html`<p>A text with a <a href="${specimenAddress}">link</a>, some <code>code</code>, a key <kbd>g</kbd> and <strong>weight</strong>.</p>
<p class="muted">A muted text.</p>
<p class="small">A small text.</p>
<p class="mono">A text of fixed width.</p>`

const markdown = `<h1>Heading</h1>
<p>A paragraph with <strong>weight</strong>, <em>stress</em>, <code>code</code> and a <a href="${specimenAddress}">link</a>.</p>
<p>Fix <del class="idiff left right deletion">the</del> <ins class="idiff left right addition">a</ins> bug</p>
<blockquote><p>What somebody said.</p></blockquote>
<ul><li>One</li><li>Two<ul><li>Below</li></ul></li></ul>
<table><thead><tr><th>Name</th><th>Value</th></tr></thead><tbody><tr><td>a</td><td>1</td></tr></tbody></table>
<pre tabindex="0"><code><span class="hljs-keyword">const</span> greeting = <span class="hljs-string">'Hello'</span></code></pre>`

const plainTable = html`<table><thead><tr><th scope="col">Name</th><th scope="col" class="number">Size</th></tr></thead>
<tbody><tr><td>README.md</td><td class="number">1,024</td></tr><tr><td>LICENSE</td><td class="number">640</td></tr></tbody></table>`
