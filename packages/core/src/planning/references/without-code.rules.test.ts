import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutCode } from './without-code.rules.ts'

/** The remaining text, with collapsed spaces. */
const left = (text: string) => withoutCode(text).replace(/\s+/g, ' ').trim()

describe('withoutCode', () => {
  it.each([
    ['a `b` c', 'a c'],
    ['a ``b ` c`` d', 'a d'],
    ['a `b', 'a `b'],
    ['a ``b` c', 'a ``b` c'],
    ['a \\`b` c', 'a \\`b` c'],
    ['a \\\\`b` c', 'a \\\\ c'],
    ['a `b\\` c', 'a c'],
    ['a `b\nc` d', 'a d'],
    ['a `b\n\nc` d', 'a `b c` d'],
    ['- `b\n- c` d', '- `b - c` d'],
    ['a\n```\nb\n```\nc', 'a c'],
    ['a\n```\nb', 'a'],
    ['~~~ruby\nb\n~~~\nc', 'c'],
    ['a\n\n    b\n\nc', 'a c'],
    ['a\n    b', 'a b'],
    ['- a\n\n    b', '- a b'],
    ['a <!-- b --> c', 'a c'],
    ['<!-- a\n\nb --> c', 'c'],
    ['<!-- a\n```\nb\n-->\nc', 'c'],
    ['<!-- a\n\nb', ''],
    ['<!-- a\n-->b <!-- c', 'b <!-- c'],
    ['<!-- a\n--><!-- b\n\nc', '<!-- b c'],
    ['<!-- a\n--><!-- b\nc --> d', 'd'],
    ['<!-- a\n-->```\nb\n\nc', '``` b c'],
    ['<!-- a\n-->    b', 'b'],
    ['a <!-- b\n\nc -->', 'a <!-- b c -->'],
    ['`<!--` a `-->`', 'a'],
    ['<!-- ` --> a `b`', 'a'],
  ])('reduces %j to %j', (text, rest) => {
    expect(left(text)).toBe(rest)
  })

  it('keeps the length, line ends and all other text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '`',
        '``',
        '```',
        '~~~',
        '<!--',
        '-->',
        '    ',
        '\n',
        '\r\n',
        '\\',
        '- ',
        '> ',
      ),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('')
        const rest = withoutCode(text)
        expect(rest.length).toBe(text.length)
        for (let at = 0; at < text.length; at += 1) {
          if (rest.charAt(at) !== text.charAt(at)) {
            expect(rest.charAt(at)).toBe(' ')
            expect(text.charAt(at)).not.toMatch(/[\r\n]/)
          }
        }
      }),
      { examples: [[['<!--', '\n', '-->', '<!--']], [['<!--', '\n', '-->', '```']]] },
    )
  })
})
