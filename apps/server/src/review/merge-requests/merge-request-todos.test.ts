import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '../../testing/factories.ts'
import {
  buildRepositoryFixture,
  type RepositoryFixture,
} from '../../testing/git/repository-fixture.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let fixture: RepositoryFixture
let author: TestUser
beforeAll(async () => {
  server = await buildTestServer()
  fixture = await buildRepositoryFixture(server)
  await fixture.commitTo('main', { 'a.txt': 'base\n' }, 'Base')
  await fixture.push('main')
  author = await server.buildUser()
  await server.addMember(`projects/${fixture.project.id}`, author.id, 30)
})
afterAll(() => server.close())

/** The todos of the author about a merge request, by action. */
async function actions(id: number): Promise<string[]> {
  const { body } = await server.inject('GET', '/todos', { token: author.token })
  return body.filter((todo: Json) => todo.target.id === id).map((todo: Json) => todo.action_name)
}

/** An open merge request of the author, from a new branch with one commit. */
async function buildRequest(branch: string, text: string) {
  const sha = await fixture.commitTo(branch, { 'a.txt': text }, 'Change')
  await fixture.push(branch)
  const values = { authorId: author.id }
  return { sha, ...(await server.buildMergeRequest(fixture.project, branch, 'main', values)) }
}

describe('a failing check', () => {
  const report = async (sha: string, body: object) => {
    const path = `/projects/${fixture.project.id}/statuses/${sha}`
    const { status } = await server.inject('POST', path, { token: server.root.token, body })
    expect(status).toBe(201)
  }

  it('adds a todo for the author of the merge request with that head, once', async () => {
    const { id, sha } = await buildRequest('checked', 'checked\n')
    await report(sha, { state: 'success', ref: 'checked', name: 'a' })
    await report(sha, { state: 'failed', ref: 'main', name: 'a' })
    expect(await actions(id)).toEqual([])
    await report(sha, { state: 'failed', ref: 'checked', name: 'b' })
    await report(sha, { state: 'failed', ref: 'checked', name: 'c' })
    expect(await actions(id)).toEqual(['build_failed'])
  })

  it('adds none for a commit that is no longer the head', async () => {
    const { id, sha } = await buildRequest('moved', 'moved\n')
    await fixture.commitTo('moved', { 'b.txt': 'b\n' }, 'More')
    await fixture.push('moved')
    await server.runJobs()
    await report(sha, { state: 'failed', ref: 'moved' })
    expect(await actions(id)).toEqual([])
  })
})

describe('a conflicting merge request', () => {
  const look = async (sha: string) => {
    const path = `/projects/${fixture.project.id}/repository/commits/${sha}/merge_requests`
    return (await server.inject('GET', path, { token: server.root.token })).body[0].merge_status
  }

  it('adds a todo for its author once', async () => {
    const { id, sha } = await buildRequest('conflicting', 'mine\n')
    expect(await look(sha)).toBe('can_be_merged')
    expect(await actions(id)).toEqual([])
    await fixture.commitTo('main', { 'a.txt': 'theirs\n' }, 'Other')
    await fixture.push('main')
    await server.runJobs()
    expect(await look(sha)).toBe('cannot_be_merged')
    expect(await actions(id)).toEqual(['unmergeable'])
    await server.inject('POST', '/todos/mark_as_done', { token: author.token })
    await fixture.commitTo('main', { 'c.txt': 'more\n' }, 'More')
    await fixture.push('main')
    await server.runJobs()
    expect(await look(sha)).toBe('cannot_be_merged')
    expect(await actions(id)).toEqual([])
  })
})
