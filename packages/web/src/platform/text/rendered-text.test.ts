import { describe, expect, it } from 'vitest'
import { accessibleText } from './rendered-text.ts'

const box = '<input type="checkbox" class="task-list-item-checkbox" disabled'

describe('accessibleText', () => {
  it('takes hidden links of headings out of the order of focus', () => {
    const link = '<a id="user-content-a" class="anchor" href="#a"'
    expect(accessibleText(`<h1>${link} aria-hidden="true"></a>A</h1>`)).toBe(
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
    expect(accessibleText(text)).toBe(expected)
  })

  it('cuts a long name before a character reference', () => {
    const text = `${'x'.repeat(198)}&amp;y`
    expect(accessibleText(`${box} />${text}`)).toContain(`aria-label="${'x'.repeat(198)}"`)
  })

  it('leaves other texts as they are', () => {
    const text = '<p>See <a href="/x">aria-hidden="true"</a> and &lt;input&gt;</p>'
    expect(accessibleText(text)).toBe(text)
  })
})
