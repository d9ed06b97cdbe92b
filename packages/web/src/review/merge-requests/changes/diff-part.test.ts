import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseHunks } from '../../../code/diffs/hunks.ts'
import { diffPart, linesPerPart } from './diff-part.ts'

const numbered = (diff: string) =>
  parseHunks(diff).flatMap(({ lines }) =>
    lines.map(({ kind, oldLine, newLine, text }) => [kind, oldLine, newLine, text]),
  )

describe('diffPart', () => {
  it('returns short diffs as they are', () => {
    const diff = '--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n a\n+b\n'
    expect(diffPart(diff, 3)).toEqual({ diff, part: 1, parts: 1 })
    expect(diffPart('', 1)).toEqual({ diff: '', part: 1, parts: 1 })
  })

  it('has parts that together are the lines of the whole, with the same numbers', () => {
    const signs = fc.array(fc.constantFrom(' ', '+', '-'), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(fc.array(signs, { minLength: 1, maxLength: 4 }), (hunks) => {
        const diff = hunks
          .map((hunk, at) => {
            const start = at * 1_000_000 + 1
            const lines = Array.from({ length: 700 }, (_, line) => {
              const sign = hunk[line % hunk.length] ?? ' '
              return `${sign}text ${line}`
            })
            return `@@ -${start},9 +${start + 5},9 @@ section\n${lines.join('\n')}\n`
          })
          .join('')
        const whole = `--- a/x\n+++ b/x\n${diff}`
        const { parts } = diffPart(whole, 1)
        expect(parts).toBe(Math.ceil((hunks.length * 700) / linesPerPart))
        const each = Array.from({ length: parts }, (_, at) => diffPart(whole, at + 1).diff)
        expect(each.flatMap(numbered)).toEqual(numbered(whole))
      }),
      { numRuns: 20 },
    )
  })
})
