import { describe, expect, it } from 'vitest'
import { changedTasks } from './changed-tasks.rules.ts'

const list = (...lines: string[]) => lines.join('\n')

describe('changedTasks', () => {
  it('returns the tasks that were checked and unchecked', () => {
    const old = list('- [ ] a', '1. [x] b', '> * [ ] c [x] d', '- [X] e')
    const current = list('- [x] a', '1. [ ] b', '> * [X] c [x] d', '- [x] e')
    expect(changedTasks(old, current)).toEqual([
      { text: 'a', done: true },
      { text: 'b', done: false },
      { text: 'c [x] d', done: true },
    ])
  })

  it('ignores tasks that were added, moved or removed', () => {
    expect(changedTasks('- [ ] a', '- [x] b')).toEqual([])
    expect(changedTasks(list('- [ ] a', '- [ ] b'), list('- [x] b', '- [ ] a'))).toEqual([])
    expect(changedTasks('- [ ] a', '')).toEqual([])
    expect(changedTasks('', '- [x] a')).toEqual([])
  })

  it('ignores code', () => {
    expect(changedTasks(list('```', '- [ ] a', '```'), list('```', '- [x] a', '```'))).toEqual([])
  })
})
