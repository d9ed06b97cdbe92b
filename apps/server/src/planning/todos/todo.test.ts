import { insertRow } from '@stithy/store/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '../../testing/factories.ts'
import {
  buildRepositoryFixture,
  type RepositoryFixture,
} from '../../testing/git/repository-fixture.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let repository: RepositoryFixture
let ann: TestUser
let bob: TestUser
let issues: string

beforeAll(async () => {
  server = await buildTestServer()
  repository = await buildRepositoryFixture(server, { description: 'What it is' })
  await repository.commitTo('work', { 'w.txt': 'w\n' }, 'Work')
  await repository.push('main', 'work')
  ;[ann, bob] = [await server.buildUser(), await server.buildUser()]
  for (const { id } of [ann, bob])
    await server.addMember(`projects/${repository.project.id}`, id, 30)
  issues = `/projects/${repository.project.id}/issues`
})
afterAll(() => server.close())

async function post(path: string, { token }: { token: string }, body?: object): Promise<Json> {
  const answer = await server.inject('POST', path, { token, body })
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

const list = ({ token }: { token: string }, query = '') =>
  server.inject('GET', '/todos', { token, query })

async function idsOf(user: { token: string }, query = ''): Promise<number[]> {
  const { status, body, headers } = await list(user, query)
  expect([status, headers['x-total']]).toEqual([200, String(body.length)])
  return body.map((todo: Json) => todo.id)
}

/** Marks all todos of a user as done. */
async function clear({ token }: { token: string }): Promise<void> {
  const { status, text } = await server.inject('POST', '/todos/mark_as_done', { token })
  expect([status, text]).toEqual([204, ''])
}

async function buildEpic(group: Json, values: object = {}): Promise<{ id: number; iid: number }> {
  const times = { createdAt: server.app.now(), updatedAt: server.app.now() }
  const row = { groupId: group.id, iid: 1, authorId: 1, title: 'Big thing', ...times, ...values }
  return insertRow(server.app.db, 'epics', row)
}

describe('GET /todos', () => {
  it('shows a todo of an assignment', async () => {
    await clear(bob)
    const issue = await post(issues, ann, { title: 'Mend it', assignee_ids: [bob.id] })
    const { status, body, headers } = await list(bob)
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'x-total': '1', 'x-per-page': '20' })
    const { project } = repository
    expect(body).toEqual([
      {
        id: expect.any(Number),
        project: {
          id: project.id,
          description: 'What it is',
          name: project.name,
          name_with_namespace: project.name_with_namespace,
          path: project.path,
          path_with_namespace: project.path_with_namespace,
          created_at: project.created_at,
        },
        author: expect.objectContaining({ id: ann.id, username: ann.username }),
        action_name: 'assigned',
        target_type: 'Issue',
        target: expect.objectContaining({ id: issue.id, iid: issue.iid, title: 'Mend it' }),
        target_url: issue.web_url,
        body: 'Mend it',
        state: 'pending',
        created_at: expect.stringMatching(/Z$/),
      },
    ])
  })

  it('shows a todo of a mention in a note, with its URL and text', async () => {
    await clear(bob)
    const { iid, web_url: url } = await post(issues, ann, { title: 'Talk' })
    const note = await post(`${issues}/${iid}/notes`, ann, { body: `Look, @${bob.username}` })
    expect((await list(bob)).body).toMatchObject([
      {
        action_name: 'mentioned',
        body: `Look, @${bob.username}`,
        target_url: `${url}#note_${note.id}`,
      },
    ])
  })

  it('shows todos about merge requests, commits and epics', async () => {
    await clear(ann)
    const { id } = repository.project
    const request = await server.buildMergeRequest(repository.project, 'work', 'main')
    await post(`/projects/${id}/merge_requests/${request.iid}/todo`, ann)
    const sha = await repository.git('rev-parse', 'work')
    const discussions = `/projects/${id}/repository/commits/${sha}/discussions`
    const thread = await post(discussions, bob, { body: `@${ann.username} why?` })
    const group = await server.buildGroup({ visibility: 'internal' })
    const epic = await buildEpic(group)
    await post(`/groups/${group.id}/epics/${epic.iid}/todo`, ann)
    const { body } = await list(ann)
    const commitUrl = `http://stithy.test/${repository.project.path_with_namespace}/commit/${sha}`
    expect(body).toMatchObject([
      {
        target_type: 'Epic',
        target: { id: epic.id, iid: 1, group_id: group.id, title: 'Big thing', labels: [] },
        target_url: `http://stithy.test/groups/${group.full_path}/-/epics/1`,
        group: { id: group.id, kind: 'group', full_path: group.full_path, parent_id: null },
        body: 'Big thing',
      },
      {
        target_type: 'Commit',
        target: { id: sha, title: 'Work' },
        target_url: `${commitUrl}#note_${thread.notes[0].id}`,
        action_name: 'directly_addressed',
        project: { id },
      },
      { target_type: 'MergeRequest', target: { id: request.id }, action_name: 'marked' },
    ])
    expect(body[0]).not.toHaveProperty('project')
    expect(body[1]).not.toHaveProperty('group')
    const [epicTodo, , requestTodo] = body
    expect(await idsOf(ann, 'type=Epic')).toEqual([epicTodo.id])
    expect(await idsOf(ann, 'type=MergeRequest')).toEqual([requestTodo.id])
    expect(await idsOf(ann, 'type=Issue')).toEqual([])
  })

  it('filters by action, author, project, group with its subgroups, and state', async () => {
    const user = await server.buildUser()
    const top = await server.buildGroup({ visibility: 'public' })
    const below = await server.buildGroup({ visibility: 'public', parent_id: top.id })
    const far = await server.buildProject({ visibility: 'public', namespace_id: below.id })
    const near = await server.buildProject({ visibility: 'public', namespace_id: top.id })
    const elsewhere = await server.buildProject({ visibility: 'public' })
    const made: number[] = []
    for (const { id } of [far, near, elsewhere]) {
      const { iid } = await post(`/projects/${id}/issues`, ann, { title: 'Some' })
      made.push((await post(`/projects/${id}/issues/${iid}/todo`, user)).id)
    }
    const epic = await buildEpic(below)
    made.push((await post(`/groups/${below.id}/epics/${epic.iid}/todo`, user)).id)
    const { iid } = await post(`/projects/${near.id}/issues`, ann, { title: `@${user.username}` })
    const [named = 0] = await idsOf(user)
    const [inFar = 0, inNear = 0, inOther = 0, ofEpic = 0] = made
    expect(await idsOf(user)).toEqual([named, ofEpic, inOther, inNear, inFar])
    expect(await idsOf(user, `group_id=${top.id}`)).toEqual([named, ofEpic, inNear, inFar])
    expect(await idsOf(user, `group_id=${below.id}`)).toEqual([ofEpic, inFar])
    expect(await idsOf(user, `project_id=${near.id}`)).toEqual([named, inNear])
    expect(await idsOf(user, 'action=marked')).toEqual([ofEpic, inOther, inNear, inFar])
    expect(await idsOf(user, 'action=directly_addressed')).toEqual([named])
    expect(await idsOf(user, `author_id=${ann.id}`)).toEqual([named])
    expect(await idsOf(user, `author_id=${user.id}&type=Epic`)).toEqual([ofEpic])
    expect(await idsOf(user, `project_id=${near.id}&group_id=${below.id}`)).toEqual([])
    expect(await idsOf(user, 'state=done')).toEqual([])
    await post(`/projects/${near.id}/issues/${iid}/notes`, user, { body: 'Fine' })
    expect(await idsOf(user, 'state=done')).toEqual([named])
    expect(await idsOf(user, 'state=')).toEqual([ofEpic, inOther, inNear, inFar])
    expect(await idsOf(user, 'project_id=999999')).toEqual([])
  })

  it.each(['action=x', 'state=open', 'type=Note', 'author_id=x', 'project_id=1.5', 'group_id=[]'])(
    'returns 400 for %s',
    async (query) => {
      expect((await list(ann, query)).status).toBe(400)
    },
  )

  it('returns pages, and runs the same number of queries for any number of todos', async () => {
    const user = await server.buildUser()
    const { id } = await server.buildProject({ visibility: 'public' })
    const add = async () => {
      const values = { title: 'Some', description: `@${user.username}` }
      const { iid } = await post(`/projects/${id}/issues`, ann, values)
      await post(`/projects/${id}/issues/${iid}/todo`, user).catch(() => undefined)
    }
    const cost = async () => {
      const before = server.app.db.stats.queries
      await list(user)
      return server.app.db.stats.queries - before
    }
    await add()
    await cost()
    const forOne = await cost()
    for (let count = 0; count < 4; count += 1) await add()
    expect(await cost()).toBe(forOne)
    const { body, headers } = await list(user, 'per_page=2&page=2')
    expect(body).toHaveLength(2)
    expect(headers).toMatchObject({ 'x-total': '5', 'x-total-pages': '3', 'x-next-page': '3' })
  })
})

describe('POST /todos/:id/mark_as_done', () => {
  it('returns 201 with the todo, also a second time, and 404 for others', async () => {
    await clear(ann)
    const { iid } = await post(issues, bob, { title: 'PresenceBit' })
    const { id } = await post(`${issues}/${iid}/todo`, ann)
    const markAsDone = (token: string, todo: number | string = id) =>
      server.inject('POST', `/todos/${todo}/mark_as_done`, { token })
    const foreign = await markAsDone(bob.token)
    expect([foreign.status, foreign.body]).toEqual([404, { message: '404 Todo Not Found' }])
    for (let turn = 0; turn < 2; turn += 1) {
      const { status, body } = await markAsDone(ann.token)
      expect([status, body.id, body.state]).toEqual([201, id, 'done'])
    }
    expect(await idsOf(ann)).toEqual([])
    expect((await markAsDone(ann.token, 999_999)).status).toBe(404)
    expect((await markAsDone(ann.token, 'x')).status).toBe(400)
    expect((await post(`${issues}/${iid}/todo`, ann)).id).toBeGreaterThan(id)
  })
})

describe('POST /todos/mark_as_done', () => {
  it('accepts the filters of the list', async () => {
    await clear(ann)
    const { iid } = await post(issues, bob, { title: 'One' })
    const one = await post(`${issues}/${iid}/todo`, ann)
    await post(issues, bob, { title: 'Two', assignee_ids: [ann.id] })
    const markAsDone = async (input: object) =>
      (await server.inject('POST', '/todos/mark_as_done', { token: ann.token, ...input })).status
    expect(await markAsDone({ query: 'project_id=999999' })).toBe(204)
    expect(await idsOf(ann)).toHaveLength(2)
    expect(await markAsDone({ body: { action: 'assigned', state: 'done' } })).toBe(204)
    expect(await idsOf(ann)).toEqual([one.id])
    expect(await markAsDone({ query: 'type=x' })).toBe(400)
    expect(await markAsDone({})).toBe(204)
    expect(await idsOf(ann)).toEqual([])
  })
})

describe.each(['issues', 'merge_requests'])('POST /projects/:id/%s/:iid/todo', (kind) => {
  it('returns 201, and 304 while any todo is pending', async () => {
    await clear(ann)
    const { id } = repository.project
    await repository.commitTo(`for-${kind}`, { 'x.txt': `${kind}\n` }, 'More')
    await repository.push(`for-${kind}`)
    const { iid } =
      kind === 'issues'
        ? await post(issues, bob, { title: 'PresenceBit' })
        : await server.buildMergeRequest(repository.project, `for-${kind}`, 'main', {
            title: 'PresenceBit',
          })
    const path = `/projects/${id}/${kind}/${iid}/todo`
    expect(await post(path, ann)).toMatchObject({
      action_name: 'marked',
      author: { id: ann.id },
      body: 'PresenceBit',
      state: 'pending',
    })
    const again = await server.inject('POST', path, { token: ann.token })
    expect([again.status, again.text]).toEqual([304, ''])
    await clear(ann)
    const both = await Promise.all(
      [1, 2].map(() => server.inject('POST', path, { token: ann.token })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 304])
  })

  it('returns 404 for unknown or hidden items, 401 without a token', async () => {
    const { id } = repository.project
    const stranger = await server.buildUser()
    const status = async (path: string, token?: string) =>
      (await server.inject('POST', path, token === undefined ? {} : { token })).status
    expect(await status(`/projects/${id}/${kind}/999/todo`, ann.token)).toBe(404)
    expect(await status(`/projects/${id}/${kind}/x/todo`, ann.token)).toBe(400)
    expect(await status(`/projects/${id}/${kind}/1/todo`, stranger.token)).toBe(404)
    expect(await status(`/projects/${id}/${kind}/1/todo`)).toBe(401)
  })
})

describe('POST /groups/:id/epics/:epic_iid/todo', () => {
  it('returns 201, 304 while one is pending, and 404 for unknown or hidden epics', async () => {
    const group = await server.buildGroup({ visibility: 'private' })
    const epic = await buildEpic(group, { iid: 7 })
    await server.addMember(`groups/${group.id}`, ann.id, 10)
    const status = async ({ token }: { token: string }, iid: number) =>
      (await server.inject('POST', `/groups/${group.id}/epics/${iid}/todo`, { token })).status
    expect(await status(ann, 7)).toBe(201)
    expect(await status(ann, 7)).toBe(304)
    expect(await status(ann, epic.id)).toBe(epic.id === 7 ? 304 : 404)
    expect(await status(bob, 7)).toBe(404)
  })

  it('returns 403 in a tier without epics, as does the filter by epics', async () => {
    const other = await buildTestServer({ tier: 'community' })
    const { token } = other.root
    const group = await other.buildGroup()
    const { status } = await other.inject('POST', `/groups/${group.id}/epics/1/todo`, { token })
    expect(status).toBe(403)
    expect((await other.inject('GET', '/todos', { token, query: 'type=Epic' })).status).toBe(403)
    await other.close()
  })
})
