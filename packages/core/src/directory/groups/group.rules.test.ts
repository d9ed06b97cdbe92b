import { describe, expect, it } from 'vitest'
import { depthErrors, failedToSaveGroup, groupErrors } from './group.rules.ts'

describe('groupErrors', () => {
  it('accepts valid values', () => {
    const parent = { visibility: 'public', depth: 1 } as const
    expect(groupErrors({ name: 'A', path: 'a', visibility: 'public' }, { parent })).toBeUndefined()
  })

  it.each([
    ['internal', 'private'],
    ['public', 'private'],
    ['public', 'internal'],
  ] as const)('rejects a %s group in a %s one', (visibility, outer) => {
    const parent = { visibility: outer, depth: 1 }
    expect(groupErrors({ visibility }, { parent })).toEqual({
      visibility_level: [
        `${visibility} is not allowed since the parent group has a ${outer} visibility.`,
      ],
    })
  })

  it('rejects a visibility narrower than that of its contents', () => {
    const errors = groupErrors(
      { visibility: 'private' },
      { widestSubgroup: 'internal', widestProject: 'public' },
    )
    expect(errors?.visibility_level).toHaveLength(2)
    const wide = { widestSubgroup: 'internal', widestProject: 'public' } as const
    expect(groupErrors({ visibility: 'public' }, wide)).toBeUndefined()
  })

  it('reserves different words at the top than below', () => {
    const parent = { visibility: 'public', depth: 1 } as const
    expect(groupErrors({ path: 'api' }, {})).toEqual({ path: ['api is a reserved name'] })
    expect(groupErrors({ path: 'api' }, { parent })).toBeUndefined()
  })
})

describe('depthErrors', () => {
  it('allows groups to be nested 20 deep and no deeper', () => {
    expect(depthErrors(19)).toBeUndefined()
    expect(depthErrors(20)).toHaveProperty('parent_id')
  })
})

describe('failedToSaveGroup', () => {
  it('formats the failed fields', () => {
    expect(failedToSaveGroup({ path: ['has already been taken'], name: ['a "b"'] })).toBe(
      'Failed to save group {:path=>["has already been taken"], :name=>["a \\"b\\""]}',
    )
  })
})
