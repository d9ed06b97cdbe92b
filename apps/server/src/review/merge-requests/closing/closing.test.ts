import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MergeRequestOverrides, TestUser } from '../../../testing/factories.ts'
import {
  buildRepositoryFixture,
  type RepositoryFixture,
} from '../../../testing/git/repository-fixture.ts'
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
async function buildFixture(message = 'Change', overrides = {}): Promise<RepositoryFixture> {
  const fixture = await buildRepositoryFixture(server, { visibility: 'public', ...overrides })
  await fixture.commitTo('topic', { 'b.txt': 'b' }, message)
  await fixture.push('main', 'topic')
  await server.runJobs()
  return fixture
}

const open = async ({ id }: Json): Promise<Json> =>
  (await asRoot('POST', `/projects/${id}/issues`, { title: 'An issue' })).body

const request = (fixture: RepositoryFixture, values: MergeRequestOverrides = {}, target = 'main') =>
  server.buildMergeRequest(fixture.project, 'topic', target, values)

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
    const fixture = await buildFixture()
    const issue = await open(fixture.project)
    expect(await counts(issue)).toEqual([0, 0])
    const { iid } = await request(fixture, values(issue.iid))
    expect(await counts(issue)).toEqual([1, 1])
    expect((await closedBy(issue))[0]).toMatchObject({ iid, state: 'opened' })
  })

  it('are counted by commit messages, also of later commits', async () => {
    const fixture = await buildFixture('Fixes #1')
    const [one, two] = [await open(fixture.project), await open(fixture.project)]
    await request(fixture)
    expect([await counts(one), await counts(two)]).toEqual([
      [1, 1],
      [0, 0],
    ])
    await fixture.commitTo('topic', { 'c.txt': 'c' }, 'Fixes #2')
    await fixture.push('topic')
    await server.runJobs()
    expect([await counts(one), await counts(two)]).toEqual([
      [1, 1],
      [1, 1],
    ])
    await fixture.git('checkout', '--quiet', 'topic')
    await fixture.git('reset', '--hard', '--quiet', 'main')
    await fixture.commitTo('topic', { 'd.txt': 'd' }, 'Fixes nothing')
    await fixture.push('topic')
    await server.runJobs()
    expect([await counts(one), await counts(two)]).toEqual([
      [0, 0],
      [0, 0],
    ])
  })

  it('are none when the target is not the default branch', async () => {
    const fixture = await buildFixture('Fixes #1')
    await fixture.git('branch', 'other', 'main')
    await fixture.push('other')
    await server.runJobs()
    const issue = await open(fixture.project)
    await request(fixture, { title: 'Fixes #1' }, 'other')
    expect(await counts(issue)).toEqual([0, 0])
  })

  it('are those that the author can read', async () => {
    const fixture = await buildFixture()
    const issue = await open(fixture.project)
    await asRoot('PUT', pathOf(issue), { confidential: true })
    await request(fixture, { title: 'Fixes #1', authorId: guest.id })
    expect(await counts(issue)).toEqual([0, 0])
  })

  it('are no longer counted when the source branch is deleted', async () => {
    const fixture = await buildFixture('Fixes #1')
    const issue = await open(fixture.project)
    const { iid } = await request(fixture)
    await fixture.push(':topic')
    await server.runJobs()
    expect(await counts(issue)).toEqual([0, 0])
    expect(await requestSystemNotes(fixture, iid)).toEqual([
      'deleted source branch `topic`',
      'closed',
    ])
  })

  it('are closed by a merge, on behalf of the user who merges', async () => {
    const fixture = await buildFixture('Fixes #2')
    const [described, committed, mentioned] = [
      await open(fixture.project),
      await open(fixture.project),
      await open(fixture.project),
    ]
    const { iid } = await request(fixture, { description: 'Closes #1, see #3' })
    await fixture.mergeInto('main', 'topic')
    await fixture.push('main')
    await server.runJobs()
    expect(await read(described)).toMatchObject({ state: 'closed', closed_by: { id: 1 } })
    expect((await systemNotes(described)).at(-1)).toBe(`closed via merge request !${iid}`)
    expect(await systemNotes(committed)).toContain(`closed via merge request !${iid}`)
    expect(await systemNotes(committed)).not.toContainEqual(
      expect.stringMatching(/^closed via commit/),
    )
    expect((await read(mentioned)).state).toBe('opened')
    expect(await counts(described)).toEqual([0, 0])
    expect(await requestSystemNotes(fixture, iid)).toContain('merged')
  })

  it('stay open when that user may not close them', async () => {
    const fixture = await buildFixture()
    const other = await server.buildProject({ visibility: 'public' })
    const issue = await open(other)
    const developer = await server.buildUser()
    await server.addMember(`projects/${fixture.project.id}`, developer.id, 40)
    await request(fixture, { description: `Closes ${other.path_with_namespace}#${issue.iid}` })
    const remote = fixture.remote.replace(
      /\/\/[^@]+@/,
      `//${developer.username}:${developer.token}@`,
    )
    await fixture.mergeInto('main', 'topic')
    await fixture.git('push', remote, 'main')
    await server.runJobs()
    expect((await read(issue)).state).toBe('opened')
  })

  it('count only merge requests that the caller may read', async () => {
    const fixture = await buildFixture('Change', { visibility: 'private' })
    const issue = await open(fixture.project)
    await request(fixture, { description: `Closes #${issue.iid}` })
    await server.addMember(`projects/${fixture.project.id}`, guest.id, 10)
    const { body } = await server.inject('GET', pathOf(issue), { token: guest.token })
    expect(body.merge_requests_count).toBe(0)
    expect(await counts(issue)).toEqual([1, 1])
  })

  it('of other projects are referenced by the full path', async () => {
    const fixture = await buildFixture()
    const issue = await open(await server.buildProject({ visibility: 'public' }))
    const { iid } = await request(fixture, { description: `Closes ${issue.web_url}` })
    expect((await read(issue)).merge_requests_count).toBe(1)
    expect(await closedBy(issue)).toEqual([])
    await fixture.mergeInto('main', 'topic')
    await fixture.push('main')
    await server.runJobs()
    const name = `${fixture.project.path_with_namespace}!${iid}`
    expect((await systemNotes(issue)).at(-1)).toBe(`closed via merge request ${name}`)
  })

  it('are closed when the call that merges answers', async () => {
    const fixture = await buildFixture('Fixes #1')
    const issue = await open(fixture.project)
    const { iid } = await request(fixture)
    const path = `/projects/${fixture.project.id}/merge_requests/${iid}`
    expect((await asRoot('PUT', `${path}/merge`)).body.state).toBe('merged')
    expect((await read(issue)).state).toBe('closed')
    await server.runJobs()
    const closed = (text: string) => text.startsWith('closed')
    expect((await systemNotes(issue)).filter(closed)).toEqual([`closed via merge request !${iid}`])
  })

  it('are closed once, however often the job runs', async () => {
    const fixture = await buildFixture('Fixes #1')
    const issue = await open(fixture.project)
    const { id } = await request(fixture)
    await fixture.mergeInto('main', 'topic')
    await fixture.push('main')
    await server.runJobs()
    await asRoot('PUT', pathOf(issue), { state_event: 'reopen' })
    await closeMergedIssues(server.app, id)
    await closeMergedIssues(server.app, 99_999)
    expect((await read(issue)).state).toBe('opened')
  })
})

async function requestSystemNotes(fixture: RepositoryFixture, iid: number): Promise<string[]> {
  const path = `/projects/${fixture.project.id}/merge_requests/${iid}/notes?sort=asc`
  return (await asRoot('GET', path)).body.map((note: Json) => note.body)
}

describe('GET /projects/:id/issues/:issue_iid/closed_by', () => {
  it('returns 404 for an issue that is unknown or hidden', async () => {
    const fixture = await buildFixture()
    const issue = await open(fixture.project)
    await asRoot('PUT', pathOf(issue), { confidential: true })
    const { token } = guest
    for (const path of [pathOf(issue), `/projects/${fixture.project.id}/issues/99`]) {
      for (const list of ['closed_by', 'related_merge_requests']) {
        expect((await server.inject('GET', `${path}/${list}`, { token })).status).toBe(404)
      }
    }
  })

  it('omits merge requests that the caller may not read', async () => {
    const fixture = await buildFixture('Fixes #1', { merge_requests_access_level: 'private' })
    const issue = await open(fixture.project)
    await request(fixture)
    expect(await closedBy(issue, guest.token)).toEqual([])
    await server.addMember(`projects/${fixture.project.id}`, guest.id, 20)
    expect(await closedBy(issue, guest.token)).toHaveLength(1)
  })

  it('paginates, ordered by iid', async () => {
    const fixture = await buildFixture('Fixes #1')
    const issue = await open(fixture.project)
    await fixture.git('branch', 'second', 'topic')
    await fixture.push('second')
    await request(fixture)
    await server.buildMergeRequest(fixture.project, 'second', 'main')
    const answer = await asRoot('GET', `${pathOf(issue)}/closed_by?per_page=1&page=2`)
    expect(answer.body).toMatchObject([{ iid: 2 }])
    expect(answer.headers['x-total']).toBe('2')
  })
})

describe('GET /projects/:id/issues/:issue_iid/related_merge_requests', () => {
  const related = async (issue: Json, token = server.root.token) =>
    (await server.inject('GET', `${pathOf(issue)}/related_merge_requests`, { token })).body

  it('lists merge requests that mention the issue or are mentioned by it, by project and iid', async () => {
    const [fixture, other] = [await buildFixture(), await buildFixture()]
    const issue = await open(fixture.project)
    const naming = await server.buildMergeRequest(other.project, 'topic', 'main', {
      description: `See ${issue.web_url}`,
    })
    const named = await request(fixture)
    expect(await related(issue)).toMatchObject([{ id: naming.id }])
    await asRoot('POST', `${pathOf(issue)}/notes`, { body: `Like !${named.iid}` })
    expect((await related(issue)).map((it: Json) => it.id)).toEqual([named.id, naming.id])
    expect((await closedBy(issue)).length).toBe(0)
  })

  it('lists each once, including those mentioned in notes', async () => {
    const fixture = await buildFixture()
    const issue = await open(fixture.project)
    const { id, iid } = await request(fixture, { description: 'See #1' })
    await asRoot('POST', `/projects/${fixture.project.id}/merge_requests/${iid}/notes`, {
      body: 'As in #1',
    })
    await asRoot('POST', `${pathOf(issue)}/notes`, { body: `Like !${iid}` })
    expect(await related(issue)).toMatchObject([{ id }])
  })

  it('omits merge requests that the caller may not read', async () => {
    const [fixture, hidden] = [
      await buildFixture(),
      await buildFixture('x', { visibility: 'private' }),
    ]
    const issue = await open(fixture.project)
    await server.buildMergeRequest(hidden.project, 'topic', 'main', {
      description: `See ${issue.web_url}`,
    })
    expect(await related(issue)).toHaveLength(1)
    expect(await related(issue, guest.token)).toEqual([])
    await server.addMember(`projects/${hidden.project.id}`, guest.id, 20)
    expect(await related(issue, guest.token)).toHaveLength(1)
  })
})
