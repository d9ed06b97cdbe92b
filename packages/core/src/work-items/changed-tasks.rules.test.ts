import { describe, expect, it } from 'vitest'
import { changedTasks } from './changed-tasks.rules.ts'

const list = (...lines: string[]) => lines.join('\n')

describe('changedTasks', () => {
  it('tells which tasks were ticked and unticked', () => {
    const old = list('- [ ] a', '1. [x] b', '> * [ ] c [x] d', '- [X] e')
    const current = list('- [x] a', '1. [ ] b', '> * [X] c [x] d', '- [x] e')
    expect(changedTasks(old, current)).toEqual([
      { text: 'a', done: true },
      { text: 'b', done: false },
      { text: 'c [x] d', done: true },
    ])
  })

  it('tells nothing of tasks that were written anew, moved or dropped', () => {
    expect(changedTasks('- [ ] a', '- [x] b')).toEqual([])
    expect(changedTasks(list('- [ ] a', '- [ ] b'), list('- [x] b', '- [ ] a'))).toEqual([])
    expect(changedTasks('- [ ] a', '')).toEqual([])
    expect(changedTasks('', '- [x] a')).toEqual([])
  })

  it('leaves code out', () => {
    expect(changedTasks(list('```', '- [ ] a', '```'), list('```', '- [x] a', '```'))).toEqual([])
  })
})
