import {
  type CallerFacts,
  decideOnGroup,
  decideOnProject,
  type ProjectFacts,
  type Visibility,
} from '@stithy/core'
import type { Queries } from '../platform/queries/queries.ts'
import {
  buildGroupShare,
  buildMember,
  buildNamespace,
  buildProject,
  buildShare,
} from './factories.ts'

/** Groups, projects and what one user has in them, as plain data; others are given by index. */
export interface Fixture {
  groups: { parent: number | undefined; visibility: Visibility }[]
  /** `group` undefined: in the user's personal namespace. */
  projects: { group: number | undefined; visibility: Visibility }[]
  members: { kind: 'group' | 'project'; source: number; level: number; expiresOn: string | null }[]
  groupShares: { group: number; with: number; access: number; expiresOn: string | null }[]
  shares: { project: number; group: number; access: number; expiresOn: string | null }[]
}

/** The ids of the groups and projects of a fixture, by index. */
export interface FixtureIds {
  groups: number[]
  projects: number[]
}

/** Inserts the fixture; its members are memberships of `user`. */
export async function writeFixture(
  q: Queries,
  fixture: Fixture,
  user: { id: number },
): Promise<FixtureIds> {
  const personal = await buildNamespace(q, { kind: 'user', ownerId: user.id })
  const groups: Awaited<ReturnType<typeof buildNamespace>>[] = []
  for (const { parent, visibility } of fixture.groups) {
    const above = parent === undefined ? undefined : groups[parent]
    groups.push(await buildNamespace(q, { visibility }, above))
  }
  const projects: number[] = []
  for (const { group, visibility } of fixture.projects) {
    const namespace = group === undefined ? personal : at(groups, group)
    projects.push((await buildProject(q, namespace, { visibility })).id)
  }
  const ids = { groups: groups.map((group) => group.id), projects }
  for (const { kind, source, level, expiresOn } of fixture.members) {
    const id = at(kind === 'group' ? ids.groups : ids.projects, source)
    await buildMember(q, user, { kind, id }, level, { expiresOn })
  }
  for (const { project, group, access, expiresOn } of fixture.shares) {
    await buildShare(q, at(projects, project), at(ids.groups, group), access, { expiresOn })
  }
  for (const share of fixture.groupShares) {
    const [group, sharedWith] = [at(ids.groups, share.group), at(ids.groups, share.with)]
    await buildGroupShare(q, group, sharedWith, share.access, { expiresOn: share.expiresOn })
  }
  return ids
}

/** The item at an index, which must exist. */
export function at<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new Error(`The fixture has no item ${index}`)
  return item
}

/** The user's highest membership in a group and its ancestors. */
function memberLevel(fixture: Fixture, group: number | undefined, today: string): number {
  if (group === undefined) return 0
  const own = fixture.members
    .filter((m) => m.kind === 'group' && m.source === group && counts(m.expiresOn, today))
    .map((m) => m.level)
  return Math.max(0, ...own, memberLevel(fixture, at(fixture.groups, group).parent, today))
}

/**
 * The user's level in a group by the documented rules: the highest of it and its ancestors, and of
 * the groups that these are shared with.
 */
export function groupLevel(fixture: Fixture, group: number | undefined, today: string): number {
  if (group === undefined) return 0
  const shared = fixture.groupShares
    .filter((share) => share.group === group && counts(share.expiresOn, today))
    .map((share) => Math.min(share.access, memberLevel(fixture, share.with, today)))
  const above = groupLevel(fixture, at(fixture.groups, group).parent, today)
  return Math.max(memberLevel(fixture, group, today), above, ...shared)
}

/** The user's level in a project by the documented rules. */
export function projectLevel(fixture: Fixture, project: number, today: string): number {
  const { group } = at(fixture.projects, project)
  if (group === undefined) return 50
  const direct = fixture.members
    .filter((m) => m.kind === 'project' && m.source === project && counts(m.expiresOn, today))
    .map((m) => m.level)
  const shared = fixture.shares
    .filter((share) => share.project === project && counts(share.expiresOn, today))
    .map((share) => Math.min(share.access, memberLevel(fixture, share.group, today)))
  return Math.max(0, ...direct, ...shared, groupLevel(fixture, group, today))
}

function counts(expiresOn: string | null, today: string): boolean {
  return expiresOn === null || today <= expiresOn
}

/** Whether the policy allows reading a project. */
export function mayReadProject(
  fixture: Fixture,
  project: number,
  caller: CallerFacts,
  today: string,
): boolean {
  const { visibility } = at(fixture.projects, project)
  const level = caller.userId === null ? 0 : projectLevel(fixture, project, today)
  return decideOnProject('read_project', caller, { visibility, level, ...otherFacts }).allowed
}

const otherFacts: Pick<ProjectFacts, 'archived' | 'features'> = {
  archived: false,
  features: {
    issues: 'enabled',
    repository: 'enabled',
    merge_requests: 'enabled',
    builds: 'enabled',
    wiki: 'enabled',
    snippets: 'enabled',
  },
}

/** Whether the policy allows reading a group. */
export function mayReadGroup(
  fixture: Fixture,
  group: number,
  caller: CallerFacts,
  today: string,
): boolean {
  const { visibility } = at(fixture.groups, group)
  const level = caller.userId === null ? 0 : groupLevel(fixture, group, today)
  const holdsReadableProject = fixture.projects.some(
    (project, index) =>
      isInside(fixture, project.group, group) && mayReadProject(fixture, index, caller, today),
  )
  return decideOnGroup('read_group', caller, { visibility, level, holdsReadableProject }).allowed
}

function isInside(fixture: Fixture, inner: number | undefined, outer: number): boolean {
  if (inner === undefined) return false
  return inner === outer || isInside(fixture, at(fixture.groups, inner).parent, outer)
}
