import { describe, expect, it } from 'vitest'
import { deploymentStatuses } from '../environments/last-deployment.schema.ts'
import { canReach, reachedStatuses, transitionError } from './deployment.rules.ts'

describe('canReach', () => {
  it.each([
    ['created', 'running success failed canceled'],
    ['running', 'success failed canceled'],
    ['success', ''],
    ['failed', ''],
    ['canceled', ''],
  ])('from %s: %s', (from, expected) => {
    const status = deploymentStatuses.find((one) => one === from) ?? 'created'
    expect(reachedStatuses.filter((to) => canReach(status, to)).join(' ')).toBe(expected)
  })

  it('has the words that clients know for what cannot be reached', () => {
    const text = 'Cannot transition status via :succeed from :failed'
    expect(transitionError('failed', 'success')).toBe(text)
  })
})
