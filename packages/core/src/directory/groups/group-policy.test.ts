import { describe, expect, it } from 'vitest'
import type { CallerFacts } from '../../platform/access/caller.ts'
import { visibilities } from '../../platform/access/level.ts'
import { decideOnGroup, type GroupAbility, type GroupFacts, groupRules } from './group-policy.ts'

const anonymous: CallerFacts = { userId: null, admin: false, external: false }
const internal: CallerFacts = { userId: 1, admin: false, external: false }
const external: CallerFacts = { userId: 1, admin: false, external: true }
const admin: CallerFacts = { userId: 1, admin: true, external: false }

function group(facts: Partial<GroupFacts> = {}): GroupFacts {
  return { visibility: 'private', level: 0, holdsReadableProject: false, ...facts }
}

/** Columns as in the test of projects: P, U, then the levels 10 to 50. */
const table: Record<GroupAbility, string> = {
  read_group: 'yy yyyyy',
  read_group_members: '-y yyyyy',
  update_group: '-- ----y',
  delete_group: '-- ----y',
  create_subgroup: '-- ----y',
  create_projects: '-- --yyy',
  admin_group_members: '-- ----y',
  request_group_access: '-y -----',
  admin_group_access_requests: '-- ----y',
  admin_group_badges: '-- ----y',
  read_group_audit_events: '-- ----y',
  admin_group_hooks: '-- ----y',
  share_group: '-- ----y',
  read_group_labels: 'yy yyyyy',
  subscribe_to_group_labels: '-y yyyyy',
  admin_group_labels: '-- -yyyy',
  promote_group_labels: '-- ---yy',
  read_group_issues: 'yy yyyyy',
  read_group_merge_requests: 'yy yyyyy',
  read_group_milestones: 'yy yyyyy',
  admin_group_milestones: '-- --yyy',
  read_group_boards: 'yy yyyyy',
  admin_group_boards: '-- -yyyy',
  follow_group: '-y yyyyy',
  read_epics: 'yy yyyyy',
  comment_on_epics: '-y yyyyy',
  admin_epics: '-- -yyyy',
  delete_epics: '-- ----y',
  moderate_epic_notes: '-- ---yy',
  set_epic_note_dates: '-- ----y',
}

const columns: [string, CallerFacts, GroupFacts][] = [
  ['anonymous on a public group', anonymous, group({ visibility: 'public' })],
  ['a non-member on an internal group', internal, group({ visibility: 'internal' })],
  ...[10, 20, 30, 40, 50].map((level): [string, CallerFacts, GroupFacts] => [
    `level ${level} in a private group`,
    internal,
    group({ level }),
  ]),
]

describe('decideOnGroup', () => {
  const abilities = Object.keys(groupRules) as GroupAbility[]
  const cells = abilities.flatMap((ability) =>
    columns.map(([who, caller, facts], index) => {
      const expected = table[ability].replace(' ', '')[index] === 'y'
      return [ability, who, expected, caller, facts] as const
    }),
  )

  it.each(cells)('%s by %s: %s', (ability, _, expected, caller, facts) => {
    expect(decideOnGroup(ability, caller, facts).allowed).toBe(expected)
  })

  it.each(abilities)(
    '%s: external callers are like anonymous ones on an internal group',
    (ability) => {
      const facts = group({ visibility: 'internal' })
      expect(decideOnGroup(ability, external, facts).allowed).toBe(false)
      expect(decideOnGroup(ability, anonymous, facts).allowed).toBe(false)
    },
  )

  it.each(abilities)('%s: an administrator may', (ability) => {
    for (const visibility of visibilities) {
      expect(decideOnGroup(ability, admin, group({ visibility })).allowed).toBe(true)
    }
  })

  const forMembers = abilities.filter((ability) => ability !== 'request_group_access')

  it.each(forMembers)('%s: an external owner may do everything but create', (ability) => {
    const creates = ability === 'create_subgroup' || ability === 'create_projects'
    expect(decideOnGroup(ability, external, group({ level: 50 })).allowed).toBe(!creates)
    const both = { ...external, admin: true }
    expect(decideOnGroup(ability, both, group({ level: 50 })).allowed).toBe(true)
  })

  it('lets callers who can read a project in it only read the group', () => {
    const facts = group({ holdsReadableProject: true })
    expect(decideOnGroup('read_group', internal, facts).allowed).toBe(true)
    expect(decideOnGroup('read_group_members', internal, facts).allowed).toBe(false)
    expect(decideOnGroup('update_group', internal, facts).allowed).toBe(false)
  })
})
