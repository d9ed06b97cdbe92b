import { describe, expect, it } from 'vitest'
import { conflictingName, tagMessage } from './tag.rules.ts'

describe('tagMessage', () => {
  it('keeps the text of the author', () => {
    expect(tagMessage('First\n\nbody\n')).toBe('First\n\nbody')
    expect(tagMessage('')).toBe('')
    expect(tagMessage('a -----BEGIN PGP SIGNATURE----- b\n')).toBe(
      'a -----BEGIN PGP SIGNATURE----- b',
    )
  })

  it.each(['PGP SIGNATURE', 'SSH SIGNATURE', 'SIGNED MESSAGE'])('strips a %s', (kind) => {
    expect(tagMessage(`v1\n-----BEGIN ${kind}-----\nabc\n-----END ${kind}-----\n`)).toBe('v1')
  })
})

describe('conflictingName', () => {
  const existing = ['v1/a', 'v2', 'v10']

  it('finds names that git cannot store together', () => {
    expect(conflictingName('v1', existing)).toBe('v1/a')
    expect(conflictingName('v2/rc/1', existing)).toBe('v2')
  })

  it('allows names with a common prefix', () => {
    for (const name of ['v1/b', 'v', 'v20', 'v100', 'v1/aa']) {
      expect(conflictingName(name, existing)).toBeUndefined()
    }
  })
})
