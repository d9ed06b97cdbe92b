import { describe, expect, it } from 'vitest'
import { workItemErrors } from './text.rules.ts'

describe('workItemErrors', () => {
  it('accepts texts within their limits, counted in characters', () => {
    expect(workItemErrors({})).toBeUndefined()
    expect(workItemErrors({ title: '𝒳'.repeat(255), description: null })).toBeUndefined()
    expect(workItemErrors({ description: '𝒳'.repeat(1_000_000) })).toBeUndefined()
  })

  it('states the limit', () => {
    expect(workItemErrors({ title: '' })).toEqual({ title: ["can't be blank"] })
    expect(workItemErrors({ title: 'x'.repeat(256), description: 'x'.repeat(1_000_001) })).toEqual({
      title: ['is too long (maximum is 255 characters)'],
      description: ['is too long (maximum is 1000000 characters)'],
    })
  })
})
