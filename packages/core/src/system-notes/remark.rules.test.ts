import { describe, expect, it } from 'vitest'
import {
  assigneesRemark,
  closedRemark,
  confidentialityRemark,
  dueDateRemark,
  lockRemark,
  milestoneRemark,
  moveRemark,
  taskRemark,
  titleRemark,
  weightRemark,
} from './remark.rules.ts'

describe('remarks', () => {
  it('tell of states', () => {
    expect(closedRemark()).toBe('closed')
    expect(closedRemark('merge request !3')).toBe('closed via merge request !3')
  })

  it('tell of texts', () => {
    expect(titleRemark({ from: '{-a-}b', to: 'b{+c+}' })).toBe(
      'changed title from **{-a-}b** to **b{+c+}**',
    )
    expect(taskRemark({ text: 'wash', done: true })).toBe('marked the task **wash** as completed')
    expect(taskRemark({ text: 'wash', done: false })).toBe('marked the task **wash** as incomplete')
  })

  it.each([
    [['a'], [], 'assigned to @a'],
    [[], ['b'], 'unassigned @b'],
    [['a', 'b'], ['c'], 'assigned to @a and @b and unassigned @c'],
    [['a', 'b', 'c'], [], 'assigned to @a, @b, and @c'],
    [[], [], undefined],
  ])('tell of assignees: %j and %j', (added, removed, text) => {
    expect(assigneesRemark({ added, removed })).toBe(text)
  })

  it('name a milestone of a project by number, of a group by title', () => {
    expect(milestoneRemark({ iid: 3, title: 'v1', groupId: null })).toBe('changed milestone to %3')
    expect(milestoneRemark({ iid: 3, title: 'v 1', groupId: 7 })).toBe(
      'changed milestone to %"v 1"',
    )
    expect(milestoneRemark({ iid: 3, title: 'v "1"', groupId: 7 })).toBe('changed milestone to %3')
    expect(milestoneRemark(null)).toBe('removed milestone')
  })

  it('tell of days', () => {
    expect(dueDateRemark('2016-03-11')).toBe('changed due date to March 11, 2016')
    expect(dueDateRemark('2020-02-29')).toBe('changed due date to February 29, 2020')
    expect(dueDateRemark(null)).toBe('removed due date')
  })

  it('tell of the rest', () => {
    expect(weightRemark(0)).toBe('changed weight to **0**')
    expect(weightRemark(null)).toBe('removed the weight')
    expect(confidentialityRemark(true)).toBe('made the issue confidential')
    expect(confidentialityRemark(false)).toBe('made the issue visible to everyone')
    expect(lockRemark('issue', true)).toBe('locked this issue')
    expect(lockRemark('merge_request', false)).toBe('unlocked this merge request')
    expect(moveRemark('to', 'g/p#1')).toBe('moved to g/p#1')
  })
})
