import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
/** Author address of the commits, and the user who pushes them. */
let author: TestUser
let pusher: TestUser
/** The project of the issues, where the author is a Reporter. */
let fixture: Json

beforeAll(async () => {
  server = await buildTestServer()
  author = await server.buildUser()
  pusher = await server.buildUser()
  fixture = await server.buildProject({ visibility: 'public' })
  await server.addMember(`projects/${fixture.id}`, author.id, 20)
})
afterAll(() => server.close())

const asRoot = (method: string, path: string, body?: object) =>
  server.inject(method, path, { token: server.root.token, ...(body && { body }) })

async function open(values: object = {}): Promise<Json> {
  return (await asRoot('POST', `/projects/${fixture.id}/issues`, { title: 'x', ...values })).body
}

/**
 * State and system notes of an issue after a commit that mentions it, in a project of the pusher.
 */
async function after(issue: Json, message: (name: string) => string) {
  const project = await server.buildProject({ visibility: 'public' }, pusher)
  const commit = async (file: string, commit_message: string) => {
    const actions = [{ action: 'create', file_path: file, content: file }]
    const body = { branch: 'main', commit_message, actions, author_email: author.email }
    const path = `/projects/${project.id}/repository/commits`
    const answer = await server.inject('POST', path, { token: pusher.token, body })
    expect(answer.status, answer.text).toBe(201)
  }
  await commit('a', 'first')
  await commit('b', message(`${fixture.path_with_namespace}#${issue.iid}`))
  await server.runJobs()
  const path = `/projects/${issue.project_id}/issues/${issue.iid}`
  const notes = (await asRoot('GET', `${path}/notes`)).body
  return {
    state: (await asRoot('GET', path)).body.state,
    systemNotes: notes.map((note: Json) => note.body.replace(/[\w/-]+@\w+$/, 'it')),
  }
}

describe('a commit authored by another user', () => {
  it('neither closes nor mentions what the pusher cannot see', async () => {
    const issue = await open({ confidential: true })
    expect(await after(issue, (name) => `Closes ${name}`)).toEqual({
      state: 'opened',
      systemNotes: [],
    })
    expect(await after(issue, (name) => `See ${name}`)).toEqual({
      state: 'opened',
      systemNotes: [],
    })
  })

  it('adds a system note to what the pusher may read but not close', async () => {
    const issue = await open()
    expect(await after(issue, (name) => `Closes ${name}`)).toEqual({
      state: 'opened',
      systemNotes: ['mentioned in commit it'],
    })
  })

  it('closes what both may close', async () => {
    await server.addMember(`projects/${fixture.id}`, pusher.id, 20)
    const issue = await open()
    expect(await after(issue, (name) => `Closes ${name}`)).toEqual({
      state: 'closed',
      systemNotes: ['closed via commit it'],
    })
  })
})
