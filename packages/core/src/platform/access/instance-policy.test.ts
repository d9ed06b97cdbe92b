import { describe, expect, it } from 'vitest'
import { anonymousCaller, caller, letterOf } from '../../testing/policy-matrix.ts'
import { decideOnInstance, type InstanceAbility, instanceRules } from './instance-policy.ts'

describe('decideOnInstance', () => {
  /** Anonymous, external, signed in without and with `canCreateGroup`, an administrator without. */
  const table: Record<InstanceAbility, string> = {
    administer: '----y',
    create_group: '---yy',
    create_group_or_subgroup: '--yyy',
    create_project: '-yyyy',
    create_personal_snippet: '--yyy',
    update_own_settings: '-yyyy',
    finish_own_todos: '-yyyy',
  }

  it.each(Object.keys(instanceRules) as InstanceAbility[])('%s', (ability) => {
    const columns = [
      [anonymousCaller, true],
      [caller({ external: true }), true],
      [caller(), false],
      [caller(), true],
      [caller({ admin: true }), false],
    ] as const
    const row = columns.map(([by, canCreateGroup]) =>
      letterOf(decideOnInstance(ability, by, { canCreateGroup })),
    )
    expect(row.join('')).toBe(table[ability])
  })
})
