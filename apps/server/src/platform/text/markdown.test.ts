import { describe, expect, it } from 'vitest'
import { readMarkdown } from './markdown.ts'

const context = { gfm: false, webUrl: 'https://code.example' }

async function renderMarkdown(text: string, limitMs?: number): Promise<string> {
  return (await readMarkdown(text, context, limitMs)).finish(new Map())
}

describe('readMarkdown', () => {
  it('renders in a thread with the same result as the renderer', async () => {
    expect(await renderMarkdown('**a** <script>b</script>')).toBe('<p><strong>a</strong> </p>\n')
    expect(await renderMarkdown('')).toBe('')
    expect(await renderMarkdown(' \n ')).toBe('')
  })

  it('answers concurrent requests, each with its own result', async () => {
    const texts = Array.from({ length: 50 }, (_, at) => `*${at}*`)
    const found = await Promise.all(texts.map((text) => renderMarkdown(text)))
    expect(found).toEqual(texts.map((_, at) => `<p><em>${at}</em></p>\n`))
  })

  it('does not block the event loop while it renders a million characters', async () => {
    await renderMarkdown('warm '.repeat(10_000))
    let longest = 0
    // Processor time of this thread: on a busy machine it may wait, but not work, for long.
    let before = process.threadCpuUsage()
    const timer = setInterval(() => {
      const { user, system } = process.threadCpuUsage(before)
      longest = Math.max(longest, (user + system) / 1000)
      before = process.threadCpuUsage()
    }, 5)
    const html = await renderMarkdown(
      'Some *words* and a [link](https://example.com).\n\n'.repeat(20_000),
      25_000,
    )
    clearInterval(timer)
    expect(html.split('<p>')).toHaveLength(20_001)
    expect(longest).toBeLessThan(500)
  })

  it('falls back to plain text after the timeout, and renders the next text', async () => {
    const text = '<b>*x* '.repeat(100_000)
    await renderMarkdown('warm '.repeat(10_001))
    const [slow, next] = await Promise.all([renderMarkdown(text, 20), renderMarkdown('*next*')])
    expect(next).toBe('<p><em>next</em></p>\n')
    expect(slow.startsWith('<pre>&lt;b&gt;*x* &lt;b&gt;')).toBe(true)
  })

  it('renders short texts while a long one is being rendered', async () => {
    await renderMarkdown('*a*')
    let longIsRendered = false
    const long = renderMarkdown('a **b** [c](d) '.repeat(60_000), 30_000).then(() => {
      longIsRendered = true
    })
    expect(await renderMarkdown('*short*')).toBe('<p><em>short</em></p>\n')
    expect(longIsRendered).toBe(false)
    await long
  }, 40_000)

  it('returns the references of a text, and renders the resolved ones', async () => {
    const flavored = { ...context, gfm: true, project: { fullPath: 'a/b', ref: null } }
    const texts = Array.from({ length: 20 }, (_, at) => `*${at}* #1`)
    // More texts than the thread caches: those that were evicted are parsed again.
    const read = await Promise.all(texts.map((text) => readMarkdown(text, flavored)))
    const [key = ''] = read[0]?.references.keys() ?? []
    const found = { kind: 'issue', href: '/x', title: '', text: '#1', data: {} }
    const html = await Promise.all(read.map(({ finish }) => finish(new Map([[key, found]]))))
    for (const [at, one] of html.entries()) {
      expect(one).toContain(`<em>${at}</em> <a href="/x" class="gfm gfm-issue"`)
    }
    expect(await read[0]?.finish(new Map())).toBe('<p><em>0</em> #1</p>\n')
  })
})
