import { describe, expect, it } from 'vitest'
import { releaseErrors } from './release.rules.ts'

describe('releaseErrors', () => {
  it('accepts texts up to their limits, and absent ones', () => {
    const texts = { name: 'x'.repeat(255), description: 'x'.repeat(1_000_000) }
    expect(releaseErrors(texts)).toBeUndefined()
    expect(releaseErrors({})).toBeUndefined()
    expect(releaseErrors({ name: 'a', description: null })).toBeUndefined()
  })

  it('returns errors for fields that are too long or blank', () => {
    expect(releaseErrors({ name: 'x'.repeat(256), description: 'x'.repeat(1_000_001) })).toEqual({
      name: ['is too long (maximum is 255 characters)'],
      description: ['is too long (maximum is 1000000 characters)'],
    })
    expect(releaseErrors({ name: ' ' })).toEqual({ name: ["can't be blank"] })
  })
})
