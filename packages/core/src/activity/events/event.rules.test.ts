import { describe, expect, it } from 'vitest'
import { eventActionName, eventCutoff, eventRange, targetTypeName } from './event.rules.ts'

describe('eventActionName', () => {
  it('distinguishes created, updated and deleted refs', () => {
    expect(eventActionName('pushed', null, 'created')).toBe('pushed new')
    expect(eventActionName('pushed', null, 'pushed')).toBe('pushed to')
    expect(eventActionName('pushed', null, 'removed')).toBe('deleted')
  })

  it('returns created for a project and opened for an issue', () => {
    expect(eventActionName('created', null, null)).toBe('created')
    expect(eventActionName('created', 'project', null)).toBe('created')
    expect(eventActionName('created', 'issue', null)).toBe('opened')
  })

  it('returns opened for a reopened issue, and a phrase for an expired membership', () => {
    expect(eventActionName('reopened', 'issue', null)).toBe('opened')
    expect(eventActionName('expired', null, null)).toBe('removed due to membership expiration from')
  })

  it('returns other actions unchanged', () => {
    expect(eventActionName('joined', null, null)).toBe('joined')
    expect(eventActionName('left', null, null)).toBe('left')
    expect(eventActionName('commented', 'note', null)).toBe('commented on')
  })
})

describe('targetTypeName', () => {
  it('converts to camel case', () => {
    expect(targetTypeName('merge_request')).toBe('MergeRequest')
    expect(targetTypeName('issue')).toBe('Issue')
  })
})

describe('eventRange', () => {
  it('excludes both days', () => {
    const { from, until } = eventRange({ after: '2026-02-28', before: '2026-03-02' })
    expect(new Date(from ?? 0).toISOString()).toBe('2026-03-01T00:00:00.000Z')
    expect(new Date(until ?? 0).toISOString()).toBe('2026-03-02T00:00:00.000Z')
  })

  it('is unbounded without filters', () => {
    expect(eventRange({})).toEqual({})
  })
})

describe('eventCutoff', () => {
  it('is two years ago', () => {
    const now = Date.parse('2026-07-01T00:00:00Z')
    expect(new Date(eventCutoff(now)).toISOString()).toBe('2024-07-01T00:00:00.000Z')
  })
})
