import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MergeRequestOverrides, TestUser } from '../../testing/factories.ts'
import { buildWorkPlace, type WorkPlace } from '../../testing/git/work-place.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
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

/** A project whose `topic` has a commit more than `main`. */
async function buildPlace(message = 'Change', overrides = {}): Promise<WorkPlace> {
  const place = await buildWorkPlace(server, { visibility: 'public', ...overrides })
  await place.commitTo('topic', { 'b.txt': 'b' }, message)
  await place.push('main', 'topic')
  await server.runJobs()
  return place
}

const open = async ({ id }: Json): Promise<Json> =>
  (await asRoot('POST', `/projects/${id}/issues`, { title: 'An issue' })).body

const request = (place: WorkPlace, values: MergeRequestOverrides = {}, target = 'main') =>
  server.buildMergeRequest(place.project, 'topic', target, values)

const pathOf = (issue: Json) => `/projects/${issue.project_id}/issues/${issue.iid}`

async function read(issue: Json): Promise<Json> {
  return (await asRoot('GET', pathOf(issue))).body
}

async function remarks(issue: Json): Promise<string[]> {
  const { body } = await asRoot('GET', `${pathOf(issue)}/notes?sort=asc`)
  return body.map((note: Json) => note.body)
}

const closedBy = async (issue: Json, token = server.root.token): Promise<Json[]> =>
  (await server.inject('GET', `${pathOf(issue)}/closed_by`, { token })).body

/** What issue and list say of how many requests close it. */
async function counts(issue: Json): Promise<[number, number]> {
  return [(await read(issue)).merge_requests_count, (await closedBy(issue)).length]
}

describe('issues that merge requests close', () => {
  it.each<[string, (iid: number) => MergeRequestOverrides]>([
    ['the title', (iid) => ({ title: `Fix #${iid}` })],
    ['the description', (iid) => ({ title: 'x', description: `Closes #${iid}` })],
  ])('are counted by %s', async (_, values) => {
    const place = await buildPlace()
    const issue = await open(place.project)
    expect(await counts(issue)).toEqual([0, 0])
    const { iid } = await request(place, values(issue.iid))
    expect(await counts(issue)).toEqual([1, 1])
    expect((await closedBy(issue))[0]).toMatchObject({ iid, state: 'opened' })
  })

  it('are counted by the messages of commits, also of later ones', async () => {
    const place = await buildPlace('Fixes #1')
    const [one, two] = [await open(place.project), await open(place.project)]
    await request(place)
    expect([await counts(one), await counts(two)]).toEqual([
      [1, 1],
      [0, 0],
    ])
    await place.commitTo('topic', { 'c.txt': 'c' }, 'Fixes #2')
    await place.push('topic')
    await server.runJobs()
    expect([await counts(one), await counts(two)]).toEqual([
      [1, 1],
      [1, 1],
    ])
    await place.git('checkout', '--quiet', 'topic')
    await place.git('reset', '--hard', '--quiet', 'main')
    await place.commitTo('topic', { 'd.txt': 'd' }, 'Fixes nothing')
    await place.push('topic')
    await server.runJobs()
    expect([await counts(one), await counts(two)]).toEqual([
      [0, 0],
      [0, 0],
    ])
  })

  it('are none where the request leads elsewhere than to the default branch', async () => {
    const place = await buildPlace('Fixes #1')
    await place.git('branch', 'other', 'main')
    await place.push('other')
    await server.runJobs()
    const issue = await open(place.project)
    await request(place, { title: 'Fixes #1' }, 'other')
    expect(await counts(issue)).toEqual([0, 0])
  })

  it('are those that the author can read', async () => {
    const place = await buildPlace()
    const issue = await open(place.project)
    await asRoot('PUT', pathOf(issue), { confidential: true })
    await request(place, { title: 'Fixes #1', authorId: guest.id })
    expect(await counts(issue)).toEqual([0, 0])
  })

  it('are counted no more once the source branch is gone', async () => {
    const place = await buildPlace('Fixes #1')
    const issue = await open(place.project)
    const { iid } = await request(place)
    await place.push(':topic')
    await server.runJobs()
    expect(await counts(issue)).toEqual([0, 0])
    expect(await requestRemarks(place, iid)).toEqual(['deleted source branch `topic`', 'closed'])
  })

  it('are closed by a merge, in the name of who merges', async () => {
    const place = await buildPlace('Fixes #2')
    const [described, committed, mentioned] = [
      await open(place.project),
      await open(place.project),
      await open(place.project),
    ]
    const { iid } = await request(place, { description: 'Closes #1, see #3' })
    await place.mergeInto('main', 'topic')
    await place.push('main')
    await server.runJobs()
    expect(await read(described)).toMatchObject({ state: 'closed', closed_by: { id: 1 } })
    expect((await remarks(described)).at(-1)).toBe(`closed via merge request !${iid}`)
    expect(await remarks(committed)).toContain(`closed via merge request !${iid}`)
    expect(await remarks(committed)).not.toContainEqual(expect.stringMatching(/^closed via commit/))
    expect((await read(mentioned)).state).toBe('opened')
    expect(await counts(described)).toEqual([0, 0])
    expect(await requestRemarks(place, iid)).toContain('merged')
  })

  it('stay open where who merges may not close them', async () => {
    const place = await buildPlace()
    const other = await server.buildProject({ visibility: 'public' })
    const issue = await open(other)
    const developer = await server.buildUser()
    await server.addMember(`projects/${place.project.id}`, developer.id, 40)
    await request(place, { description: `Closes ${other.path_with_namespace}#${issue.iid}` })
    const remote = place.remote.replace(/\/\/[^@]+@/, `//${developer.username}:${developer.token}@`)
    await place.mergeInto('main', 'topic')
    await place.git('push', remote, 'main')
    await server.runJobs()
    expect((await read(issue)).state).toBe('opened')
  })

  it('count those alone that the caller may read', async () => {
    const place = await buildPlace('Change', { visibility: 'private' })
    const issue = await open(place.project)
    await request(place, { description: `Closes #${issue.iid}` })
    await server.addMember(`projects/${place.project.id}`, guest.id, 10)
    const { body } = await server.inject('GET', pathOf(issue), { token: guest.token })
    expect(body.merge_requests_count).toBe(0)
    expect(await counts(issue)).toEqual([1, 1])
  })

  it('of other projects are told by the full name', async () => {
    const place = await buildPlace()
    const issue = await open(await server.buildProject({ visibility: 'public' }))
    const { iid } = await request(place, { description: `Closes ${issue.web_url}` })
    expect((await read(issue)).merge_requests_count).toBe(1)
    expect(await closedBy(issue)).toEqual([])
    await place.mergeInto('main', 'topic')
    await place.push('main')
    await server.runJobs()
    const name = `${place.project.path_with_namespace}!${iid}`
    expect((await remarks(issue)).at(-1)).toBe(`closed via merge request ${name}`)
  })

  it('are closed once, however often that is done', async () => {
    const place = await buildPlace('Fixes #1')
    const issue = await open(place.project)
    const { id } = await request(place)
    await place.mergeInto('main', 'topic')
    await place.push('main')
    await server.runJobs()
    await asRoot('PUT', pathOf(issue), { state_event: 'reopen' })
    await closeMergedIssues(server.app, id)
    await closeMergedIssues(server.app, 99_999)
    expect((await read(issue)).state).toBe('opened')
  })
})

async function requestRemarks(place: WorkPlace, iid: number): Promise<string[]> {
  const path = `/projects/${place.project.id}/merge_requests/${iid}/notes?sort=asc`
  return (await asRoot('GET', path)).body.map((note: Json) => note.body)
}

describe('GET /projects/:id/issues/:issue_iid/closed_by', () => {
  it('answers 404 for an issue that is unknown or hidden', async () => {
    const place = await buildPlace()
    const issue = await open(place.project)
    await asRoot('PUT', pathOf(issue), { confidential: true })
    const { token } = guest
    for (const path of [pathOf(issue), `/projects/${place.project.id}/issues/99`]) {
      for (const list of ['closed_by', 'related_merge_requests']) {
        expect((await server.inject('GET', `${path}/${list}`, { token })).status).toBe(404)
      }
    }
  })

  it('leaves out what the caller may not read', async () => {
    const place = await buildPlace('Fixes #1', { merge_requests_access_level: 'private' })
    const issue = await open(place.project)
    await request(place)
    expect(await closedBy(issue, guest.token)).toEqual([])
    await server.addMember(`projects/${place.project.id}`, guest.id, 20)
    expect(await closedBy(issue, guest.token)).toHaveLength(1)
  })

  it('pages, by number', async () => {
    const place = await buildPlace('Fixes #1')
    const issue = await open(place.project)
    await place.git('branch', 'second', 'topic')
    await place.push('second')
    await request(place)
    await server.buildMergeRequest(place.project, 'second', 'main')
    const answer = await asRoot('GET', `${pathOf(issue)}/closed_by?per_page=1&page=2`)
    expect(answer.body).toMatchObject([{ iid: 2 }])
    expect(answer.headers['x-total']).toBe('2')
  })
})

describe('GET /projects/:id/issues/:issue_iid/related_merge_requests', () => {
  const related = async (issue: Json, token = server.root.token) =>
    (await server.inject('GET', `${pathOf(issue)}/related_merge_requests`, { token })).body

  it('lists what names the issue and what it names, by project and number', async () => {
    const [place, other] = [await buildPlace(), await buildPlace()]
    const issue = await open(place.project)
    const naming = await server.buildMergeRequest(other.project, 'topic', 'main', {
      description: `See ${issue.web_url}`,
    })
    const named = await request(place)
    expect(await related(issue)).toMatchObject([{ id: naming.id }])
    await asRoot('POST', `${pathOf(issue)}/notes`, { body: `Like !${named.iid}` })
    expect((await related(issue)).map((it: Json) => it.id)).toEqual([named.id, naming.id])
    expect((await closedBy(issue)).length).toBe(0)
  })

  it('lists each once, and those of a note', async () => {
    const place = await buildPlace()
    const issue = await open(place.project)
    const { id, iid } = await request(place, { description: 'See #1' })
    await asRoot('POST', `/projects/${place.project.id}/merge_requests/${iid}/notes`, {
      body: 'As in #1',
    })
    await asRoot('POST', `${pathOf(issue)}/notes`, { body: `Like !${iid}` })
    expect(await related(issue)).toMatchObject([{ id }])
  })

  it('leaves out what the caller may not read', async () => {
    const [place, hidden] = [await buildPlace(), await buildPlace('x', { visibility: 'private' })]
    const issue = await open(place.project)
    await server.buildMergeRequest(hidden.project, 'topic', 'main', {
      description: `See ${issue.web_url}`,
    })
    expect(await related(issue)).toHaveLength(1)
    expect(await related(issue, guest.token)).toEqual([])
    await server.addMember(`projects/${hidden.project.id}`, guest.id, 20)
    expect(await related(issue, guest.token)).toHaveLength(1)
  })
})
