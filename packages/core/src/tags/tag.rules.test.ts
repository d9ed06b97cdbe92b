import { describe, expect, it } from 'vitest'
import { clashingName, tagMessage } from './tag.rules.ts'

describe('tagMessage', () => {
  it('leaves what the author wrote', () => {
    expect(tagMessage('First\n\nbody\n')).toBe('First\n\nbody')
    expect(tagMessage('')).toBe('')
    expect(tagMessage('a -----BEGIN PGP SIGNATURE----- b\n')).toBe(
      'a -----BEGIN PGP SIGNATURE----- b',
    )
  })

  it.each(['PGP SIGNATURE', 'SSH SIGNATURE', 'SIGNED MESSAGE'])('takes off a %s', (kind) => {
    expect(tagMessage(`v1\n-----BEGIN ${kind}-----\nabc\n-----END ${kind}-----\n`)).toBe('v1')
  })
})

describe('clashingName', () => {
  const existing = ['v1/a', 'v2', 'v10']

  it('finds what git could not keep beside a name', () => {
    expect(clashingName('v1', existing)).toBe('v1/a')
    expect(clashingName('v2/rc/1', existing)).toBe('v2')
  })

  it('lets names be alike', () => {
    for (const name of ['v1/b', 'v', 'v20', 'v100', 'v1/aa']) {
      expect(clashingName(name, existing)).toBeUndefined()
    }
  })
})
