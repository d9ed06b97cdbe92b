import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type CommitHelpers,
  commitHelpers,
  create,
} from '../../../testing/clients/commit-helpers.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let commits: CommitHelpers
let source: Json
let fork: Json
let user: TestUser

beforeAll(async () => {
  server = await buildTestServer()
  commits = commitHelpers(server)
})
beforeEach(async () => {
  user = await server.buildUser()
  source = await server.buildProject({ visibility: 'internal' })
  fork = await server.buildProject({}, user)
  await relate(fork.id, source.id)
  await commits.must(source.id, [create('from/source', 's')])
  await commits.must(source.id, [create('second')])
})
afterAll(() => server.close())

async function relate(id: number, to: number): Promise<void> {
  await server.app.db.run('test.fork', { id, to }, (db, $) =>
    db
      .updateTable('projects')
      .set({ forkedFromProjectId: $('to') })
      .where('id', '=', $('id')),
  )
}

describe('POST /projects/:id/repository/commits with start_project', () => {
  it('starts a branch of a fork in its source, by id and by path', async () => {
    const { main } = await commits.tips(source.id)
    const fields = { token: user.token, start_branch: 'main', start_project: source.id }
    const made = await commits.must(fork.id, [create('own')], { ...fields, branch: 'topic' })
    expect(made.parent_ids).toEqual([main])
    expect(await commits.files(fork.id, 'topic')).toEqual({
      'from/source': '100644 s',
      own: '100644 x',
      second: '100644 x',
    })
    const history = await server.inject('GET', `/projects/${fork.id}/repository/commits`, {
      token: user.token,
      query: 'ref_name=topic',
    })
    expect(history.body).toHaveLength(3)
    const byPath = { ...fields, start_project: source.path_with_namespace, branch: 'other' }
    expect((await commits.send(fork.id, [create('x')], byPath)).status).toBe(201)
    expect(Object.keys(await commits.tips(source.id))).toEqual(['main'])
  })

  it('starts a branch of the source in a fork that the caller may read', async () => {
    const made = await commits.must(fork.id, [create('fork only')], { token: user.token })
    const fields = { start_branch: 'main', start_project: fork.id, branch: 'from-fork' }
    const brought = await commits.must(source.id, [create('more')], fields)
    expect(brought.parent_ids).toEqual([made.id])
    expect(Object.keys(await commits.files(source.id, 'from-fork'))).toEqual(['fork only', 'more'])
  })

  it('starts a branch in another fork of the same source', async () => {
    const sibling = await server.buildProject({ visibility: 'internal' })
    await relate(sibling.id, source.id)
    const made = await commits.must(sibling.id, [create('of the sibling')])
    const fields = { token: user.token, start_branch: 'main', start_project: sibling.id }
    const brought = await commits.must(fork.id, [create('more')], { ...fields, branch: 'topic' })
    expect(brought.parent_ids).toEqual([made.id])
  })

  it('resets an existing branch only with force', async () => {
    const { main } = await commits.tips(source.id)
    await commits.must(fork.id, [create('own')], { token: user.token, branch: 'main' })
    await commits.must(fork.id, [create('t')], { branch: 'topic', start_branch: 'main' })
    const fields = { token: user.token, start_project: source.id, start_branch: 'main' }
    const refused = await commits.send(fork.id, [create('x')], { ...fields, branch: 'topic' })
    expect(refused.status).toBe(400)
    const forced = await commits.must(fork.id, [create('x')], {
      ...fields,
      branch: 'topic',
      force: true,
    })
    expect(forced.parent_ids).toEqual([main])
  })

  it('returns 400 for a branch that the start project lacks', async () => {
    const fields = { token: user.token, start_project: source.id, branch: 'topic' }
    expect(
      (await commits.send(fork.id, [create('x')], { ...fields, start_branch: 'none' })).status,
    ).toBe(400)
    expect((await commits.send(fork.id, [create('x')], fields)).status).toBe(400)
    expect(await commits.tips(fork.id)).toEqual({})
  })

  it('returns 403 for unrelated projects, and 404 for hidden ones', async () => {
    const stranger = await server.buildProject({ visibility: 'public' })
    await commits.must(stranger.id, [create('a')])
    const hidden = await server.buildProject()
    const fields = { token: user.token, start_branch: 'main', branch: 'topic' }
    const tryFrom = async (start_project: unknown) =>
      (await commits.send(fork.id, [create('x')], { ...fields, start_project })).status
    expect(await tryFrom(stranger.id)).toBe(403)
    expect(await tryFrom(hidden.id)).toBe(404)
    expect(await tryFrom('no/such')).toBe(404)
    expect(await tryFrom('-x')).toBe(404)
    await server.addMember(`projects/${hidden.id}`, user.id, 10)
    await relate(fork.id, hidden.id)
    expect(await tryFrom(hidden.id)).toBe(403)
  })

  it('accepts the project itself', async () => {
    const fields = { token: user.token, start_project: fork.path_with_namespace }
    const first = await commits.must(fork.id, [create('a')], fields)
    const second = await commits.must(fork.id, [create('b')], { ...fields, start_project: fork.id })
    expect(second.parent_ids).toEqual([first.id])
  })
})
