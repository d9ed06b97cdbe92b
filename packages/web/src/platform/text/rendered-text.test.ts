import { describe, expect, it } from 'vitest'
import { pageText } from './rendered-text.ts'

const box = '<input type="checkbox" class="task-list-item-checkbox" disabled'

describe('pageText', () => {
  it('takes hidden links of headings out of the order of focus', () => {
    const link = '<a id="user-content-a" class="anchor" href="#a"'
    expect(pageText(`<h1>${link} aria-hidden="true"></a>A</h1>`)).toBe(
      `<h1>${link} tabindex="-1" aria-hidden="true"></a>A</h1>`,
    )
  })

  it.each([
    [`${box} /> open\n`, `${box} aria-label="open" /> open\n`],
    [`${box} checked /> done`, `${box} aria-label="done" checked /> done`],
    [
      `${box} /> a <b>"b"</b> &amp; c`,
      `${box} aria-label="a &quot;b&quot; &amp; c" /> a <b>"b"</b> &amp; c`,
    ],
    [`${box} /><img src="x" />`, `${box} aria-label="Task" /><img src="x" />`],
    [`${box} /> a ${box} /> b`, `${box} aria-label="a" /> a ${box} aria-label="b" /> b`],
  ])('names the checkboxes of %j by the text beside them', (text, expected) => {
    expect(pageText(text)).toBe(expected)
  })

  it('cuts a long name before a character reference', () => {
    const text = `${'x'.repeat(198)}&amp;y`
    expect(pageText(`${box} />${text}`)).toContain(`aria-label="${'x'.repeat(198)}"`)
  })

  it('shows the colours of labels without styles, which the policy of the pages forbids', () => {
    const label =
      '<span class="label color-label" style="background-color: #DC143C; color: #FFFFFF">'
    expect(pageText(`<p>${label}bug</span> ${label}bad</span></p>`)).toMatch(
      /^<p>(<span class="label"><svg [^<]+><circle [^<]+ fill="#DC143C"\/><\/svg>(bug|bad)<\/span> ?){2}<\/p>$/,
    )
  })

  it('leaves other texts as they are', () => {
    const text = '<p>See <a href="/x">aria-hidden="true"</a> and &lt;input&gt;</p>'
    expect(pageText(text)).toBe(text)
  })
})
