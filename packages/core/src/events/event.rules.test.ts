import { describe, expect, it } from 'vitest'
import { eventActionName, eventHorizon, eventRange, targetTypeName } from './event.rules.ts'

describe('eventActionName', () => {
  it('tells new, moved and removed refs apart', () => {
    expect(eventActionName('pushed', null, 'created')).toBe('pushed new')
    expect(eventActionName('pushed', null, 'pushed')).toBe('pushed to')
    expect(eventActionName('pushed', null, 'removed')).toBe('deleted')
  })

  it('says created of a project and opened of an issue', () => {
    expect(eventActionName('created', null, null)).toBe('created')
    expect(eventActionName('created', 'project', null)).toBe('created')
    expect(eventActionName('created', 'issue', null)).toBe('opened')
  })

  it('says opened of what is opened again, and more of a membership that ends by itself', () => {
    expect(eventActionName('reopened', 'issue', null)).toBe('opened')
    expect(eventActionName('expired', null, null)).toBe('removed due to membership expiration from')
  })

  it('leaves the other words as they are', () => {
    expect(eventActionName('joined', null, null)).toBe('joined')
    expect(eventActionName('left', null, null)).toBe('left')
    expect(eventActionName('commented', 'note', null)).toBe('commented on')
  })
})

describe('targetTypeName', () => {
  it('writes words together', () => {
    expect(targetTypeName('merge_request')).toBe('MergeRequest')
    expect(targetTypeName('issue')).toBe('Issue')
  })
})

describe('eventRange', () => {
  it('leaves both days out', () => {
    const { from, until } = eventRange({ after: '2026-02-28', before: '2026-03-02' })
    expect(new Date(from ?? 0).toISOString()).toBe('2026-03-01T00:00:00.000Z')
    expect(new Date(until ?? 0).toISOString()).toBe('2026-03-02T00:00:00.000Z')
  })

  it('is open where nothing is asked for', () => {
    expect(eventRange({})).toEqual({})
  })
})

describe('eventHorizon', () => {
  it('lies two years back', () => {
    const now = Date.parse('2026-07-01T00:00:00Z')
    expect(new Date(eventHorizon(now)).toISOString()).toBe('2024-07-01T00:00:00.000Z')
  })
})
