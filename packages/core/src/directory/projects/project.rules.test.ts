import { describe, expect, it } from 'vitest'
import {
  cleanTags,
  featureLevel,
  importUrlErrors,
  projectErrors,
  projectLimitText,
} from './project.rules.ts'

const inGroup = (visibility: 'private' | 'internal' | 'public') => ({
  namespace: { kind: 'group' as const, visibility },
})

describe('projectErrors', () => {
  it('accepts valid values', () => {
    const values = { name: 'Demo', path: 'demo', visibility: 'internal', description: 'x' } as const
    expect(projectErrors(values, inGroup('internal'))).toBeUndefined()
  })

  it('returns an error for every invalid field', () => {
    const values = { name: '', path: 'a b', description: 'x'.repeat(2001) }
    expect(projectErrors(values, inGroup('public'))).toEqual({
      name: ["can't be blank"],
      path: [expect.stringContaining('can contain only')],
      description: ['is too long (maximum is 2000 characters)'],
    })
  })

  it.each([
    ['private', 'private', true],
    ['internal', 'private', false],
    ['public', 'private', false],
    ['internal', 'internal', true],
    ['public', 'internal', false],
    ['public', 'public', true],
  ] as const)('a %s project in a %s group: %s', (visibility, group, allowed) => {
    const errors = projectErrors({ visibility }, inGroup(group))
    const expected = { visibility_level: [`${visibility} is not allowed in a ${group} group.`] }
    expect(errors).toEqual(allowed ? undefined : expected)
  })

  it('allows any visibility in a personal namespace', () => {
    const namespace = { kind: 'user', visibility: 'private' } as const
    expect(projectErrors({ visibility: 'public' }, { namespace })).toBeUndefined()
  })

  it('rejects a fork more visible than its source', () => {
    const context = { ...inGroup('public'), forkSource: 'internal' } as const
    expect(projectErrors({ visibility: 'public' }, context)).toHaveProperty('visibility_level')
    expect(projectErrors({ visibility: 'internal' }, context)).toBeUndefined()
  })

  it('limits tags', () => {
    const many = Array.from({ length: 101 }, (_, index) => `t${index}`)
    expect(projectErrors({ tagList: many }, inGroup('public'))).toHaveProperty('tag_list')
    expect(projectErrors({ tagList: ['x'.repeat(256)] }, inGroup('public'))).toHaveProperty(
      'tag_list',
    )
  })
})

describe('importUrlErrors', () => {
  it.each([undefined, '', ' '])('accepts %j', (url) => {
    expect(importUrlErrors(url)).toEqual([])
  })

  it.each([
    'x',
    'file:///etc/passwd',
    'javascript:1',
    'https://',
    'ftp://a/b',
    '/srv/x.git',
    'git://example.com/x',
    'ssh://git@host/x',
    'https://example.com/x?y',
    'https://example.com/x#y',
    'https://example.com:99999/x',
    'ext::sh -c touch% /tmp/x',
    '--upload-pack=x',
  ])('calls %s invalid', (url) => {
    expect(importUrlErrors(url)).toEqual([expect.stringMatching(/^is invalid/)])
  })

  it.each(['https://user:secret@example.com/x.git', 'http://[::1]:80/x', 'HTTPS://a.b'])(
    'accepts %s',
    (url) => {
      expect(importUrlErrors(url)).toEqual([])
    },
  )

  it('does not repeat a password', () => {
    expect(importUrlErrors('ssh://user:secret@host/x').join()).not.toContain('secret')
  })
})

describe('projectLimitText', () => {
  it.each([0, 1, 2])('states the limit of %i', (limit) => {
    expect(projectLimitText(limit)).toContain(limit === 0 ? 'cannot have' : `${limit} personal`)
  })
})

describe('featureLevel', () => {
  it.each([
    ['private', true, 'private'],
    ['disabled', true, 'disabled'],
    [undefined, true, 'enabled'],
    [undefined, false, 'disabled'],
    [undefined, undefined, undefined],
  ] as const)('level %s and boolean %s give %s', (level, enabled, expected) => {
    expect(featureLevel(level, enabled)).toBe(expected)
  })
})

describe('cleanTags', () => {
  it('trims, drops blanks and repeats', () => {
    expect(cleanTags([' a ', '', 'b', 'a'])).toEqual(['a', 'b'])
  })
})
