import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '../../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let author: TestUser
let guest: TestUser
let group: Json
let project: Json
let open: Json

beforeAll(async () => {
  server = await buildTestServer()
  author = await server.buildUser()
  guest = await server.buildUser()
  group = await server.buildGroup({ visibility: 'public' })
  project = await server.buildProject({ namespace_id: group.id, visibility: 'private' })
  open = await server.buildProject({ namespace_id: group.id, visibility: 'public' })
  await server.addMember(`projects/${project.id}`, author.id, 20)
  await server.addMember(`projects/${project.id}`, guest.id, 10)
  await add(project, { title: 'One', labels: 'bug' })
  await add(project, { title: 'Two', confidential: true })
  await add(project, { title: 'Three', labels: 'bug' })
  await send('PUT', `/projects/${project.id}/issues/3`, { state_event: 'close' })
  await add(open, { title: 'Four' })
  await add(open, { title: 'Five', confidential: true })
})

afterAll(() => server.close())

async function send(method: string, path: string, body: object): Promise<void> {
  const answer = await server.inject(method, path, { token: author.token, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
}

const add = (parent: Json, body: object) => send('POST', `/projects/${parent.id}/issues`, body)

/** All, opened, closed. */
async function counts(path: string, by?: { token: string }): Promise<number[]> {
  const { status, body, text } = await server.inject('GET', path, by ? { token: by.token } : {})
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  const { all, opened, closed } = body.statistics.counts
  return [all, opened, closed]
}

describe('GET /projects/:id/issues_statistics', () => {
  it('counts the issues that the caller may see, by state', async () => {
    const path = `/projects/${project.id}/issues_statistics`
    expect(await counts(path, author)).toEqual([3, 2, 1])
    expect(await counts(path, guest)).toEqual([2, 1, 1])
    expect((await server.inject('GET', path)).status).toBe(401)
  })

  it('accepts the filters of the list except state and weight', async () => {
    const path = `/projects/${project.id}/issues_statistics`
    expect(await counts(`${path}?labels=bug`, author)).toEqual([2, 1, 1])
    expect(await counts(`${path}?confidential=true`, author)).toEqual([1, 1, 0])
    expect(await counts(`${path}?confidential=true`, guest)).toEqual([0, 0, 0])
    expect(await counts(`${path}?state=closed&weight=9`, author)).toEqual([3, 2, 1])
    const answer = await server.inject('GET', `${path}?scope=mine`, { token: author.token })
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: 'scope does not have a valid value' },
    ])
  })
})

describe('GET /groups/:id/issues_statistics', () => {
  it('counts the issues of all projects that the caller may see', async () => {
    const path = `/groups/${group.id}/issues_statistics`
    expect(await counts(path, author)).toEqual([5, 4, 1])
    expect(await counts(path, guest)).toEqual([3, 2, 1])
    expect(await counts(path, await server.buildUser())).toEqual([1, 1, 0])
  })
})

describe('GET /issues_statistics', () => {
  it('counts the issues that the caller created, by default', async () => {
    expect(await counts('/issues_statistics', author)).toEqual([5, 4, 1])
    expect(await counts('/issues_statistics', guest)).toEqual([0, 0, 0])
    expect(await counts('/issues_statistics?scope=all', guest)).toEqual([3, 2, 1])
  })

  it('counts all public issues without a token, with scope=all only', async () => {
    expect(await counts('/issues_statistics?scope=all')).toEqual([1, 1, 0])
    expect((await server.inject('GET', '/issues_statistics')).status).toBe(401)
    expect((await server.inject('GET', '/issues_statistics?scope=assigned_to_me')).status).toBe(401)
  })

  it('reflects changes immediately', async () => {
    const before = await counts(`/projects/${open.id}/issues_statistics`, author)
    await add(open, { title: 'Six' })
    const after = await counts(`/projects/${open.id}/issues_statistics`, author)
    expect([before[0], after[0]]).toEqual([2, 3])
  })
})

describe('open_issues_count of a project', () => {
  it('counts the open issues that are not confidential', async () => {
    const openIssues = async (by: { token: string }) =>
      (await server.inject('GET', `/projects/${project.id}`, { token: by.token })).body
        .open_issues_count
    expect([await openIssues(author), await openIssues(guest)]).toEqual([1, 1])
    await send('PUT', `/projects/${project.id}/issues/2`, { confidential: false })
    expect(await openIssues(guest)).toBe(2)
    await send('PUT', `/projects/${project.id}/issues/2`, { confidential: true })
    expect(await openIssues(author)).toBe(1)
    await send('PUT', `/projects/${project.id}/issues/3`, { state_event: 'reopen' })
    expect(await openIssues(guest)).toBe(2)
    await server.inject('DELETE', `/projects/${project.id}/issues/3`, { token: server.root.token })
    expect(await openIssues(guest)).toBe(1)
  })
})
