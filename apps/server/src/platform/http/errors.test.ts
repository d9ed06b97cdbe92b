import { StoreError } from '@stithy/store'
import { describe, expect, it } from 'vitest'
import { errorResponseFor } from './errors.ts'

describe('errorResponseFor', () => {
  it.each([
    ['full', 507],
    ['busy', 503],
    ['reference', 409],
    ['unique', 500],
  ] as const)('maps a database error (%s) to %i', (code, status) => {
    const answer = errorResponseFor(new StoreError(code, 'secret detail'))
    expect(answer.status).toBe(status)
    expect(JSON.stringify(answer.body)).not.toContain('secret')
  })

  it('sends Retry-After when the database is busy', () => {
    expect(errorResponseFor(new StoreError('busy', 'locked')).headers).toEqual({
      'Retry-After': '1',
    })
  })
})
