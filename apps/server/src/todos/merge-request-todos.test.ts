import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '../testing/factories.ts'
import { buildWorkPlace, type WorkPlace } from '../testing/git/work-place.ts'
import { buildTestServer, type Json, type TestServer } from '../testing/test-server.ts'

let server: TestServer
let place: WorkPlace
let author: TestUser
beforeAll(async () => {
  server = await buildTestServer()
  place = await buildWorkPlace(server)
  await place.commitTo('main', { 'a.txt': 'base\n' }, 'Base')
  await place.push('main')
  author = await server.buildUser()
  await server.addMember(`projects/${place.project.id}`, author.id, 30)
})
afterAll(() => server.close())

/** Why the author has something to do about a merge request. */
async function actions(id: number): Promise<string[]> {
  const { body } = await server.inject('GET', '/todos', { token: author.token })
  return body.filter((todo: Json) => todo.target.id === id).map((todo: Json) => todo.action_name)
}

/** An open merge request of the author, from a new branch with one commit. */
async function buildRequest(branch: string, text: string) {
  const sha = await place.commitTo(branch, { 'a.txt': text }, 'Change')
  await place.push(branch)
  const values = { authorId: author.id }
  return { sha, ...(await server.buildMergeRequest(place.project, branch, 'main', values)) }
}

describe('a check that fails', () => {
  const report = async (sha: string, body: object) => {
    const path = `/projects/${place.project.id}/statuses/${sha}`
    const { status } = await server.inject('POST', path, { token: server.root.token, body })
    expect(status).toBe(201)
  }

  it('tells the author of the merge request whose head it is of, once', async () => {
    const { id, sha } = await buildRequest('checked', 'checked\n')
    await report(sha, { state: 'success', ref: 'checked', name: 'a' })
    await report(sha, { state: 'failed', ref: 'main', name: 'a' })
    expect(await actions(id)).toEqual([])
    await report(sha, { state: 'failed', ref: 'checked', name: 'b' })
    await report(sha, { state: 'failed', ref: 'checked', name: 'c' })
    expect(await actions(id)).toEqual(['build_failed'])
  })

  it('tells nobody of a commit that is no head any more', async () => {
    const { id, sha } = await buildRequest('moved', 'moved\n')
    await place.commitTo('moved', { 'b.txt': 'b\n' }, 'More')
    await place.push('moved')
    await server.runJobs()
    await report(sha, { state: 'failed', ref: 'moved' })
    expect(await actions(id)).toEqual([])
  })
})

describe('a merge request that comes to conflict', () => {
  const look = async (sha: string) => {
    const path = `/projects/${place.project.id}/repository/commits/${sha}/merge_requests`
    return (await server.inject('GET', path, { token: server.root.token })).body[0].merge_status
  }

  it('tells its author once', async () => {
    const { id, sha } = await buildRequest('conflicting', 'mine\n')
    expect(await look(sha)).toBe('can_be_merged')
    expect(await actions(id)).toEqual([])
    await place.commitTo('main', { 'a.txt': 'theirs\n' }, 'Other')
    await place.push('main')
    await server.runJobs()
    expect(await look(sha)).toBe('cannot_be_merged')
    expect(await actions(id)).toEqual(['unmergeable'])
    await server.inject('POST', '/todos/mark_as_done', { token: author.token })
    await place.commitTo('main', { 'c.txt': 'more\n' }, 'More')
    await place.push('main')
    await server.runJobs()
    expect(await look(sha)).toBe('cannot_be_merged')
    expect(await actions(id)).toEqual([])
  })
})
