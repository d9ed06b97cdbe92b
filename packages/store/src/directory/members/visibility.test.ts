import { type CallerFacts, isWiderThan, type Visibility, visibilities } from '@stithy/core'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Queries } from '../../platform/queries/queries.ts'
import {
  at,
  type Fixture,
  type FixtureIds,
  groupLevel,
  mayReadGroup,
  mayReadProject,
  projectLevel,
  writeFixture,
} from '../../testing/fixture.ts'
import { buildUser, openTestDatabase, type TestDatabase } from '../../testing/index.ts'
import { groupLevels, levelInGroup, levelInProject, projectLevels } from './levels.ts'
import {
  memberGroups,
  memberProjects,
  viewerArgs,
  viewerKind,
  visibleGroups,
  visibleProjects,
} from './visibility.ts'

const today = '2019-06-15'
const days = [null, '2019-06-14', today, '2019-06-16']
const levels = [10, 20, 30, 40, 50]

let db: TestDatabase

beforeAll(async () => {
  db = await openTestDatabase()
})

afterAll(() => db.close())

function callersOf(userId: number): CallerFacts[] {
  return [
    { userId: null, admin: false, external: false },
    { userId, admin: false, external: true },
    { userId, admin: false, external: false },
    { userId, admin: true, external: false },
  ]
}

async function readableProjects(q: Queries, caller: CallerFacts): Promise<number[]> {
  const kind = viewerKind(caller)
  const rows = await q.all(`test.projects|${kind}`, viewerArgs(caller, today), (kysely, $) =>
    kysely
      .selectFrom('projects as p')
      .where(visibleProjects(kind, $, 'p'))
      .orderBy('p.id')
      .select('p.id'),
  )
  return rows.map((row) => row.id)
}

async function readableGroups(q: Queries, caller: CallerFacts): Promise<number[]> {
  const kind = viewerKind(caller)
  const rows = await q.all(`test.groups|${kind}`, viewerArgs(caller, today), (kysely, $) =>
    kysely
      .selectFrom('namespaces')
      .where(visibleGroups(kind, $))
      .orderBy('namespaces.id')
      .select('namespaces.id'),
  )
  return rows.map((row) => row.id)
}

async function projectsFrom(q: Queries, userId: number, level: number): Promise<number[]> {
  const rows = await q.all('test.member', { userId, today, level }, (kysely, $) =>
    kysely
      .selectFrom('projects')
      .where(memberProjects($('level'), $))
      .orderBy('id')
      .select('id'),
  )
  return rows.map((row) => row.id)
}

async function groupsFrom(q: Queries, userId: number, level: number): Promise<number[]> {
  const rows = await q.all('test.memberGroups', { userId, today, level }, (kysely, $) =>
    kysely
      .selectFrom('namespaces')
      .where(memberGroups($('level'), $))
      .orderBy('id')
      .select('id'),
  )
  return rows.map((row) => row.id)
}

/** Writes the fixture, checks every predicate and level against the model, and removes it again. */
async function check(fixture: Fixture): Promise<void> {
  const undo = new Error('undo')
  const work = db.transaction(async (tx) => {
    const { id } = await buildUser(tx)
    const ids = await writeFixture(tx, fixture, { id })
    await checkLists(tx, fixture, ids, id)
    await checkLevels(tx, fixture, ids, id)
    throw undo
  })
  await expect(work).rejects.toBe(undo)
}

async function checkLists(q: Queries, fixture: Fixture, ids: FixtureIds, userId: number) {
  for (const caller of callersOf(userId)) {
    expect(await readableProjects(q, caller)).toEqual(
      ids.projects.filter((_, index) => mayReadProject(fixture, index, caller, today)),
    )
    expect(await readableGroups(q, caller)).toEqual(
      ids.groups.filter((_, index) => mayReadGroup(fixture, index, caller, today)),
    )
  }
  for (const level of levels) {
    expect(await projectsFrom(q, userId, level)).toEqual(
      ids.projects.filter((_, index) => projectLevel(fixture, index, today) >= level),
    )
    expect(await groupsFrom(q, userId, level)).toEqual(
      ids.groups.filter((_, index) => groupLevel(fixture, index, today) >= level),
    )
  }
}

async function checkLevels(q: Queries, fixture: Fixture, ids: FixtureIds, userId: number) {
  const projects = await projectLevels(q, { userId, today, projectIds: ids.projects })
  const groups = await groupLevels(q, { userId, today, namespaceIds: ids.groups })
  for (const [index, projectId] of ids.projects.entries()) {
    const expected = projectLevel(fixture, index, today)
    expect(projects.get(projectId) ?? 0).toBe(expected)
    expect(await levelInProject(q, { userId, today, projectId })).toBe(expected)
  }
  for (const [index, groupId] of ids.groups.entries()) {
    const expected = groupLevel(fixture, index, today)
    expect(groups.get(groupId)?.accessLevel ?? 0).toBe(expected)
    expect(await levelInGroup(q, { userId, today, groupId })).toBe(expected)
  }
}

const sources = [
  'none',
  'direct',
  'group',
  'ancestor',
  'share',
  'group share',
  'ancestor share',
  'personal',
] as const
type Source = (typeof sources)[number]

/** A project of one visibility two groups deep, and one path by which the user is a member. */
function worldOf(visibility: Visibility, source: Source, level: number, expiresOn: string | null) {
  const fixture: Fixture = {
    groups: [
      { parent: undefined, visibility },
      { parent: 0, visibility },
      { parent: undefined, visibility: 'private' },
      { parent: 2, visibility: 'private' },
    ],
    projects: [{ group: source === 'personal' ? undefined : 1, visibility }],
    members: [],
    groupShares: [],
    shares: [],
  }
  const group = { group: 1, ancestor: 0, share: 2, 'group share': 2, 'ancestor share': 3 }
  if (source === 'direct') {
    fixture.members.push({ kind: 'project', source: 0, level, expiresOn })
  } else if (source !== 'none' && source !== 'personal') {
    fixture.members.push({ kind: 'group', source: group[source], level, expiresOn })
  }
  if (source === 'share') fixture.shares.push({ project: 0, group: 3, access: 20, expiresOn })
  const shared = { 'group share': 1, 'ancestor share': 0 }
  if (source in shared) {
    const at = shared[source as keyof typeof shared]
    fixture.groupShares.push({ group: at, with: 3, access: 40, expiresOn })
  }
  return fixture
}

describe('visibleProjects and visibleGroups', () => {
  for (const visibility of visibilities) {
    for (const source of sources) {
      it(`agree with the policy on ${visibility} projects, membership: ${source}`, async () => {
        const belongs = source !== 'none' && source !== 'personal'
        for (const level of belongs ? levels : [0]) {
          for (const day of belongs ? days : [null]) {
            await check(worldOf(visibility, source, level, day))
          }
        }
      })
    }
  }

  it('agree with the policy in any fixture', async () => {
    await fc.assert(fc.asyncProperty(worlds(), check), {
      numRuns: db.dialect === 'sqlite' ? 60 : 15,
    })
  })

  it('leave out projects and groups that are being deleted', async () => {
    const undo = new Error('undo')
    const work = db.transaction(async (tx) => {
      const { id } = await buildUser(tx)
      await writeFixture(tx, worldOf('public', 'direct', 40, null), { id })
      await tx.run('test.delete', {}, (kysely) =>
        kysely.updateTable('projects').set({ deletedAt: 1 }),
      )
      await tx.run('test.deleteGroups', {}, (kysely) =>
        kysely.updateTable('namespaces').set({ deletedAt: 1 }),
      )
      for (const caller of callersOf(id)) {
        expect(await readableProjects(tx, caller)).toEqual([])
        expect(await readableGroups(tx, caller)).toEqual([])
      }
      throw undo
    })
    await expect(work).rejects.toBe(undo)
  })
})

/** Arbitrary worlds in which nothing is more visible than its parent group. */
function worlds(): fc.Arbitrary<Fixture> {
  const visibility = fc.constantFrom(...visibilities)
  const day = fc.constantFrom(...days)
  const index = fc.nat({ max: 5 })
  const level = fc.constantFrom(...levels)
  const place = fc.record({ parent: fc.option(index, { nil: undefined }), visibility })
  return fc
    .record({
      groups: fc.array(place, { minLength: 1, maxLength: 6 }),
      projects: fc.array(fc.record({ group: fc.option(index, { nil: undefined }), visibility }), {
        minLength: 1,
        maxLength: 6,
      }),
      members: fc.uniqueArray(
        fc.record({
          kind: fc.constantFrom('group' as const, 'project' as const),
          source: index,
          level,
          expiresOn: day,
        }),
        { maxLength: 4, selector: (m) => `${m.kind}${m.source}` },
      ),
      groupShares: fc.uniqueArray(
        fc.record({ group: index, with: index, access: level, expiresOn: day }),
        { maxLength: 3, selector: (s) => `${s.group}-${s.with}` },
      ),
      shares: fc.uniqueArray(
        fc.record({
          project: index,
          group: index,
          access: fc.constantFrom(10, 20, 30, 40),
          expiresOn: day,
        }),
        { maxLength: 3, selector: (s) => `${s.project}-${s.group}` },
      ),
    })
    .map(fit)
}

/** Drops dangling references and limits visibilities to that of the parent. */
function fit(fixture: Fixture): Fixture {
  const groups: Fixture['groups'] = []
  for (const { parent, visibility } of fixture.groups) {
    const above = parent === undefined ? undefined : groups[parent]
    groups.push({
      parent: above === undefined ? undefined : parent,
      visibility: narrowed(visibility, above?.visibility),
    })
  }
  const projects = fixture.projects
    .filter(({ group }) => group === undefined || group < groups.length)
    .map(({ group, visibility }) => ({
      group,
      visibility: narrowed(
        visibility,
        group === undefined ? undefined : at(groups, group).visibility,
      ),
    }))
  const members = fixture.members.filter(
    ({ kind, source }) => source < (kind === 'group' ? groups : projects).length,
  )
  const shares = fixture.shares.filter(
    ({ project, group }) => project < projects.length && group < groups.length,
  )
  const groupShares = fixture.groupShares.filter(
    (share) => share.group < groups.length && share.with < groups.length,
  )
  return { groups, projects, members, groupShares, shares }
}

function narrowed(inner: Visibility, outer: Visibility | undefined): Visibility {
  return outer !== undefined && isWiderThan(inner, outer) ? outer : inner
}
