import { describe, expect, it } from 'vitest'
import { renderMarkdown } from './markdown.ts'

describe('renderMarkdown', () => {
  it('renders in its thread what the renderer makes', async () => {
    expect(await renderMarkdown('**a** <script>b</script>')).toBe('<p><strong>a</strong> </p>\n')
    expect(await renderMarkdown('')).toBe('')
    expect(await renderMarkdown(' \n ')).toBe('')
  })

  it('answers many at once, each with its own', async () => {
    const texts = Array.from({ length: 50 }, (_, at) => `*${at}*`)
    const found = await Promise.all(texts.map((text) => renderMarkdown(text)))
    expect(found).toEqual(texts.map((_, at) => `<p><em>${at}</em></p>\n`))
  })

  it('leaves the event loop free while it renders a million characters', async () => {
    await renderMarkdown('warm')
    let longest = 0
    let before = performance.now()
    const timer = setInterval(() => {
      const now = performance.now()
      longest = Math.max(longest, now - before)
      before = now
    }, 5)
    const html = await renderMarkdown(
      'Some *words* and a [link](https://example.com).\n\n'.repeat(20_000),
      25_000,
    )
    clearInterval(timer)
    expect(html.split('<p>')).toHaveLength(20_001)
    expect(longest).toBeLessThan(500)
  }, 30_000)

  it('shows as it was written what takes too long, and goes on with the next', async () => {
    const text = '<b>*x* '.repeat(100_000)
    const [slow, next] = await Promise.all([renderMarkdown(text, 20), renderMarkdown('*next*')])
    expect(next).toBe('<p><em>next</em></p>\n')
    expect(slow.startsWith('<pre>&lt;b&gt;*x* &lt;b&gt;')).toBe(true)
  }, 30_000)
})
