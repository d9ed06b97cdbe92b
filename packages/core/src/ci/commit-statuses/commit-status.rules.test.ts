import { describe, expect, it } from 'vitest'
import { pipelineStates } from '../../code/commits/pipeline-states.ts'
import { reportedStates, statusErrors, statusTransition } from './commit-status.rules.ts'

/** All transitions: from, reported state, result. */
const open: Record<string, Record<(typeof reportedStates)[number], string>> = {
  pending: {
    pending: 'refused',
    running: 'changed',
    success: 'changed',
    failed: 'changed',
    canceled: 'changed',
  },
  running: {
    pending: 'refused',
    running: 'refused',
    success: 'changed',
    failed: 'changed',
    canceled: 'changed',
  },
}

describe('statusTransition', () => {
  it.each(reportedStates)('adds a first status as %s', (state) => {
    expect(statusTransition(undefined, state)).toBe('added')
  })

  for (const from of ['pending', 'running'] as const) {
    it.each(reportedStates)(`${from} and %s`, (state) => {
      expect(statusTransition(from, state)).toBe(open[from]?.[state])
    })
  }

  it('adds a new status after a finished one', () => {
    const over = ['success', 'failed', 'canceled', 'skipped'] as const
    for (const from of over) {
      for (const state of reportedStates) expect(statusTransition(from, state)).toBe('added')
    }
    expect(pipelineStates).toEqual(expect.arrayContaining([...over]))
  })
})

describe('statusErrors', () => {
  it('accepts texts within the limits, and web URLs', () => {
    const long = '𝒳'.repeat(255)
    expect(statusErrors({ name: long, description: long })).toEqual({})
    for (const target_url of [
      'http://ci.example/1',
      'HTTPS://ci.example',
      'https://a:1/?x#y',
      '',
    ]) {
      expect(statusErrors({ name: 'x', target_url })).toEqual({})
    }
  })

  it('returns the errors by field', () => {
    const long = 'x'.repeat(256)
    const errors = statusErrors({ name: long, description: long, target_url: `http://${long}` })
    const text = ['is too long (maximum is 255 characters)']
    expect(errors).toEqual({ name: text, description: text, target_url: text })
    for (const target_url of [
      'ci.example',
      'ftp://ci.example',
      'javascript:x',
      'http://',
      'http:///x',
      'https://a b/',
    ]) {
      expect(statusErrors({ name: 'x', target_url })).toHaveProperty('target_url')
    }
  })
})
