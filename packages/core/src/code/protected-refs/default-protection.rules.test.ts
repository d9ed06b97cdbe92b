import { describe, expect, it } from 'vitest'
import { defaultProtectionOf, protectsEmptyRepository } from './default-protection.rules.ts'

describe('default_branch_protection', () => {
  it.each([
    [0, undefined, false],
    [1, { push: 30, merge: 40 }, false],
    [2, { push: 40, merge: 40 }, true],
    [3, { push: 40, merge: 30 }, true],
    [9, undefined, false],
  ])('%i protects with %j; protects an empty repository: %s', (setting, levels, guards) => {
    expect(defaultProtectionOf(setting)).toEqual(levels)
    expect(protectsEmptyRepository(setting)).toBe(guards)
  })
})
