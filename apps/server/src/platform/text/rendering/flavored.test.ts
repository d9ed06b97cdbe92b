import { describe, expect, it } from 'vitest'
import type { RenderContext, ResolvedReference } from './render-context.ts'
import { openRendering } from './rendering.ts'

const context: RenderContext = {
  gfm: true,
  webUrl: 'https://code.example',
  project: { fullPath: 'group/project', ref: 'main' },
}

function render(text: string, found: Record<string, ResolvedReference> = {}): Promise<string> {
  return openRendering(text, context).finish(new Map(Object.entries(found)))
}

const rel = 'rel="nofollow noreferrer noopener" target="_blank"'
const tada = '<gl-emoji title="party popper" data-name="tada">🎉</gl-emoji>'

describe('flavoured Markdown', () => {
  it.each([
    [':tada:', tada],
    ['(:tada:)', `(${tada})`],
    [
      ':+1: :thumbsup:',
      expect.stringMatching(
        /^(<gl-emoji title="thumbs up" data-name="thumbsup">👍<\/gl-emoji> ?){2}$/u,
      ),
    ],
    [':nothing: a:tada: :tada:b ::tada::', ':nothing: a:tada: :tada:b ::tada::'],
    ['`:tada:`', '<code>:tada:</code>'],
    ['[:tada:](/x)', `<a href="https://code.example/group/project/blob/main/x">${tada}</a>`],
    [':constructor:', ':constructor:'],
  ])('renders the emoji of %j', async (text, html) => {
    const rendered = (await render(text)).replace(/^<p>([\s\S]*)<\/p>\n$/, '$1')
    expect(rendered).toEqual(html)
  })

  const added = (text: string) => `<ins class="idiff left right addition">${text}</ins>`
  const removed = (text: string) => `<del class="idiff left right deletion">${text}</del>`
  it.each([
    ['**Fix {-the-} bug** to {+a+}', `<strong>Fix ${removed('the')} bug</strong> to ${added('a')}`],
    ['[-one-] [+two+]', `${removed('one')} ${added('two')}`],
    ['{-a-}{-b-}', `${removed('a')}${removed('b')}`],
    ['{+a `b` *c* :tada:+}', added(`a <code>b</code> <em>c</em> ${tada}`)],
    ['{+a {-b-} c+}', added(`a ${removed('b')} c`)],
    ['{+ a {-b [+c-} d+]', `{+ a ${removed('b [+c')} d+]`],
    ['{+<b>x</b>+}', '{+<b>x</b>+}'],
    ['{+a-} [-b+] {-c', '{+a-} [-b+] {-c'],
    ['{+a *b+} c*', '{+a <em>b+} c</em>'],
    ['{+a\nb+}', '{+a\nb+}'],
    ['`{+a+}` \\{+b+}', '<code>{+a+}</code> {+b+}'],
    ['{+}', '{+}'],
  ])('shows the changes of %j', async (text, html) => {
    expect((await render(text)).replace(/^<p>([\s\S]*)<\/p>\n$/, '$1')).toBe(html)
  })

  it('gives headings unique anchors', async () => {
    expect(await render('# A *b* `c`: Über\n\n## a b c über\n\n# 12\n\n# !')).toBe(
      '<h1><a id="user-content-a-b-c-über" class="anchor" href="#a-b-c-über" aria-hidden="true"></a>A <em>b</em> <code>c</code>: Über</h1>\n' +
        '<h2><a id="user-content-a-b-c-über-1" class="anchor" href="#a-b-c-über-1" aria-hidden="true"></a>a b c über</h2>\n' +
        '<h1><a id="user-content-anchor-12" class="anchor" href="#anchor-12" aria-hidden="true"></a>12</h1>\n' +
        '<h1>!</h1>\n',
    )
  })

  it('highlights code of a known language, and no other', async () => {
    expect(await render('```js\nlet a = "<b>"\n```')).toBe(
      '<pre><code class="hljs language-js"><span class="hljs-keyword">let</span> a = <span class="hljs-string">"&lt;b&gt;"</span>\n</code></pre>\n',
    )
    expect(await render('```nolanguage\nlet a < b\n```')).toBe(
      '<pre><code class="language-nolanguage">let a &lt; b\n</code></pre>\n',
    )
    expect(await render('```\nlet a\n```')).toBe('<pre><code>let a\n</code></pre>\n')
    const long = `let a = 1\n${'// x\n'.repeat(12_000)}`
    expect(await render(`\`\`\`js\n${long}\`\`\``)).toBe(
      `<pre><code class="language-js">${long}</code></pre>\n`,
    )
  })

  it('collects footnotes at the end, in the order of their references', async () => {
    expect(await render('a[^x] b[^y] c[^x] d[^z]\n\n[^y]: Y\n[^x]: X\n[^unused]: U')).toBe(
      '<p>a<sup class="footnote-ref"><a href="#user-content-fn1" id="user-content-fnref1">1</a></sup> ' +
        'b<sup class="footnote-ref"><a href="#user-content-fn2" id="user-content-fnref2">2</a></sup> ' +
        'c<sup class="footnote-ref"><a href="#user-content-fn1" id="user-content-fnref1-1">1</a></sup> d[^z]</p>\n' +
        '<section class="footnotes">\n<ol>\n' +
        '<li id="user-content-fn1"><p>X <a href="#user-content-fnref1" class="footnote-backref">↩</a>' +
        ' <a href="#user-content-fnref1-1" class="footnote-backref">↩</a></p>\n</li>\n' +
        '<li id="user-content-fn2"><p>Y <a href="#user-content-fnref2" class="footnote-backref">↩</a></p>\n</li>\n' +
        '</ol>\n</section>\n',
    )
    expect(await render('a^[inline *note*]')).toContain(
      '<li id="user-content-fn1"><p>inline <em>note</em> <a',
    )
    expect(await render('a\n\n[^x]: nobody asks')).toBe('<p>a</p>\n')
  })

  it('takes footnotes out of others', async () => {
    expect(await render('[^1]: 1. [^1]: ')).toBe('')
    const html = await render('a[^x] b[^y]\n\n[^x]: 1. X\n\n    [^y]: Y')
    expect(html).toContain('<li id="user-content-fn2"><p>Y <a')
    expect(html.match(/<ol>/g)).toHaveLength(2)
    expect(html.match(/<\/ol>/g)).toHaveLength(2)
  })

  it('has no nested links', async () => {
    expect(await render('[<http://b.example>\\[a](#c)')).toBe(
      '<p><a href="#c">http://b.example[a</a></p>\n',
    )
  })

  it('parses front matter as Markdown', async () => {
    expect(await render('---\ntitle: *x*\n---\n\ntext')).toBe(
      '<hr />\n<h2><a id="user-content-title-x" class="anchor" href="#title-x" aria-hidden="true"></a>title: <em>x</em></h2>\n<p>text</p>\n',
    )
  })

  it.each([
    ['[a](docs/a.md#top)', 'https://code.example/group/project/blob/main/docs/a.md#top'],
    ['[a](./docs/)', 'https://code.example/group/project/tree/main/docs/'],
    ['[a](/docs/a%20b.md)', 'https://code.example/group/project/blob/main/docs/a%20b.md'],
    ['[a](../../../etc/passwd)', 'https://code.example/group/project/blob/main/etc/passwd'],
    ['[a](#there)', '#there'],
    ['[a](?q=1)', '?q=1'],
    ['[a](mailto:a@b.example)', 'mailto:a@b.example'],
    ['[a](https://code.example/x)', 'https://code.example/x'],
    [
      '[a](/uploads/0123456789abcdef0123456789abcdef/a.png)',
      'https://code.example/group/project/uploads/0123456789abcdef0123456789abcdef/a.png',
    ],
    ['<a href="docs/a.md">a</a>', 'https://code.example/group/project/blob/main/docs/a.md'],
  ])('resolves %j in the project', async (text, href) => {
    expect(await render(text)).toBe(`<p><a href="${href}">a</a></p>\n`)
  })

  it.each([
    ['[a](https://code.example.evil/x)', 'https://code.example.evil/x'],
    ['[a](http://code.example/x)', 'http://code.example/x'],
    [
      '<a href="https://elsewhere.example" rel="me" target="_top">a</a>',
      'https://elsewhere.example',
    ],
  ])('opens %j in a new tab, without a referrer', async (text, href) => {
    expect(await render(text)).toBe(`<p><a href="${href}" ${rel}>a</a></p>\n`)
  })

  it('resolves images within the project, and keeps those from the web', async () => {
    expect(await render('![a "b"](img/x.png "t")')).toBe(
      '<p><img src="https://code.example/group/project/raw/main/img/x.png" alt="a &quot;b&quot;" title="t" /></p>\n',
    )
    expect(await render('![a](mailto:a@b.c)')).toBe('<p><img alt="a" /></p>\n')
    expect(await render('<img src="x.png" onerror=alert(1) width="10" height="1e9">')).toBe(
      '<img src="https://code.example/group/project/raw/main/x.png" width="10" />',
    )
  })
})

describe('references in flavoured Markdown', () => {
  const found = {
    'issue  1 ': {
      kind: 'issue',
      href: 'https://code.example/group/project/issues/1',
      title: 'A "title" <b>',
      text: '#1',
      data: { project: 5, issue: 7 },
    },
  }
  const link =
    '<a href="https://code.example/group/project/issues/1" title="A &quot;title&quot; &lt;b&gt;"' +
    ' class="gfm gfm-issue" data-original="#1" data-reference-type="issue" data-project="5" data-issue="7">#1</a>'

  it('become links when resolved, and remain text otherwise', async () => {
    expect(await render('See #1, **#1** and #2 & `#1`', found)).toBe(
      `<p>See ${link}, <strong>${link}</strong> and #2 &amp; <code>#1</code></p>\n`,
    )
  })

  it('are ignored in code, links, images and escapes', () => {
    const texts = [
      '`#1`',
      '    #1',
      '```\n#1\n```',
      '[a #1](/x)',
      '<a href="/x">#1</a>',
      '![#1](/x)',
      '\\#1',
      'é#1',
      '&#35;1',
    ]
    for (const text of texts) {
      expect([text, ...openRendering(text, context).references.keys()]).toEqual([text])
    }
  })

  it('are found in headings, lists, tables, footnotes and next to raw HTML', async () => {
    const texts = [
      '# #1',
      '- [ ] #1',
      '|a|\n|-|\n|#1|',
      'x[^1]\n\n[^1]: #1',
      '<b>#1</b>',
      '<div>\n\n#1\n\n</div>',
    ]
    for (const text of texts) expect(await render(text, found)).toContain(link)
  })

  it('are returned without duplicates', () => {
    const { references } = openRendering('#1 @A #1 group/project#1 @a %"a b" ~x ~X', context)
    expect([...references.values()].map(({ kind }) => kind)).toEqual([
      'issue',
      'user',
      'issue',
      'milestone',
      'label',
      'label',
    ])
  })

  it('may be URLs of the service; unresolved ones remain links', async () => {
    const text = 'https://code.example/group/project/issues/1'
    const key = 'issue group/project 1 '
    expect([...openRendering(text, context).references.keys()]).toEqual([key])
    expect(await render(text)).toBe(`<p><a href="${text}">${text}</a></p>\n`)
    expect(await render(text, { [key]: found['issue  1 '] })).toBe(
      `<p>${link.replace('data-original="#1"', `data-original="${text}"`)}</p>\n`,
    )
  })

  it('render labels in their colours', async () => {
    const label = {
      kind: 'label',
      href: '/x',
      title: '',
      text: 'bug <b>',
      data: {},
      colors: { background: '#ff0000', text: '#FFFFFF' },
    }
    const html =
      '<a href="/x" class="gfm gfm-label" data-original="~bug" data-reference-type="label">' +
      '<span class="label color-label" style="background-color: #ff0000; color: #FFFFFF">bug &lt;b&gt;</span></a>'
    expect(await render('~bug', { 'label   bug': label })).toBe(`<p>${html}</p>\n`)
    expect(await render('<i>~bug</i>', { 'label   bug': label })).toBe(`<p><i>${html}</i></p>\n`)
  })

  it('are ignored in plain Markdown', () => {
    expect(openRendering('#1 :tada:', { ...context, gfm: false }).references.size).toBe(0)
  })
})

describe('raw HTML', () => {
  it('cannot forge the elements of the renderer', async () => {
    const html = await render(
      '<h1 id="mine" class="x" \n\n# Title\n\n<div data-x=\'\n\n- [ ] a\'> b',
    )
    expect(html).toContain('&lt;h1 id="mine" class="x"')
    expect(html).toContain('id="user-content-title"')
    expect(html).not.toContain('data-own')
    expect(html).not.toMatch(/<[^>]*mine/)
  })

  it('keeps the output of Markdown within it', async () => {
    expect(
      await render(
        '<details open class="x"><summary>S</summary>\n\n- [x] a :tada:\n\n</details>\n\nb',
      ),
    ).toBe(
      '<details open><summary>S</summary>\n<ul class="task-list">\n<li class="task-list-item">' +
        `<input type="checkbox" class="task-list-item-checkbox" disabled checked /> a ${tada}</li>\n</ul>\n</details>\n<p>b</p>\n`,
    )
  })

  it('loses comments and declarations, and is text where it is not a complete tag', async () => {
    expect(await render('a <!-- b --> c <?php x ?> d <!X> e <3 f <b')).toBe(
      '<p>a  c  d  e &lt;3 f &lt;b</p>\n',
    )
    expect(await render('<!-- a\n\nb -->\n\nc')).toBe('\n<p>c</p>\n')
  })
})
