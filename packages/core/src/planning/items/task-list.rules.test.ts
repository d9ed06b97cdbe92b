import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorMilliseconds } from '../../testing/processor-time.ts'
import { taskCompletion } from './task-list.rules.ts'

const count = (...lines: string[]) => {
  const { count: all, completed_count: done } = taskCompletion(lines.join('\n'))
  return [all, done]
}

describe('taskCompletion', () => {
  it.each([
    '- [ ] a',
    '* [ ] a',
    '+ [ ] a',
    '1. [ ] a',
    '12. [ ] a',
    '> - [ ] a',
    '> > - [ ] a',
    '  - [ ] a',
    '-   [ ]  a',
    '- [ ] `code`',
  ])('counts %j', (line) => {
    expect(count(line)).toEqual([1, 0])
  })

  it.each(['- [x] a', '- [X] a'])('counts %j as done', (line) => {
    expect(count(line)).toEqual([1, 1])
  })

  it.each([
    '',
    '[ ] a',
    '- [] a',
    '- [y] a',
    '- [ ]a',
    '- [ ]',
    '- [ ]   ',
    '-[ ] a',
    'a - [ ] b',
    '1) [ ] a',
    '- text [ ] a',
  ])('does not count %j', (line) => {
    expect(count(line)).toEqual([0, 0])
  })

  it('counts nested tasks and those after text, with any line ending', () => {
    expect(count('Todo:', '- [x] a', '    - [ ] b', '        - [x] c', '', '    - [ ] d')).toEqual([
      4, 2,
    ])
    expect(taskCompletion('- [ ] a\r\n- [x] b\r- [x] c')).toEqual({ count: 3, completed_count: 2 })
  })

  it.each([
    ['```', '```'],
    ['~~~', '~~~'],
    ['````md', '````'],
    ['``` md', '`````'],
    ['  ```', '  ```'],
    ['> ```', '> ```'],
    ['- ```', '  ```'],
  ])('ignores text between %j and %j', (open, close) => {
    expect(
      count('- [x] before', open, '- [ ] code', '', '- [x] code', close, '- [ ] after'),
    ).toEqual([2, 1])
  })

  it('closes a fence only with enough of the same characters', () => {
    expect(count('````', '```', '~~~~', '- [ ] code', '````', '- [ ] a')).toEqual([1, 0])
    expect(count('```', '``` x', '- [ ] code')).toEqual([0, 0])
  })

  it('ignores fence characters within a line', () => {
    expect(count('```a``` is code', '- [ ] a')).toEqual([1, 0])
    expect(count('see ```', '- [ ] a')).toEqual([1, 0])
  })

  it('ignores indented code', () => {
    expect(count('    - [ ] code', '    - [ ] code', '', '\t- [x] code')).toEqual([0, 0])
    expect(count('Text', '', '    - [ ] code', '', '- [ ] a')).toEqual([1, 0])
    expect(count('- [ ] a', '', 'Text', '', '    - [ ] code')).toEqual([1, 0])
  })

  it('counts all tasks, whatever is between them', () => {
    const line = fc.constantFrom('- [ ] a', '- [x] b', 'text', '', '- item', '`[ ]`')
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const done = lines.filter((text) => text === '- [x] b').length
        const open = lines.filter((text) => text === '- [ ] a').length
        expect(count(...lines)).toEqual([done + open, done])
      }),
    )
  })

  it('is fast for a long text with many fences', () => {
    const text = `- [ ] a\n${'> '.repeat(100_000)}\n${'- '.repeat(100_000)}\n${' '.repeat(100_000)}`
    expect(processorMilliseconds(() => taskCompletion(text))).toBeLessThan(1000)
  })
})
