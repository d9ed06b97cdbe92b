import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isHookUrl } from '../../activity/webhooks/webhook.rules.ts'
import { importUrlErrors } from '../../directory/projects/project.rules.ts'
import { projectSettings } from '../../directory/projects/project-settings.schema.ts'
import { isDocumented } from '../../testing/documented-text.ts'
import { fieldMeta } from './fields.ts'
import { linkUrlError } from './link-url.rules.ts'
import { webUrlText } from './text-options.ts'
import { linkPattern } from './web-urls.ts'

const link = { rules: { pattern: linkPattern(['http', 'https', 'ftp']), maxLength: 2048 } }
const importUrl = { rules: { pattern: fieldMeta(projectSettings.import_url)?.wire.pattern ?? '' } }

const good = [
  'http://a',
  'https://a.example:65535/x?y=%20#z',
  'https://A-b_c.example.',
  'http://1.2.3.255/',
  'http://[::1]:80',
  'http://[1::8]/',
  'http://[1:2:3:4:5:6:7:8]',
  'http://[1:2:3:4:5:6:7::]',
  'https://a.example/%{project_path}|"<>^`',
]

const bad = [
  'http://',
  'http:/a',
  'http:///a',
  'a.example',
  'javascript:alert(1)',
  'http://a:65536',
  'http://a:b',
  'http://a.1',
  'http://a.0x1',
  'http://1.2.3.256',
  'http://[1::2::3]',
  'http://[1:2:3:4:5:6:7:8:9]',
  'http://[g::]',
  'http://a%zz/',
  'http://a<b>/',
  'http://a b',
  'http://a/ b',
]

const piece = fc.oneof(
  fc.constantFrom('http://', 'https://', 'ftp://', 'a', 'b.example', '1', '0x', '[::1]', '[1:2'),
  fc.constantFrom('.', ':', '@', '/', '?', '#', '%', '\\', ' ', '-', '_', ']', '|', '<', 'ü', '\n'),
)
const url = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))

describe('the documented URLs', () => {
  it.each(good)('have %j, which is accepted', (text) => {
    expect(isDocumented(link, text)).toBe(true)
    expect(linkUrlError(text, ['http', 'https', 'ftp'])).toBeUndefined()
    expect([isDocumented(webUrlText, text), isHookUrl(text)]).toEqual([true, true])
  })

  it.each(bad)('lack %j, which is refused', (text) => {
    expect(isDocumented(link, text)).toBe(false)
    expect(isDocumented(webUrlText, text)).toBe(false)
    expect(linkUrlError(text, ['http', 'https', 'ftp'])).toBeDefined()
  })

  it('have credentials only where they are accepted', () => {
    const text = 'https://user:p%40ss@a.example/x'
    expect(isDocumented(link, text)).toBe(false)
    expect([isDocumented(webUrlText, text), isHookUrl(text)]).toEqual([true, true])
    expect([isDocumented(importUrl, text), importUrlErrors(text)]).toEqual([true, []])
  })

  it('are all accepted', () => {
    fc.assert(
      fc.property(fc.tuple(fc.constantFrom('http://', ''), url), ([scheme, rest]) => {
        const text = scheme + rest
        if (isDocumented(link, text)) {
          expect([text, linkUrlError(text, ['http', 'https', 'ftp'])]).toEqual([text, undefined])
        }
        if (isDocumented(webUrlText, text)) expect([text, isHookUrl(text)]).toEqual([text, true])
        if (isDocumented(importUrl, text)) {
          expect([text, importUrlErrors(text)]).toEqual([text, []])
        }
      }),
      { numRuns: 5000 },
    )
  })
})
