import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { absoluteImages } from './absolute-images.rules.ts'
import { pushOptionTree } from './push-options.rules.ts'
import { isHookToken, isHookUrl } from './webhook.rules.ts'

describe('isHookUrl', () => {
  it.each([
    'http://ci.example',
    'https://user:secret@ci.example:8443/path?x=1#y',
    'HTTP://CI.EXAMPLE/',
    'http://[::1]:1/',
  ])('accepts %s', (url) => {
    expect(isHookUrl(url)).toBe(true)
  })

  it.each([
    '',
    'ci.example',
    'ftp://ci.example',
    'file:///etc/passwd',
    'http://',
    'http:///path',
    'http:ci.example',
    'http://ci.example/\r\nX-Evil: 1',
    ' http://ci.example',
    'http://a b/',
    'http://[::1/',
    'http://ci.example:99999/',
    'javascript:alert(1)',
    `http://ci.example/${'x'.repeat(3000)}`,
  ])('rejects %j', (url) => {
    expect(isHookUrl(url)).toBe(false)
  })
})

describe('isHookToken', () => {
  it('accepts any single line within the length limit', () => {
    expect(isHookToken('päss wörd')).toBe(true)
    for (const token of ['a\nb', 'a\rb', 'a\tb', '\u007f', 'x'.repeat(3000)]) {
      expect(isHookToken(token)).toBe(false)
    }
  })
})

describe('pushOptionTree', () => {
  it('groups options by the part before the dot', () => {
    expect(
      pushOptionTree([
        'ci.skip',
        'merge_request.create',
        'merge_request.target=a=b.c',
        'plain',
        'x=',
      ]),
    ).toEqual({
      ci: { skip: true },
      merge_request: { create: true, target: 'a=b.c' },
      plain: true,
      x: '',
    })
    expect(pushOptionTree(['ci=1', 'ci.skip', 'ci=2', 'ci.skip=3'])).toEqual({ ci: { skip: '3' } })
  })

  it('accepts any text, and names of Object.prototype properties', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (options) => {
        expect(JSON.parse(JSON.stringify(pushOptionTree(options)))).toBeTypeOf('object')
      }),
    )
    const tree = pushOptionTree(['__proto__.polluted', 'constructor.x'])
    expect(Object.keys(tree)).toEqual(['__proto__', 'constructor'])
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('absoluteImages', () => {
  const urls = { projectUrl: 'https://code.example/a/b', siteUrl: 'https://code.example' }

  it('makes image URLs absolute and keeps other text unchanged', () => {
    const text =
      '![a](/uploads/1/x.png) ![](y.png "t") ![s](/z.png) [no](/uploads/q) ![h](http://x/y.png)'
    expect(absoluteImages(text, urls)).toBe(
      '![a](https://code.example/a/b/uploads/1/x.png) ![](https://code.example/a/b/y.png "t") ' +
        '![s](https://code.example/z.png) [no](/uploads/q) ![h](http://x/y.png)',
    )
    expect(absoluteImages('![d](data:image/png;base64,x) ![p](//x/y)', urls)).toContain('(data:')
  })

  it('matches the innermost of nested brackets, and keeps truncated images unchanged', () => {
    expect(absoluteImages('![![a](x.png)', urls)).toBe('![![a](https://code.example/a/b/x.png)')
    for (const text of ['![', '![a](', '![a]((x)', '![a\nb](x)']) {
      expect(absoluteImages(text, urls)).toBe(text)
    }
  })
})
