import { expect, it } from 'vitest'
import { shortId } from './commit.rules.ts'

it('shortens a hash to eight characters', () => {
  expect(shortId('0123456789abcdef')).toBe('01234567')
})
