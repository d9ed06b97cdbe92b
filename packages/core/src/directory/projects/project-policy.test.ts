import { describe, expect, it } from 'vitest'
import type { CallerFacts } from '../../platform/access/caller.ts'
import { visibilities } from '../../platform/access/level.ts'
import {
  decideOnProject,
  isFeatureAvailable,
  type ProjectAbility,
  type ProjectFacts,
  type ProjectFeature,
  projectFeatures,
  projectRules,
} from './project-policy.ts'

const anonymous: CallerFacts = { userId: null, admin: false, external: false }
const internal: CallerFacts = { userId: 1, admin: false, external: false }
const external: CallerFacts = { userId: 1, admin: false, external: true }
const admin: CallerFacts = { userId: 1, admin: true, external: false }

function project(facts: Partial<ProjectFacts> = {}): ProjectFacts {
  return {
    visibility: 'private',
    archived: false,
    level: 0,
    features: {
      issues: 'enabled',
      repository: 'enabled',
      merge_requests: 'enabled',
      builds: 'enabled',
      wiki: 'enabled',
      snippets: 'enabled',
    },
    ...facts,
  }
}

function withFeature(feature: ProjectFeature, setting: 'disabled' | 'private' | 'enabled') {
  return { ...project().features, [feature]: setting }
}

/**
 * A row per ability: P anonymous on a public project, U signed-in non-member on an internal one,
 * then the levels 10 to 50 on a private one.
 */
const table: Record<ProjectAbility, string> = {
  read_project: 'yy yyyyy',
  read_statistics: '-- -yyyy',
  read_members: '-y yyyyy',
  star_project: '-y yyyyy',
  update_project: '-- ---yy',
  rename_project: '-- ----y',
  change_visibility: '-- ----y',
  archive_project: '-- ----y',
  delete_project: '-- ----y',
  transfer_project: '-- ----y',
  fork_project: '-y -yyyy',
  change_fork_link: '-- ----y',
  share_project: '-- ---yy',
  read_hidden_shares: '-- ---yy',
  admin_members: '-- ---yy',
  request_access: '-y -----',
  read_access_requests: '-- ---yy',
  admin_access_requests: '-- ---yy',
  read_events: 'yy yyyyy',
  read_code: 'yy -yyyy',
  comment_on_commit: '-y -yyyy',
  moderate_notes: '-- ---yy',
  set_note_dates: '-- ----y',
  push_code: '-- --yyy',
  push_to_branch: '-- --yyy',
  read_commit_status: 'yy -yyyy',
  create_commit_status: '-- --yyy',
  read_environments: '-- -yyyy',
  create_environments: '-- --yyy',
  admin_environments: '-- ---yy',
  read_deployments: '-- -yyyy',
  create_deployments: '-- --yyy',
  admin_hooks: '-- ---yy',
  admin_badges: '-- ---yy',
  read_audit_events: '-- ----y',
  read_protected_refs: '-- ---yy',
  admin_protected_refs: '-- ---yy',
  read_releases: 'yy yyyyy',
  write_releases: '-- --yyy',
  delete_releases: '-- ---yy',
  read_merge_requests: 'yy -yyyy',
  read_issues: 'yy yyyyy',
  read_confidential_issues: '-- -yyyy',
  create_issue: '-y yyyyy',
  admin_issues: '-- -yyyy',
  delete_issues: '-- ----y',
  set_issue_dates: '-- ----y',
  admin_merge_requests: '-- --yyy',
  read_approval_settings: '-- ---yy',
  admin_approval_rules: '-- ---yy',
  create_merge_request_from: '-- --yyy',
  create_merge_request_in: '-y yyyyy',
  delete_merge_requests: '-- ----y',
  follow: '-y yyyyy',
  follow_issues: '-y yyyyy',
  comment: '-y yyyyy',
  upload_files: '-y yyyyy',
  read_labels: 'yy yyyyy',
  subscribe_to_labels: '-y yyyyy',
  admin_labels: '-- -yyyy',
  promote_labels: '-- ---yy',
  read_milestones: 'yy yyyyy',
  admin_milestones: '-- --yyy',
  read_boards: 'yy yyyyy',
  admin_boards: '-- -yyyy',
  read_snippets: 'yy yyyyy',
  create_snippets: '-- -yyyy',
  admin_snippets: '-- ---yy',
  read_wiki: 'yy yyyyy',
  create_wiki: '-- --yyy',
  admin_wiki: '-- ---yy',
  read_deploy_keys: '-- ---yy',
  admin_deploy_keys: '-- ---yy',
  read_deploy_tokens: '-- ---yy',
  admin_deploy_tokens: '-- ---yy',
  read_pages_domains: '-- ---yy',
  admin_pages_domains: '-- ---yy',
  read_vulnerabilities: '-- --yyy',
  admin_vulnerabilities: '-- --yyy',
  create_vulnerability_issue: '-- --yyy',
  housekeep_project: '-- ---yy',
}

const columns: [string, CallerFacts, ProjectFacts][] = [
  ['anonymous on a public project', anonymous, project({ visibility: 'public' })],
  ['a non-member on an internal project', internal, project({ visibility: 'internal' })],
  ...[10, 20, 30, 40, 50].map((level): [string, CallerFacts, ProjectFacts] => [
    `level ${level} on a private project`,
    internal,
    project({ level }),
  ]),
]

describe('decideOnProject', () => {
  const abilities = Object.keys(projectRules) as ProjectAbility[]
  const cells = abilities.flatMap((ability) =>
    columns.map(([who, caller, facts], index) => {
      const expected = table[ability].replace(' ', '')[index] === 'y'
      return [ability, who, expected, caller, facts] as const
    }),
  )

  it.each(cells)('%s by %s: %s', (ability, _, expected, caller, facts) => {
    expect(decideOnProject(ability, caller, facts).allowed).toBe(expected)
  })

  it.each(abilities)('%s: nobody without a membership on a private project', (ability) => {
    for (const caller of [anonymous, internal, external]) {
      expect(decideOnProject(ability, caller, project()).allowed).toBe(false)
    }
  })

  it.each(abilities)(
    '%s: external callers are like anonymous ones on an internal project',
    (ability) => {
      const facts = project({ visibility: 'internal' })
      expect(decideOnProject(ability, external, facts).allowed).toBe(false)
      expect(decideOnProject(ability, anonymous, facts).allowed).toBe(false)
    },
  )

  it.each(abilities)('%s: an administrator may', (ability) => {
    for (const visibility of visibilities) {
      expect(decideOnProject(ability, admin, project({ visibility })).allowed).toBe(true)
    }
  })

  it('refuses changes in an archived project, also by owners and administrators', () => {
    const archived = project({ archived: true, level: 50 })
    expect(decideOnProject('push_code', internal, archived).allowed).toBe(false)
    expect(decideOnProject('push_code', admin, archived).allowed).toBe(false)
    for (const ability of ['write_releases', 'delete_releases'] as const) {
      expect(decideOnProject(ability, admin, archived).allowed).toBe(false)
    }
    expect(decideOnProject('read_releases', internal, archived).allowed).toBe(true)
    expect(decideOnProject('read_code', internal, archived).allowed).toBe(true)
    expect(decideOnProject('archive_project', internal, archived).allowed).toBe(true)
    expect(decideOnProject('admin_members', internal, archived).allowed).toBe(true)
  })

  it('refuses access requests in an archived project, but shows those that are pending', () => {
    const archived = project({ archived: true, visibility: 'public' })
    expect(decideOnProject('request_access', internal, archived).allowed).toBe(false)
    expect(decideOnProject('admin_access_requests', admin, archived).allowed).toBe(false)
    expect(decideOnProject('read_access_requests', admin, archived).allowed).toBe(true)
  })

  it('refuses access requests of administrators who are members', () => {
    const facts = project({ visibility: 'public', level: 10 })
    expect(decideOnProject('request_access', admin, facts).allowed).toBe(false)
  })

  it('lets guests comment on commits where they can read the code, also external ones', () => {
    const open = project({ visibility: 'public', level: 10 })
    for (const caller of [internal, external]) {
      expect(decideOnProject('comment_on_commit', caller, open).allowed).toBe(true)
    }
    expect(decideOnProject('comment_on_commit', external, { ...open, level: 0 }).allowed).toBe(
      false,
    )
    const closed = { ...open, features: withFeature('repository', 'private') }
    expect(decideOnProject('comment_on_commit', internal, closed).allowed).toBe(false)
    expect(decideOnProject('comment_on_commit', internal, { ...closed, level: 20 }).allowed).toBe(
      true,
    )
    const archived = { ...open, archived: true }
    expect(decideOnProject('comment_on_commit', admin, archived)).toEqual({
      allowed: false,
      reason: 'The project is archived',
    })
  })

  it('hides code that is for members from non-members and guests', () => {
    const features = withFeature('repository', 'private')
    const facts = project({ visibility: 'public', features })
    expect(decideOnProject('read_code', internal, facts).allowed).toBe(false)
    expect(decideOnProject('read_code', internal, { ...facts, level: 10 }).allowed).toBe(false)
    expect(decideOnProject('read_code', internal, { ...facts, level: 20 }).allowed).toBe(true)
    expect(decideOnProject('read_code', admin, facts).allowed).toBe(true)
  })
})

describe('isFeatureAvailable', () => {
  it.each(projectFeatures)('%s: nobody has it while it is disabled', (feature) => {
    const facts = project({
      visibility: 'public',
      level: 50,
      features: withFeature(feature, 'disabled'),
    })
    for (const caller of [anonymous, internal, admin]) {
      expect(isFeatureAvailable(feature, caller, facts)).toBe(false)
    }
  })

  it.each(projectFeatures)('%s: everyone who reads the project has it when enabled', (feature) => {
    const facts = project({ visibility: 'public' })
    expect(isFeatureAvailable(feature, anonymous, facts)).toBe(true)
    expect(isFeatureAvailable(feature, anonymous, project())).toBe(false)
    expect(isFeatureAvailable(feature, internal, project({ level: 10 }))).toBe(true)
  })

  it.each([
    ['issues', 10],
    ['wiki', 10],
    ['snippets', 10],
    ['builds', 10],
    ['repository', 20],
    ['merge_requests', 20],
  ] as const)('%s: a private setting admits members from %i on', (feature, from) => {
    const facts = project({ visibility: 'public', features: withFeature(feature, 'private') })
    expect(isFeatureAvailable(feature, internal, facts)).toBe(false)
    expect(isFeatureAvailable(feature, internal, { ...facts, level: from - 1 })).toBe(false)
    expect(isFeatureAvailable(feature, internal, { ...facts, level: from })).toBe(true)
    expect(isFeatureAvailable(feature, admin, facts)).toBe(true)
  })

  it('disables merge requests and pipelines with the repository', () => {
    const facts = project({ level: 50, features: withFeature('repository', 'disabled') })
    expect(isFeatureAvailable('merge_requests', internal, facts)).toBe(false)
    expect(isFeatureAvailable('builds', internal, facts)).toBe(false)
    expect(isFeatureAvailable('issues', internal, facts)).toBe(true)
  })
})
