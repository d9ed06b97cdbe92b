import { describe, expect, it } from 'vitest'
import {
  changesLines,
  linesOf,
  maxSuggestions,
  parseSuggestions,
  replaceLines,
  suggestedRange,
} from './suggestion.rules.ts'

const fenced = (info: string, ...lines: string[]) => [`\`\`\`${info}`, ...lines, '```'].join('\n')

describe('parseSuggestions', () => {
  it('reads blocks with the tag, their range and their lines', () => {
    const text = `Better:\n\n${fenced('suggestion', 'a', '  b')}\n\nor\n\n${fenced('suggestion:-2+10', '')}`
    expect(parseSuggestions(text)).toEqual([
      { linesAbove: 0, linesBelow: 0, content: 'a\n  b\n' },
      { linesAbove: 2, linesBelow: 10, content: '\n' },
    ])
  })

  it.each([
    ['suggestion:-3', 3, 0],
    ['suggestion:+4', 0, 4],
    ['suggestion:-0+0', 0, 0],
    ['suggestion:-500+999999999', 100, 100],
  ])('reads the range of %s', (info, linesAbove, linesBelow) => {
    expect(parseSuggestions(fenced(info, 'x'))).toEqual([
      { linesAbove, linesBelow, content: 'x\n' },
    ])
  })

  it('reads an empty block as a deletion, and Windows line ends as plain ones', () => {
    expect(parseSuggestions(fenced('suggestion'))).toMatchObject([{ content: '' }])
    const text = fenced('suggestion', 'a', 'b').replaceAll('\n', '\r\n')
    expect(parseSuggestions(text)).toMatchObject([{ content: 'a\nb\n' }])
  })

  it('keeps fences within a longer fence, and takes off the indent of its own', () => {
    const text = '````suggestion\n```js\nx\n```\n````'
    expect(parseSuggestions(text)).toMatchObject([{ content: '```js\nx\n```\n' }])
    const indented = '  ~~~suggestion\n    a\n b\n  ~~~'
    expect(parseSuggestions(indented)).toMatchObject([{ content: '  a\nb\n' }])
  })

  it('takes no other blocks', () => {
    for (const text of [
      fenced('js', 'suggestion'),
      fenced('suggestions', 'x'),
      fenced('suggestion:x', 'x'),
      fenced('suggestion:-1-1', 'x'),
      `> ${fenced('suggestion', 'x')}`,
      fenced('js', '~~~suggestion', 'x', '~~~'),
      '`suggestion`',
      '    ```suggestion\n    x\n    ```',
    ]) {
      expect(parseSuggestions(text), text).toEqual([])
    }
  })

  it('reads an open block to the end, and only so many blocks', () => {
    expect(parseSuggestions('```suggestion\na')).toMatchObject([{ content: 'a\n' }])
    const many = Array.from({ length: 200 }, () => fenced('suggestion', 'x')).join('\n\n')
    expect(parseSuggestions(many)).toHaveLength(maxSuggestions)
  })
})

describe('replaceLines', () => {
  it.each([
    ['a line', 'a\nb\nc\n', 2, 2, 'x\n', 'a\nx\nc\n'],
    ['several by fewer', 'a\nb\nc\n', 1, 3, 'x\n', 'x\n'],
    ['a line by none', 'a\nb\nc\n', 2, 2, '', 'a\nc\n'],
    ['more lines than there are', 'a\nb\n', 2, 9, 'x\ny\n', 'a\nx\ny\n'],
    ['Windows lines', 'a\r\nb\r\n', 1, 1, 'x\ny\n', 'x\r\ny\r\nb\r\n'],
    ['the last line without an end', 'a\nb', 2, 2, 'x\n', 'a\nx'],
    ['the last Windows line without an end', 'a\r\nb', 1, 2, 'x\n', 'x'],
    ['a line before such a last one', 'a\nb', 1, 1, 'x\n', 'x\nb'],
    ['a last line without an end among Windows lines', 'a\r\nb', 2, 2, 'x\ny\n', 'a\r\nx\r\ny'],
    ['an only line by none', 'a', 1, 1, '', ''],
  ])('replaces %s', (_, text, from, to, content, expected) => {
    expect(replaceLines(text, { from, to }, content)).toBe(expected)
  })
})

describe('linesOf', () => {
  it.each([
    ['a\nb\nc\n', 2, 2, 'b\n'],
    ['a\nb\nc\n', 1, 3, 'a\nb\nc\n'],
    ['a\nb\nc', 2, 9, 'b\nc'],
    ['a\n\nc\n', 2, 2, '\n'],
    ['a\n', 2, 2, ''],
    ['', 1, 1, ''],
  ])('reads of %j lines %i to %i', (text, from, to, expected) => {
    expect(linesOf(text, { from, to })).toBe(expected)
  })
})

describe('suggestedRange', () => {
  it('starts at the first line', () => {
    expect(suggestedRange(2, { linesAbove: 5, linesBelow: 3 })).toEqual({ from: 1, to: 5 })
    expect(suggestedRange(9, { linesAbove: 5, linesBelow: 0 })).toEqual({ from: 4, to: 9 })
  })
})

describe('changesLines', () => {
  it.each([
    ['a\n', 'b\n', true],
    ['a\n', '', true],
    ['', '\n', true],
    ['a\n', 'a\n', false],
    ['a\r\nb\r\n', 'a\nb\n', false],
    ['a', 'a\n', false],
  ])('compares %j with %j', (lines, content, expected) => {
    expect(changesLines(lines, content)).toBe(expected)
  })
})
