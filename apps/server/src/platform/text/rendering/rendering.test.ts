import { describe, expect, it } from 'vitest'
import type { RenderContext } from './render-context.ts'
import { openRendering } from './rendering.ts'

const plain = { gfm: false, webUrl: 'https://code.example' }
const flavored: RenderContext = {
  gfm: true,
  webUrl: 'https://code.example',
  project: { fullPath: 'group/project', ref: 'main' },
}

function render(text: string, context: RenderContext = plain): Promise<string> {
  return openRendering(text, context).finish(new Map())
}

describe('openRendering', () => {
  it.each([
    ['# One\n\n*two* **three**', '<h1>One</h1>\n<p><em>two</em> <strong>three</strong></p>\n'],
    ['~~gone~~', '<p><s>gone</s></p>\n'],
    ['{+no change+}', '<p>{+no change+}</p>\n'],
    ['`<b>`', '<p><code>&lt;b&gt;</code></p>\n'],
    ['```js\na < b\n```', '<pre><code class="language-js">a &lt; b\n</code></pre>\n'],
    ['2. two\n3. three', '<ol start="2">\n<li>two</li>\n<li>three</li>\n</ol>\n'],
    ['![a](http://x/y.png "t")', '<p><img src="http://x/y.png" alt="a" title="t" /></p>\n'],
    ['read.me', '<p>read.me</p>\n'],
    ['<a@b.example', '<p>&lt;<a href="mailto:a@b.example">a@b.example</a></p>\n'],
    ['a <kbd>b</kbd> <unknown>c</unknown>', '<p>a <kbd>b</kbd> c</p>\n'],
    ['1 < 2 & "3"', '<p>1 &lt; 2 &amp; "3"</p>\n'],
  ])('renders %j', async (text, html) => {
    expect(await render(text)).toBe(html)
  })

  it.each([
    ['www.example.com', 'www.example.com'],
    ['see (www.example.com/a_(b)).', 'www.example.com/a_(b)'],
    ['www.example.com/a?b=1&c!', 'www.example.com/a?b=1&amp;c'],
    ['WWW.example.com, too', 'WWW.example.com'],
    ['a.b+c@example.com.', 'a.b+c@example.com'],
    ['(a@example.com)', 'a@example.com'],
    ['www.example.com/\ud800', 'www.example.com/\ud800'],
  ])('autolinks the bare URL in %j', async (text, shown) => {
    for (const context of [plain, flavored]) {
      const html = await render(text, context)
      expect(html).toContain(`>${shown}</a>`)
      expect(html).toMatch(shown.includes('@') ? /href="mailto:a/ : /href="http:\/\/www\./i)
    }
  })

  it.each([
    'www',
    'www.',
    'awww.example.com',
    'a@b',
    '@user and a@',
    'a@b.c-',
    '`www.example.com`',
    '[www.example.com](a)',
    '<a href="a">www.example.com</a>',
    `www.${'a'.repeat(2001)}.com`,
  ])('does not autolink within links, nor %j', async (text) => {
    expect((await render(text)).match(/<a /g) ?? []).toHaveLength(/\(a\)|<a /.test(text) ? 1 : 0)
  })

  it('turns URLs into links without a referrer', async () => {
    const rel = 'rel="nofollow noreferrer noopener" target="_blank"'
    expect(await render('https://example.com/a?b=1&c')).toBe(
      `<p><a href="https://example.com/a?b=1&amp;c" ${rel}>https://example.com/a?b=1&amp;c</a></p>\n`,
    )
    expect(await render('[a](b/c.md) <mailto:a@b.c>')).toBe(
      '<p><a href="b/c.md">a</a> <a href="mailto:a@b.c">mailto:a@b.c</a></p>\n',
    )
  })

  it('aligns the cells of tables', async () => {
    const html = await render('| a | b | c |\n|---|:-:|--:|\n| 1 | 2 | 3 |\n')
    expect(html).toContain('<th>a</th>\n<th align="center">b</th>\n<th align="right">c</th>')
    expect(html).toContain('<td>1</td>\n<td align="center">2</td>\n<td align="right">3</td>')
  })

  it('renders the checkboxes of task lists', async () => {
    expect(await render('- [ ] open <b>\n- [x] **done**\n- [y] none\n')).toBe(
      '<ul class="task-list">\n' +
        '<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" disabled /> open <b></b></li>\n' +
        '<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" disabled checked /> <strong>done</strong></li>\n' +
        '<li>[y] none</li>\n</ul>\n',
    )
    expect(await render('1. [X] a & b')).toBe(
      '<ol class="task-list">\n<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" disabled checked /> a &amp; b</li>\n</ol>\n',
    )
    expect(await render('[ ] no list')).toBe('<p>[ ] no list</p>\n')
    expect(await render('- a [ ] b')).toBe('<ul>\n<li>a [ ] b</li>\n</ul>\n')
  })

  it.each([
    '<script>alert(1)</script>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<img src=x onerror=alert(1)>',
    '<img src="javascript:alert(1)">',
    '<img src="data:text/html;base64,PHNjcmlwdD4=">',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="java\nscript:alert(1)">x</a>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '<a href=" javascript:alert(1)">x</a>',
    '<a href="vbscript:x">x</a>',
    '<a href="//evil.example/x">x</a>',
    '<a href="/\t/evil.example/x">x</a>',
    '[x](//evil.example/x)',
    '<a class="gfm gfm-issue" data-issue="1" href="/x">x</a>',
    '<gl-emoji data-name="x" onclick=alert(1)>x</gl-emoji>',
    '<span style="position:fixed">x</span>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt&colon;alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '![x](data:image/svg+xml;base64,PHN2Zz4=)',
    '<javascript:alert(1)>',
    '<svg onload=alert(1)><script>alert(1)</script></svg>',
    '<svg><style><img src=x onerror=alert(1)></style></svg>',
    '<math><mi//xlink:href="data:x,<script>alert(4)</script>">',
    '<style>*{background:url(javascript:alert(1))}</style>',
    '<p style="background:url(javascript:alert(1))">x</p>',
    '<iframe src="https://evil.example"></iframe>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<object data="x"></object><embed src="x">',
    '<form action="/x"><button formaction="javascript:alert(1)">x</button></form>',
    '<details ontoggle=alert(1) open>x</details>',
    '<input type="text" name="password" autofocus onfocus=alert(1)>',
    '<base href="https://evil.example/"><meta http-equiv="refresh" content="0">',
    '<div id="app" name="x" class="modal">x</div>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '```"onmouseover="alert(1)\nx\n```',
    '<template><img src=x onerror=alert(1)></template>',
    '<!--><img src=x onerror=alert(1)>-->',
    '- [ ] <img src=x onerror=alert(1)>',
  ])('sanitizes %j', async (text) => {
    for (const context of [plain, flavored]) {
      const html = await render(text, context)
      const tags = html.match(/<[^>]*>/g) ?? []
      for (const tag of tags) {
        expect(tag).not.toMatch(
          /\son\w+\s*=|script:|<script|style|iframe|svg|data:|\/evil|action|srcdoc/i,
        )
        expect(tag).not.toMatch(
          /\sname=|autofocus|modal|type="text"|<(?:base|meta|object)|gfm|data-/i,
        )
        expect(tag).not.toMatch(/ id="(?!user-content-)/)
      }
    }
  })

  it.each([
    ['quotes', '>'.repeat(20_000)],
    ['brackets', '['.repeat(20_000)],
    ['stars', '*a '.repeat(20_000)],
    ['lists', Array.from({ length: 300 }, (_, at) => `${' '.repeat(2 * at)}- x`).join('\n')],
    ['tags', '<div>'.repeat(20_000)],
    ['links', '[a]('.repeat(10_000)],
    ['backticks', Array.from({ length: 400 }, (_, at) => '`'.repeat(at)).join(' ')],
  ])('limits the nesting of %s', async (_, text) => {
    const depth = [...(await render(text)).matchAll(/<(\/?)(?:div|blockquote|ul|li|em)\b/g)].reduce(
      ({ now, max }, [, close]) => {
        const next = now + (close === '/' ? -1 : 1)
        return { now: next, max: Math.max(max, next) }
      },
      { now: 0, max: 0 },
    )
    expect(depth.max).toBeLessThanOrEqual(100)
  })
})
