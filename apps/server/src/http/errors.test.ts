import { StoreError } from '@stithy/store'
import { describe, expect, it } from 'vitest'
import { answerFor } from './errors.ts'

describe('answerFor', () => {
  it.each([
    ['full', 507],
    ['busy', 503],
    ['reference', 409],
    ['unique', 500],
  ] as const)('says what an error of the database (%s) means: %i', (code, status) => {
    const answer = answerFor(new StoreError(code, 'secret detail'))
    expect(answer.status).toBe(status)
    expect(JSON.stringify(answer.body)).not.toContain('secret')
  })

  it('asks to come back after a moment where the database is busy', () => {
    expect(answerFor(new StoreError('busy', 'locked')).headers).toEqual({ 'Retry-After': '1' })
  })
})
