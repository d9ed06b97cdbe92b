import {
  type CallerFacts,
  decideOnIssue,
  decideOnProject,
  featureLevels,
  type ProjectFacts,
  visibilities,
} from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { viewerArgs, viewerKind } from '../../directory/members/visibility.ts'
import type { Row } from '../../platform/schema/schema.ts'
import {
  buildMember,
  buildNamespace,
  buildProject,
  buildUser,
  openTestDatabase,
  someTime,
  type TestDatabase,
} from '../../testing/index.ts'
import { putIssue } from '../../testing/work-items.ts'
import type { WorkItemListScope } from '../items/lists/work-item-filter.ts'
import { countIssues, listIssues } from './issue-list.ts'
import { visibleIssues } from './issue-visibility.ts'

const today = '2019-06-15'
const levels = [0, 10, 20, 30, 40, 50]
const relations = ['stranger', 'author', 'assignee'] as const

interface Case {
  id: number
  facts: ProjectFacts
  project: Row<'projects'>
  confidential: boolean
  relation: (typeof relations)[number]
  deleted: boolean
}

let db: TestDatabase
let viewer: Row<'users'>
let group: Row<'namespaces'>
let cases: Case[]

beforeAll(async () => {
  db = await openTestDatabase()
  viewer = await buildUser(db)
  const other = await buildUser(db)
  group = await buildNamespace(db, { visibility: 'public' })
  cases = []
  for (const visibility of visibilities) {
    for (const issuesAccessLevel of featureLevels) {
      for (const level of levels) {
        for (const deleted of level === 30 ? [false, true] : [false]) {
          const deletedAt = deleted ? someTime : null
          const changes = { visibility, issuesAccessLevel, deletedAt }
          const project = await buildProject(db, group, changes)
          if (level > 0) await buildMember(db, viewer, { kind: 'project', id: project.id }, level)
          const features = { ...allEnabled, issues: issuesAccessLevel }
          const facts: ProjectFacts = { visibility, level, archived: false, features }
          await putIssues(project, facts, other.id, deleted)
        }
      }
    }
  }
})

afterAll(() => db.close())

const allEnabled: ProjectFacts['features'] = {
  issues: 'enabled',
  repository: 'enabled',
  merge_requests: 'enabled',
  builds: 'enabled',
  wiki: 'enabled',
  snippets: 'enabled',
}

async function putIssues(
  project: Row<'projects'>,
  facts: ProjectFacts,
  otherId: number,
  deleted: boolean,
): Promise<void> {
  let iid = 0
  for (const confidential of [false, true]) {
    for (const relation of relations) {
      iid += 1
      const id = cases.length + 1
      cases.push({ id, facts, project, confidential, relation, deleted })
      await putIssue(db, {
        id,
        iid,
        projectId: project.id,
        authorId: relation === 'author' ? viewer.id : otherId,
        title: `Issue ${id}`,
        description: null,
        state: id % 2 === 0 ? 'opened' : 'closed',
        confidential,
        weight: null,
        milestoneId: null,
        labelIds: [],
        assigneeIds: relation === 'assignee' ? [otherId, viewer.id] : [otherId],
        awards: [],
        createdAt: someTime + id,
        updatedAt: someTime,
      })
    }
  }
}

function callers(): [string, CallerFacts][] {
  const { id: userId } = viewer
  return [
    ['anonymous', { userId: null, admin: false, external: false }],
    ['external', { userId, admin: false, external: true }],
    ['signed in', { userId, admin: false, external: false }],
    ['an administrator', { userId, admin: true, external: false }],
  ]
}

/** The facts as the policy gets them: without a token nobody is a member. */
function mayRead({ facts, confidential, relation, deleted }: Case, caller: CallerFacts): boolean {
  if (deleted) return false
  const level = caller.userId === null ? 0 : facts.level
  return decideOnIssue(
    'read_issue',
    caller,
    { ...facts, level },
    {
      confidential,
      discussionLocked: false,
      authorId: relation === 'author' ? viewer.id : -1,
      assigned: caller.userId !== null && relation === 'assignee',
    },
  ).allowed
}

describe('visibleIssues', () => {
  for (const index of [0, 1, 2, 3]) {
    it(`agrees with the policy for every role, visibility, feature level and relation, caller ${index}`, async () => {
      const [, caller] = callers()[index] ?? ['', { userId: null, admin: false, external: false }]
      const kind = viewerKind(caller)
      const rows = await db.all(`test.visible|${kind}`, viewerArgs(caller, today), (kysely, $) =>
        kysely
          .selectFrom('issues')
          .innerJoin('projects', 'projects.id', 'issues.projectId')
          .where(visibleIssues(kind, $))
          .orderBy('issues.id')
          .select('issues.id'),
      )
      const expected = cases.filter((one) => mayRead(one, caller)).map(({ id }) => id)
      expect(expected.length).toBeGreaterThan(10)
      expect(rows.map((row) => row.id)).toEqual(expected)
    })
  }
})

describe('lists and counts of issues', () => {
  const order = { orderBy: 'created_at', sort: 'asc' } as const

  async function found(scope: WorkItemListScope, caller: CallerFacts): Promise<number[]> {
    const request = { scope, filter: {}, caller, today, ...order }
    const ids: number[] = []
    for (let page = 1; ; page += 1) {
      const { items, total } = await listIssues(db, request, { page, perPage: 100 })
      ids.push(...items.map((row) => row.id))
      if (items.length === 0) {
        expect(total).toBe(ids.length)
        return ids
      }
    }
  }

  it('across all projects and in a group show what the policy allows', async () => {
    for (const [name, caller] of callers()) {
      const expected = cases.filter((one) => mayRead(one, caller)).map(({ id }) => id)
      const group_ = { kind: 'group', groupId: group.id, archived: false } as const
      expect(await found({ kind: 'anywhere', archived: false }, caller), name).toEqual(expected)
      expect(await found(group_, caller), name).toEqual(expected)
      let counted = 0
      for (const state of ['opened', 'closed']) {
        const filter = { state }
        counted += await countIssues(db, { scope: group_, filter, caller, today, ...order })
      }
      expect(counted, name).toBe(expected.length)
    }
  })

  it('in each project show what the policy allows', async () => {
    const projects = new Map(cases.map((one) => [one.project.id, one]))
    for (const [name, caller] of callers()) {
      for (const [projectId, { facts, project, deleted }] of projects) {
        const level = caller.userId === null ? 0 : facts.level
        const decide = (ability: 'read_issues' | 'read_confidential_issues') =>
          decideOnProject(ability, caller, { ...facts, level }).allowed
        if (deleted || !decide('read_issues')) continue
        const { namespaceId } = project
        const includesHidden = decide('read_confidential_issues')
        const scope = { kind: 'project', projectId, namespaceId, includesHidden } as const
        const own = cases.filter((one) => one.project.id === projectId && mayRead(one, caller))
        expect(await found(scope, caller), name).toEqual(own.map(({ id }) => id))
      }
    }
  })
})
