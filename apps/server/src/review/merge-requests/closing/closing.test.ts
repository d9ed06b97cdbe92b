import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MergeRequestOverrides, TestUser } from '../../../testing/factories.ts'
import {
  buildRepositoryWorld,
  type RepositoryWorld,
} from '../../../testing/git/repository-world.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'
import { closeMergedIssues } from './closing.service.ts'

let server: TestServer
let guest: TestUser
beforeAll(async () => {
  server = await buildTestServer()
  guest = await server.buildUser()
})
afterAll(() => server.close())

const asRoot = (method: string, path: string, body?: object) =>
  server.inject(method, path, { token: server.root.token, ...(body && { body }) })

/** A project whose `topic` is one commit ahead of `main`. */
async function buildWorld(message = 'Change', overrides = {}): Promise<RepositoryWorld> {
  const world = await buildRepositoryWorld(server, { visibility: 'public', ...overrides })
  await world.commitTo('topic', { 'b.txt': 'b' }, message)
  await world.push('main', 'topic')
  await server.runJobs()
  return world
}

const open = async ({ id }: Json): Promise<Json> =>
  (await asRoot('POST', `/projects/${id}/issues`, { title: 'An issue' })).body

const request = (world: RepositoryWorld, values: MergeRequestOverrides = {}, target = 'main') =>
  server.buildMergeRequest(world.project, 'topic', target, values)

const pathOf = (issue: Json) => `/projects/${issue.project_id}/issues/${issue.iid}`

async function read(issue: Json): Promise<Json> {
  return (await asRoot('GET', pathOf(issue))).body
}

async function systemNotes(issue: Json): Promise<string[]> {
  const { body } = await asRoot('GET', `${pathOf(issue)}/notes?sort=asc`)
  return body.map((note: Json) => note.body)
}

const closedBy = async (issue: Json, token = server.root.token): Promise<Json[]> =>
  (await server.inject('GET', `${pathOf(issue)}/closed_by`, { token })).body

/** The merge_requests_count of the issue and of its list entry. */
async function counts(issue: Json): Promise<[number, number]> {
  return [(await read(issue)).merge_requests_count, (await closedBy(issue)).length]
}

describe('issues closed by merge requests', () => {
  it.each<[string, (iid: number) => MergeRequestOverrides]>([
    ['the title', (iid) => ({ title: `Fix #${iid}` })],
    ['the description', (iid) => ({ title: 'x', description: `Closes #${iid}` })],
  ])('are counted by %s', async (_, values) => {
    const world = await buildWorld()
    const issue = await open(world.project)
    expect(await counts(issue)).toEqual([0, 0])
    const { iid } = await request(world, values(issue.iid))
    expect(await counts(issue)).toEqual([1, 1])
    expect((await closedBy(issue))[0]).toMatchObject({ iid, state: 'opened' })
  })

  it('are counted by commit messages, also of later commits', async () => {
    const world = await buildWorld('Fixes #1')
    const [one, two] = [await open(world.project), await open(world.project)]
    await request(world)
    expect([await counts(one), await counts(two)]).toEqual([
      [1, 1],
      [0, 0],
    ])
    await world.commitTo('topic', { 'c.txt': 'c' }, 'Fixes #2')
    await world.push('topic')
    await server.runJobs()
    expect([await counts(one), await counts(two)]).toEqual([
      [1, 1],
      [1, 1],
    ])
    await world.git('checkout', '--quiet', 'topic')
    await world.git('reset', '--hard', '--quiet', 'main')
    await world.commitTo('topic', { 'd.txt': 'd' }, 'Fixes nothing')
    await world.push('topic')
    await server.runJobs()
    expect([await counts(one), await counts(two)]).toEqual([
      [0, 0],
      [0, 0],
    ])
  })

  it('are none when the target is not the default branch', async () => {
    const world = await buildWorld('Fixes #1')
    await world.git('branch', 'other', 'main')
    await world.push('other')
    await server.runJobs()
    const issue = await open(world.project)
    await request(world, { title: 'Fixes #1' }, 'other')
    expect(await counts(issue)).toEqual([0, 0])
  })

  it('are those that the author can read', async () => {
    const world = await buildWorld()
    const issue = await open(world.project)
    await asRoot('PUT', pathOf(issue), { confidential: true })
    await request(world, { title: 'Fixes #1', authorId: guest.id })
    expect(await counts(issue)).toEqual([0, 0])
  })

  it('are no longer counted when the source branch is deleted', async () => {
    const world = await buildWorld('Fixes #1')
    const issue = await open(world.project)
    const { iid } = await request(world)
    await world.push(':topic')
    await server.runJobs()
    expect(await counts(issue)).toEqual([0, 0])
    expect(await requestSystemNotes(world, iid)).toEqual([
      'deleted source branch `topic`',
      'closed',
    ])
  })

  it('are closed by a merge, on behalf of the user who merges', async () => {
    const world = await buildWorld('Fixes #2')
    const [described, committed, mentioned] = [
      await open(world.project),
      await open(world.project),
      await open(world.project),
    ]
    const { iid } = await request(world, { description: 'Closes #1, see #3' })
    await world.mergeInto('main', 'topic')
    await world.push('main')
    await server.runJobs()
    expect(await read(described)).toMatchObject({ state: 'closed', closed_by: { id: 1 } })
    expect((await systemNotes(described)).at(-1)).toBe(`closed via merge request !${iid}`)
    expect(await systemNotes(committed)).toContain(`closed via merge request !${iid}`)
    expect(await systemNotes(committed)).not.toContainEqual(
      expect.stringMatching(/^closed via commit/),
    )
    expect((await read(mentioned)).state).toBe('opened')
    expect(await counts(described)).toEqual([0, 0])
    expect(await requestSystemNotes(world, iid)).toContain('merged')
  })

  it('stay open when that user may not close them', async () => {
    const world = await buildWorld()
    const other = await server.buildProject({ visibility: 'public' })
    const issue = await open(other)
    const developer = await server.buildUser()
    await server.addMember(`projects/${world.project.id}`, developer.id, 40)
    await request(world, { description: `Closes ${other.path_with_namespace}#${issue.iid}` })
    const remote = world.remote.replace(/\/\/[^@]+@/, `//${developer.username}:${developer.token}@`)
    await world.mergeInto('main', 'topic')
    await world.git('push', remote, 'main')
    await server.runJobs()
    expect((await read(issue)).state).toBe('opened')
  })

  it('count only merge requests that the caller may read', async () => {
    const world = await buildWorld('Change', { visibility: 'private' })
    const issue = await open(world.project)
    await request(world, { description: `Closes #${issue.iid}` })
    await server.addMember(`projects/${world.project.id}`, guest.id, 10)
    const { body } = await server.inject('GET', pathOf(issue), { token: guest.token })
    expect(body.merge_requests_count).toBe(0)
    expect(await counts(issue)).toEqual([1, 1])
  })

  it('of other projects are referenced by the full path', async () => {
    const world = await buildWorld()
    const issue = await open(await server.buildProject({ visibility: 'public' }))
    const { iid } = await request(world, { description: `Closes ${issue.web_url}` })
    expect((await read(issue)).merge_requests_count).toBe(1)
    expect(await closedBy(issue)).toEqual([])
    await world.mergeInto('main', 'topic')
    await world.push('main')
    await server.runJobs()
    const name = `${world.project.path_with_namespace}!${iid}`
    expect((await systemNotes(issue)).at(-1)).toBe(`closed via merge request ${name}`)
  })

  it('are closed once, however often the job runs', async () => {
    const world = await buildWorld('Fixes #1')
    const issue = await open(world.project)
    const { id } = await request(world)
    await world.mergeInto('main', 'topic')
    await world.push('main')
    await server.runJobs()
    await asRoot('PUT', pathOf(issue), { state_event: 'reopen' })
    await closeMergedIssues(server.app, id)
    await closeMergedIssues(server.app, 99_999)
    expect((await read(issue)).state).toBe('opened')
  })
})

async function requestSystemNotes(world: RepositoryWorld, iid: number): Promise<string[]> {
  const path = `/projects/${world.project.id}/merge_requests/${iid}/notes?sort=asc`
  return (await asRoot('GET', path)).body.map((note: Json) => note.body)
}

describe('GET /projects/:id/issues/:issue_iid/closed_by', () => {
  it('answers 404 for an issue that is unknown or hidden', async () => {
    const world = await buildWorld()
    const issue = await open(world.project)
    await asRoot('PUT', pathOf(issue), { confidential: true })
    const { token } = guest
    for (const path of [pathOf(issue), `/projects/${world.project.id}/issues/99`]) {
      for (const list of ['closed_by', 'related_merge_requests']) {
        expect((await server.inject('GET', `${path}/${list}`, { token })).status).toBe(404)
      }
    }
  })

  it('omits merge requests that the caller may not read', async () => {
    const world = await buildWorld('Fixes #1', { merge_requests_access_level: 'private' })
    const issue = await open(world.project)
    await request(world)
    expect(await closedBy(issue, guest.token)).toEqual([])
    await server.addMember(`projects/${world.project.id}`, guest.id, 20)
    expect(await closedBy(issue, guest.token)).toHaveLength(1)
  })

  it('paginates, ordered by iid', async () => {
    const world = await buildWorld('Fixes #1')
    const issue = await open(world.project)
    await world.git('branch', 'second', 'topic')
    await world.push('second')
    await request(world)
    await server.buildMergeRequest(world.project, 'second', 'main')
    const answer = await asRoot('GET', `${pathOf(issue)}/closed_by?per_page=1&page=2`)
    expect(answer.body).toMatchObject([{ iid: 2 }])
    expect(answer.headers['x-total']).toBe('2')
  })
})

describe('GET /projects/:id/issues/:issue_iid/related_merge_requests', () => {
  const related = async (issue: Json, token = server.root.token) =>
    (await server.inject('GET', `${pathOf(issue)}/related_merge_requests`, { token })).body

  it('lists merge requests that mention the issue or are mentioned by it, by project and iid', async () => {
    const [world, other] = [await buildWorld(), await buildWorld()]
    const issue = await open(world.project)
    const naming = await server.buildMergeRequest(other.project, 'topic', 'main', {
      description: `See ${issue.web_url}`,
    })
    const named = await request(world)
    expect(await related(issue)).toMatchObject([{ id: naming.id }])
    await asRoot('POST', `${pathOf(issue)}/notes`, { body: `Like !${named.iid}` })
    expect((await related(issue)).map((it: Json) => it.id)).toEqual([named.id, naming.id])
    expect((await closedBy(issue)).length).toBe(0)
  })

  it('lists each once, including those mentioned in notes', async () => {
    const world = await buildWorld()
    const issue = await open(world.project)
    const { id, iid } = await request(world, { description: 'See #1' })
    await asRoot('POST', `/projects/${world.project.id}/merge_requests/${iid}/notes`, {
      body: 'As in #1',
    })
    await asRoot('POST', `${pathOf(issue)}/notes`, { body: `Like !${iid}` })
    expect(await related(issue)).toMatchObject([{ id }])
  })

  it('omits merge requests that the caller may not read', async () => {
    const [world, hidden] = [await buildWorld(), await buildWorld('x', { visibility: 'private' })]
    const issue = await open(world.project)
    await server.buildMergeRequest(hidden.project, 'topic', 'main', {
      description: `See ${issue.web_url}`,
    })
    expect(await related(issue)).toHaveLength(1)
    expect(await related(issue, guest.token)).toEqual([])
    await server.addMember(`projects/${hidden.project.id}`, guest.id, 20)
    expect(await related(issue, guest.token)).toHaveLength(1)
  })
})
