import { describe, expect, it } from 'vitest'
import { createLineReader, type LineOptions } from './line-reader.ts'

function linesOf(text: string, size: number, options?: LineOptions): string[] {
  const lines: string[] = []
  const reader = createLineReader((line) => void lines.push(line.toString()), options)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size))
  reader.end()
  return lines
}

describe('createLineReader', () => {
  it.each(['', '\n', 'a', 'a\n', 'a\nbü\n', '\n\na\n\n', 'ab\ncd\n\nü'])(
    'splits %j however it is split into chunks',
    (text) => {
      const lines = text.split('\n')
      const expected = lines.at(-1) === '' ? lines.slice(0, -1) : lines
      for (const size of [1, 2, 3, 100]) {
        expect(linesOf(text, size)).toEqual(expected)
        expect(linesOf(text, size, { keepSeparator: true }).join('')).toBe(text)
      }
    },
  )

  it('cuts long lines, and goes on with the next one', () => {
    for (const size of [1, 2, 3, 100]) {
      const options = { separator: 0, maxBytes: 4 }
      expect(linesOf('abcdef\0gh\0abcd\0abcdefgh', size, options)).toEqual([
        'abcd',
        'gh',
        'abcd',
        'abcd',
      ])
    }
  })

  it('stops when it is told to', () => {
    const lines: string[] = []
    const reader = createLineReader((line) => {
      lines.push(line.toString())
      return lines.length < 2
    })
    expect(reader.push(Buffer.from('a\n'))).toBe(true)
    expect(reader.push(Buffer.from('b\nc\n'))).toBe(false)
    expect(lines).toEqual(['a', 'b'])
  })
})
