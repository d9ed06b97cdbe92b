import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noElements } from './open-elements.ts'
import { buildParser } from './parser.ts'
import type { RenderContext, ResolvedReference } from './render-context.ts'
import { openRendering } from './rendering.ts'
import { sanitize } from './sanitize.ts'

const contexts: RenderContext[] = [
  { gfm: false, webUrl: 'https://code.example' },
  {
    gfm: true,
    webUrl: 'https://code.example',
    project: { fullPath: 'group/project', ref: 'main' },
  },
]

/** Resolves every reference: the worst that a title or a name can contain. */
const hostile: ResolvedReference = {
  kind: 'issue',
  href: 'https://code.example/"><script>alert(1)</script>',
  title: '"><img src=x onerror=alert(1)>',
  text: '<script>alert(1)</script>',
  data: { original: '\' onclick="alert(1)' },
  colors: { background: '#ff0000', text: '#ffffff' },
}

const markdownPieces = [
  ...[
    '*',
    '**',
    '_',
    '~~',
    '`',
    '```',
    '```js\n',
    '~~~',
    '\n',
    '\n\n',
    '    ',
    '- ',
    '1. ',
    '> ',
    '# ',
  ],
  ...[
    '[',
    ']',
    '](',
    ')',
    '![',
    '[a](b)',
    '[a]: b "c"\n',
    '[^1]',
    '[^1]: ',
    '^[',
    '|',
    '|a|b|\n|-|:-:|\n',
  ],
  ...[
    '- [ ] ',
    '- [x] ',
    '---\n',
    '\\',
    '&amp;',
    '&lt;',
    '&#x3c;',
    '&colon;',
    '"',
    "'",
    ' ',
    '\t',
    'a',
    'é',
  ],
  ...[
    '#1',
    '!2',
    '@root',
    '~bug',
    '%"a b"',
    '$3',
    '&4',
    'abcdef12',
    'a/b#1',
    ':tada:',
    ':+1:',
    'x@y.z',
  ],
  ...[
    'https://code.example/group/project/issues/1',
    'http://e.example/?a=b&c',
    '<http://e.example>',
  ],
  ...[
    'javascript:alert(1)',
    'JaVaScRiPt&colon;alert(1)',
    'data:text/html,x',
    '//evil.example',
    'vbscript:x',
  ],
]

const htmlPieces = [
  ...['<', '>', '</', '/>', '<!--', '-->', '<![CDATA[', ']]>', '<?', '?>', '<!', '=', '"', "'"],
  ...['<b>', '</b>', '<div>', '</div>', '<p ', '<a href="', '<a href=javascript:alert(1)>', '</a>'],
  ...[
    '<script>',
    '</script>',
    '<style>',
    '</style>',
    '<svg>',
    '<math>',
    '<iframe srcdoc="',
    '<noscript>',
  ],
  ...['<textarea>', '<title>', '<xmp>', '<template>', '<select>', '<img src=x onerror=alert(1)>'],
  ...[
    ' onclick=alert(1) ',
    ' class="gfm" ',
    ' id="x" ',
    ' style="x" ',
    ' data-own="x" ',
    ' name=x ',
  ],
  ...[
    '<input type=text>',
    '<details open>',
    '<summary>',
    '<table><tr><td align=left>',
    '<form action=x>',
  ],
]

const markdown = fc
  .array(fc.constantFrom(...markdownPieces), { maxLength: 40 })
  .map((pieces) => pieces.join(''))
const anything = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...markdownPieces) },
      { weight: 3, arbitrary: fc.constantFrom(...htmlPieces) },
      { weight: 1, arbitrary: fc.string({ maxLength: 8, unit: 'binary' }) },
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''))

async function render(text: string, context: RenderContext): Promise<string> {
  const { references, finish } = openRendering(text, context)
  return finish(new Map([...references.keys()].map((key) => [key, hostile])))
}

const tags = new Set(
  (
    'a abbr b blockquote br caption cite code dd del details dfn div dl dt em gl-emoji h1 h2 h3 h4 h5 h6 hr i img ' +
    'input ins kbd li mark ol p pre q s samp section small span strike strong sub summary sup table tbody td ' +
    'tfoot th thead tr tt u ul var'
  ).split(' '),
)
const attributes =
  /^(?:href|title|rel|target|class|id|src|alt|width|height|type|disabled|checked|open|start|align|colspan|rowspan|style|aria-hidden|data-(?!own)[a-z-]+)$/

/** Strictly parses HTML: anything but plain text and well-formed, allowed tags is a fault. */
function faultIn(html: string): string | undefined {
  const rest = html.replace(
    /<(\/?)([a-z0-9-]+)((?: [a-z-]+(?:="[^"<>]*")?)*)( \/)?>/g,
    (tag, _close, name: string, given: string) => {
      if (!tags.has(name)) return `<${tag}`
      const faulty = [...given.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)].some(
        ([, attribute = '', value = '']) => !isHarmless(attribute, value),
      )
      return faulty ? `<${tag}` : ''
    },
  )
  return /[<>]/.test(rest) ? rest : undefined
}

function isHarmless(attribute: string, value: string): boolean {
  if (attribute === 'href' || attribute === 'src') {
    // The URL after entities are decoded.
    const address = value.replaceAll('&amp;', '&').replace(/[\0-\x20]/g, '')
    return /^(?:https?:|ftp:|mailto:|(?!\/\/|\/\\|[^/?#]*:))/i.test(address)
  }
  if (attribute === 'id') return value.startsWith('user-content-')
  if (attribute === 'type') return value === 'checkbox'
  if (attribute === 'style')
    return /^background-color: #[0-9a-f]{6}; color: #[0-9a-f]{6}$/.test(value)
  return attributes.test(attribute)
}

describe('for any text', () => {
  it('this test detects unsafe output', () => {
    const harm = [
      '<script>',
      '<a onclick="x">',
      '<a href="javascript:x">',
      '<a href="//e">',
      '<p id="x">',
      '<b',
      'a>b',
    ]
    for (const html of harm) expect(faultIn(html)).toBeDefined()
    expect(
      faultIn('<p>a <a href="/b" class="c">d</a><br />&lt;script></p>'.replace('t>', 't&gt;')),
    ).toBeUndefined()
  })

  it.each([
    ['Markdown', markdown],
    ['Markdown and HTML', anything],
  ])('%s renders to nothing that a page would run, or mistake for its own', async (_, texts) => {
    const property = fc.asyncProperty(texts, async (text) => {
      for (const context of contexts) expect(faultIn(await render(text, context))).toBeUndefined()
    })
    await fc.assert(property, { numRuns: 1500 })
  })

  it('the output without the sanitizer is what the sanitizer would leave unchanged', async () => {
    const md = buildParser()
    const property = fc.asyncProperty(
      markdown,
      fc.constantFrom(...contexts),
      async (text, context) => {
        const open = noElements()
        const env = { context, resolved: new Map(), nonce: 'nonce', open }
        const tokens = md.parse(text, env)
        const signed = md.renderer.render(tokens, md.options, env)
        const html = await openRendering(text, { ...context }).finish(new Map())
        // Highlighting has its own tests.
        if (html.includes('class="hljs')) return
        expect(html).toBe(sanitize(signed, 'nonce', context))
      },
    )
    await fc.assert(property, { numRuns: 1500 })
  })
})
