import {
  type CallerFacts,
  decideOnGroup,
  decideOnIssue,
  decideOnMergeRequest,
  decideOnProject,
  type FeatureLevel,
  featureLevels,
  type ProjectFacts,
  type Visibility,
  visibilities,
} from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toFlag } from '../../platform/schema/flag.ts'
import type { Row } from '../../platform/schema/schema.ts'
import {
  buildMember,
  buildNamespace,
  buildProject,
  buildUser,
  insertRow,
  openTestDatabase,
  someTime,
  type TestDatabase,
} from '../../testing/index.ts'
import { someSha } from '../../testing/merge-requests.ts'
import { deleteHiddenTodos, findTodo, listTodos } from './todo-list.ts'
import { insertTodos, type TodoTarget } from './todo-store.ts'

const today = '2019-06-15'
let db: TestDatabase
let author: Row<'users'>
beforeAll(async () => {
  db = await openTestDatabase()
  author = await buildUser(db)
})
afterAll(() => db.close())

/** A target of a todo, and whether the policy lets the user read it. */
interface Target {
  target: TodoTarget
  readable: boolean
}

type Viewer = CallerFacts & { userId: number }

const times = { createdAt: someTime, updatedAt: someTime }

async function issuesIn(project: Row<'projects'>, facts: ProjectFacts, viewer: Viewer) {
  const targets: Target[] = []
  for (const confidential of [false, true]) {
    for (const own of ['no', 'author', 'assignee'] as const) {
      const authorId = own === 'author' ? viewer.userId : author.id
      const issue = await insertRow(db, 'issues', {
        projectId: project.id,
        iid: targets.length + 1,
        authorId,
        title: 'Title',
        confidential: toFlag(confidential),
        ...times,
      })
      if (own === 'assignee') await assign('issue', issue.id, viewer.userId)
      const item = { confidential, discussionLocked: false, authorId, assigned: own === 'assignee' }
      const readable = decideOnIssue('read_issue', viewer, facts, item).allowed
      const parent = { projectId: project.id, commitId: null, groupId: null }
      targets.push({ target: { type: 'issue', id: issue.id, ...parent }, readable })
    }
  }
  return targets
}

async function assign(type: 'issue' | 'merge_request', id: number, userId: number): Promise<void> {
  await db.run(`test.assign.${type}`, { id, userId }, (kysely, $) =>
    type === 'issue'
      ? kysely
          .insertInto('issueAssignees')
          .values({ issueId: $('id'), userId: $('userId'), position: 0, createdAt: someTime })
      : kysely
          .insertInto('mergeRequestAssignees')
          .values({ mergeRequestId: $('id'), userId: $('userId'), position: 0 }),
  )
}

async function requestsIn(project: Row<'projects'>, facts: ProjectFacts, viewer: Viewer) {
  const targets: Target[] = []
  for (const own of ['no', 'author', 'assignee'] as const) {
    const authorId = own === 'author' ? viewer.userId : author.id
    const request = await insertRow(db, 'mergeRequests', {
      projectId: project.id,
      iid: targets.length + 1,
      targetBranch: 'main',
      sourceBranch: `topic-${own}`,
      sourceProjectId: project.id,
      authorId,
      title: 'Title',
      headSha: someSha('head'),
      startSha: someSha('start'),
      ...times,
    })
    if (own === 'assignee') await assign('merge_request', request.id, viewer.userId)
    const item = { discussionLocked: false, authorId, assigned: own === 'assignee' }
    const readable = decideOnMergeRequest('read_merge_request', viewer, facts, item).allowed
    const parent = { projectId: project.id, commitId: null, groupId: null }
    targets.push({ target: { type: 'merge_request', id: request.id, ...parent }, readable })
  }
  return targets
}

interface Settings {
  visibility: Visibility
  repository: FeatureLevel
  others: FeatureLevel
}

const settings: Settings[] = visibilities.flatMap((visibility) =>
  featureLevels.flatMap((repository) =>
    featureLevels.map((others) => ({ visibility, repository, others })),
  ),
)

async function targetsIn(group: Row<'namespaces'>, level: number, viewer: Viewer, set: Settings) {
  const { visibility, repository, others } = set
  const project = await buildProject(db, group, {
    visibility,
    repositoryAccessLevel: repository,
    issuesAccessLevel: others,
    mergeRequestsAccessLevel: others,
  })
  if (level > 0)
    await buildMember(db, { id: viewer.userId }, { kind: 'project', id: project.id }, level)
  const features = { issues: others, merge_requests: others, builds: others, wiki: others }
  const facts: ProjectFacts = {
    visibility,
    archived: false,
    level,
    features: { ...features, snippets: others, repository },
  }
  const commit: Target = {
    target: {
      type: 'commit',
      id: null,
      commitId: someSha('c'),
      projectId: project.id,
      groupId: null,
    },
    readable: decideOnProject('read_code', viewer, facts).allowed,
  }
  const access: Target = {
    target: {
      type: 'project',
      id: project.id,
      commitId: null,
      projectId: project.id,
      groupId: null,
    },
    readable: decideOnProject('read_access_requests', viewer, facts).allowed,
  }
  return [
    ...(await issuesIn(project, facts, viewer)),
    ...(await requestsIn(project, facts, viewer)),
    commit,
    access,
  ]
}

async function inGroup(visibility: Visibility, level: number, viewer: Viewer): Promise<Target[]> {
  const group = await buildNamespace(db, { visibility })
  if (level > 0)
    await buildMember(db, { id: viewer.userId }, { kind: 'group', id: group.id }, level)
  const epic = await insertRow(db, 'epics', {
    groupId: group.id,
    iid: 1,
    authorId: author.id,
    title: 'Title',
    ...times,
  })
  const facts = { visibility, level, holdsReadableProject: false }
  const readable = decideOnGroup('read_epics', viewer, facts).allowed
  const parent = { projectId: null, commitId: null, groupId: group.id }
  const decides = decideOnGroup('admin_group_access_requests', viewer, facts).allowed
  return [
    { target: { type: 'epic', id: epic.id, ...parent }, readable },
    { target: { type: 'group', id: group.id, ...parent }, readable: decides },
  ]
}

const viewers = [
  { admin: false, external: false, level: 0 },
  { admin: false, external: false, level: 10 },
  { admin: false, external: false, level: 20 },
  { admin: false, external: false, level: 40 },
  { admin: false, external: false, level: 50 },
  { admin: false, external: true, level: 0 },
  { admin: false, external: true, level: 10 },
  { admin: false, external: true, level: 20 },
  { admin: true, external: false, level: 0 },
]

describe('visibleTodos', () => {
  it.each(viewers)('shows what the policy allows to read: %j', async ({ level, ...kind }) => {
    const user = await buildUser(db, { admin: toFlag(kind.admin), external: toFlag(kind.external) })
    const viewer = { userId: user.id, ...kind }
    const group = await buildNamespace(db, { visibility: 'public' })
    const targets: Target[] = []
    for (const set of settings) targets.push(...(await targetsIn(group, level, viewer, set)))
    for (const visibility of visibilities)
      targets.push(...(await inGroup(visibility, level, viewer)))
    const expected: number[] = []
    const hidden: number[] = []
    await db.transaction(async (tx) => {
      for (const { target, readable } of targets) {
        const todo = { target, userIds: [user.id], authorId: author.id, noteId: null, at: someTime }
        const [added] = await insertTodos(tx, { ...todo, action: 'marked' })
        const ids = readable ? expected : hidden
        ids.push(added?.id ?? 0)
      }
    })
    const owner = { caller: viewer, today }
    const list = () => listTodos(db, owner, { state: 'pending' }, { page: 1, perPage: 1000 })
    const found = await list()
    expect(found.items.map((todo) => todo.id)).toEqual(expected.toReversed())
    expect(found.total).toBe(expected.length)
    if (kind.admin || level >= 40) expect(hidden.length).toBeLessThan(expected.length)
    else expect(Math.min(hidden.length, expected.length)).toBeGreaterThan(0)
    expect(await findTodo(db, owner, hidden[0] ?? 0)).toBeUndefined()
    expect(await findTodo(db, owner, expected[0] ?? 0)).toMatchObject({ id: expected[0] })
    const removed = await db.transaction((tx) => deleteHiddenTodos(tx, owner, 1000))
    expect(removed).toBe(hidden.length)
    expect((await list()).total).toBe(expected.length)
  })

  it('leaves out targets that are deleted or being deleted', async () => {
    const user = await buildUser(db, { admin: 1 })
    const group = await buildNamespace(db)
    const project = await buildProject(db, group, { deletedAt: someTime })
    const deletedGroup = await buildNamespace(db, { deletedAt: someTime })
    const commitId = null
    const targets: TodoTarget[] = [
      { type: 'commit', id: null, commitId: someSha('c'), projectId: project.id, groupId: null },
      { type: 'issue', id: 999_999, commitId, projectId: project.id, groupId: null },
      { type: 'merge_request', id: 999_999, commitId, projectId: project.id, groupId: null },
      { type: 'epic', id: 999_999, commitId, projectId: null, groupId: deletedGroup.id },
      { type: 'project', id: project.id, commitId, projectId: project.id, groupId: null },
      { type: 'group', id: deletedGroup.id, commitId, projectId: null, groupId: deletedGroup.id },
    ]
    await db.transaction(async (tx) => {
      for (const target of targets) {
        const todo = { target, userIds: [user.id], authorId: user.id, noteId: null, at: someTime }
        expect(await insertTodos(tx, { ...todo, action: 'marked' })).toHaveLength(1)
      }
    })
    const owner = { caller: { userId: user.id, admin: true, external: false }, today }
    const found = await listTodos(db, owner, { state: 'pending' }, { page: 1, perPage: 20 })
    expect(found).toMatchObject({ items: [], total: 0 })
    expect(await db.transaction((tx) => deleteHiddenTodos(tx, owner, 4))).toBe(4)
    expect(await db.transaction((tx) => deleteHiddenTodos(tx, owner, 4))).toBe(2)
  })
})
