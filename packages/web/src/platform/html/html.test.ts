import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeHtml, html } from './html.ts'

describe('html', () => {
  it('escapes texts and inserts markup unchanged', () => {
    const inner = html`<b>${'<&>'}</b>`
    expect(html`<p title="${'"x"'}">${inner}${[inner]}${undefined}${false}${3}</p>`.text).toBe(
      '<p title="&quot;x&quot;"><b>&lt;&amp;&gt;</b><b>&lt;&amp;&gt;</b>3</p>',
    )
  })

  it('prevents texts from ending an attribute or opening a tag', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeHtml(text)).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/)
      }),
    )
  })
})
