import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { uploadFilename } from './upload-filename.ts'

describe('uploadFilename', () => {
  it.each([
    ['a.png', 'a.png'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\folder\\my report (1).pdf', 'my_report_1_.pdf'],
    ['re\u0301sume\u0301.pdf', 'résumé.pdf'],
    ['図.png', '図.png'],
    ['a](javascript:x)', 'a_javascript_x_'],
    ['.htaccess', 'htaccess'],
    ['..', 'file'],
    ['', 'file'],
    ['a/', 'file'],
    ['\ud800', '_'],
    [`${'x'.repeat(80)}.txt`, `${'x'.repeat(56)}.txt`],
    [`xxxxx.${'.'.repeat(58)}y`, 'y'],
  ])('turns %j into %j', (given, expected) => {
    expect(uploadFilename(given)).toBe(expected)
  })

  it('returns names that file systems, URLs and Markdown take, and that it leaves alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (given) => {
        const name = uploadFilename(given)
        expect(uploadFilename(name)).toBe(name)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(240)
        expect(name).toMatch(/^[^.][^\s/\\()[\]]*$/)
      }),
    )
  })
})
