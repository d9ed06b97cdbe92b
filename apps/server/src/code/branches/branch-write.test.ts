import { findBranch } from '@stithy/git'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import { type BranchWorld, buildBranchWorld } from '../../testing/git/branch-world.ts'
import { mustGit } from '../../testing/git/git-client.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let world: BranchWorld

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  world = await buildBranchWorld(server)
})

const create = (body: object, token = world.developer.token) =>
  server.inject('POST', world.at(), { token, body })
const call = (method: string, path: string, token = world.developer.token, body?: object) =>
  callAs(server, method, world.at(path), token, body)

describe('POST /projects/:id/repository/branches', () => {
  it.each([
    ['a branch', () => 'old', () => mustGit(world.tree, 'rev-parse', 'HEAD~1')],
    ['a tag', () => 'v1', () => mustGit(world.tree, 'rev-parse', 'HEAD~1')],
    ['an id', () => world.head, async () => world.head],
    ['an abbreviated id', () => world.head.slice(0, 8), async () => world.head],
  ])('creates a branch from %s', async (_, ref, expected) => {
    const { status, body } = await create({ branch: 'topic/x', ref: ref() })
    const oid = await expected()
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        name: 'topic/x',
        merged: oid !== world.head,
        protected: false,
        default: false,
        developers_can_push: false,
        developers_can_merge: false,
        can_push: true,
        commit: expect.objectContaining({ id: oid }),
      }),
    ])
    const branch = await findBranch(server.app.git, await world.repository(), 'topic/x')
    expect(branch?.oid).toBe(oid)
    const [event] = await world.pushEvents()
    expect(event).toMatchObject({ action: 'created', ref: 'topic/x', ref_type: 'branch' })
  })

  it('accepts forms, and names of all kinds', async () => {
    const form = 'branch=fo%C3%B6%2Fbar.baz%23%26&ref=main'
    const answer = await server.inject('POST', world.at(), { token: world.developer.token, form })
    expect([answer.status, answer.body.name]).toEqual([201, 'foö/bar.baz#&'])
    expect((await call('GET', `/${encodeURIComponent('foö/bar.baz#&')}`)).status).toBe(200)
  })

  it.each([
    [{ branch: 'x', ref: 'none' }, 'Invalid reference name: none'],
    [{ branch: 'x', ref: '--all' }, 'Invalid reference name: --all'],
    [{ branch: 'x', ref: 'HEAD:a.txt' }, 'Invalid reference name: HEAD:a.txt'],
    [{ branch: 'main', ref: 'main' }, 'Branch already exists'],
    [
      { branch: 'old/x', ref: 'main' },
      'The branch name old/x conflicts with the existing branch old',
    ],
    [{ branch: 'HEAD', ref: 'main' }, 'The branch name is invalid'],
    [{ branch: '-x', ref: 'main' }, 'The branch name is invalid'],
    [{ branch: 'a b', ref: 'main' }, 'The branch name is invalid'],
    [{ branch: 'a..b', ref: 'main' }, 'The branch name is invalid'],
    [{ branch: 'a.lock', ref: 'main' }, 'The branch name is invalid'],
    [{ branch: 'a/', ref: 'main' }, 'The branch name is invalid'],
    [{ branch: 'a@{1}', ref: 'main' }, 'The branch name is invalid'],
    [{ branch: 'refs/heads/x', ref: 'main' }, 'The branch name is invalid'],
    [{ branch: 'x'.repeat(1100), ref: 'main' }, 'The branch name is invalid'],
  ])('answers 400 for %j', async (body, message) => {
    const answer = await create(body)
    expect([answer.status, answer.body]).toEqual([400, { message }])
    expect(await world.branches()).toEqual(['main', 'old'])
  })

  it('limits each path component of the name to the length of a file name', async () => {
    const long = await create({ branch: `a/${'y'.repeat(251)}`, ref: 'main' })
    expect([long.status, long.body]).toEqual([400, { message: 'The branch name is invalid' }])
    expect((await create({ branch: `a/${'y'.repeat(250)}`, ref: 'main' })).status).toBe(201)
  })

  it('answers 400 for a name that is a directory of another branch', async () => {
    await create({ branch: 'a/b', ref: 'main' })
    const { status, body } = await create({ branch: 'a', ref: 'main' })
    expect([status, body.message]).toEqual([
      400,
      'The branch name a conflicts with the existing branch a/b',
    ])
  })

  it('answers 400 without a name or a ref, and in an empty repository', async () => {
    expect((await create({ ref: 'main' })).body).toEqual({ error: 'branch is missing' })
    expect((await create({ branch: 'x', ref: '' })).body).toEqual({ error: 'ref is empty' })
    const empty = await server.buildProject()
    const path = `/projects/${empty.id}/repository/branches`
    const request = { branch: 'x', ref: 'master' }
    const { status, body } = await callAs(server, 'POST', path, server.root.token, request)
    expect([status, body]).toEqual([400, { message: 'Invalid reference name: master' }])
  })

  it('answers 400 with the reason when a wildcard protects the name', async () => {
    await world.protect({ name: 'release/*', merge_access_level: 0 })
    const { status, body } = await create({ branch: 'release/1', ref: 'old' })
    expect([status, body]).toEqual([
      400,
      { message: 'You are not allowed to create protected branches on this project.' },
    ])
    const made = await create({ branch: 'release/1', ref: 'main' }, world.maintainer.token)
    expect(made.body).toMatchObject({ protected: true, can_push: true })
  })

  it('lets one of two concurrent requests win', async () => {
    const answers = await Promise.all([
      create({ branch: 'race', ref: 'main' }),
      create({ branch: 'race', ref: 'old' }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400])
  })

  it('requires the Developer role', async () => {
    const body = { branch: 'x', ref: 'main' }
    expect((await create(body, world.reporter.token)).status).toBe(403)
    expect((await server.inject('POST', world.at(), { body })).status).toBe(401)
  })
})

describe('DELETE /projects/:id/repository/branches/:branch', () => {
  it('deletes a branch, and records it in an event', async () => {
    await create({ branch: 'topic/x', ref: 'main' })
    const answer = await call('DELETE', '/topic%2Fx')
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await world.branches()).toEqual(['main', 'old'])
    expect((await world.pushEvents())[0]).toMatchObject({ action: 'removed', ref: 'topic/x' })
    expect((await call('DELETE', '/topic%2Fx')).status).toBe(404)
  })

  it.each(['/none', '/a..b', '/%00', '/-x', '/v1'])('answers 404 for %s', async (path) => {
    const { status, body } = await call('DELETE', path)
    expect([status, body]).toEqual([404, { message: '404 Branch Not Found' }])
  })

  it('answers 400 for the default branch, and 403 to developers for protected ones', async () => {
    await world.protect({ name: 'o*' })
    const own = await call('DELETE', '/main', world.maintainer.token)
    expect([own.status, own.body]).toEqual([
      400,
      { message: 'The default branch of a project cannot be deleted.' },
    ])
    const { status, body } = await call('DELETE', '/old')
    expect(status).toBe(403)
    expect(body.message).toContain('delete protected branches')
    expect((await call('DELETE', '/old', world.reporter.token)).status).toBe(403)
    expect(await world.branches()).toEqual(['main', 'old'])
    expect((await call('DELETE', '/old', world.maintainer.token)).status).toBe(204)
  })

  it('respects If-Unmodified-Since', async () => {
    const since = { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' }
    const answer = await server.inject('DELETE', world.at('/old'), {
      token: world.developer.token,
      headers: since,
    })
    expect(answer.status).toBe(412)
  })
})
