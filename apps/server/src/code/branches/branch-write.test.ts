import { findBranch } from '@stithy/git'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import { type BranchFixture, buildBranchFixture } from '../../testing/git/branch-fixture.ts'
import { mustGit } from '../../testing/git/git-client.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let fixture: BranchFixture

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  fixture = await buildBranchFixture(server)
})

const create = (body: object, token = fixture.developer.token) =>
  server.inject('POST', fixture.at(), { token, body })
const call = (method: string, path: string, token = fixture.developer.token, body?: object) =>
  callAs(server, method, fixture.at(path), token, body)

describe('POST /projects/:id/repository/branches', () => {
  it.each([
    ['a branch', () => 'old', () => mustGit(fixture.tree, 'rev-parse', 'HEAD~1')],
    ['a tag', () => 'v1', () => mustGit(fixture.tree, 'rev-parse', 'HEAD~1')],
    ['an id', () => fixture.head, async () => fixture.head],
    ['an abbreviated id', () => fixture.head.slice(0, 8), async () => fixture.head],
  ])('creates a branch from %s', async (_, ref, expected) => {
    const { status, body } = await create({ branch: 'topic/x', ref: ref() })
    const oid = await expected()
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        name: 'topic/x',
        merged: oid !== fixture.head,
        protected: false,
        default: false,
        developers_can_push: false,
        developers_can_merge: false,
        can_push: true,
        commit: expect.objectContaining({ id: oid }),
      }),
    ])
    const branch = await findBranch(server.app.git, await fixture.repository(), 'topic/x')
    expect(branch?.oid).toBe(oid)
    const [event] = await fixture.pushEvents()
    expect(event).toMatchObject({ action: 'created', ref: 'topic/x', ref_type: 'branch' })
  })

  it('accepts forms, and names of all kinds', async () => {
    const form = 'branch=fo%C3%B6%2Fbar.baz%23%26&ref=main'
    const answer = await server.inject('POST', fixture.at(), {
      token: fixture.developer.token,
      form,
    })
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
    expect(await fixture.branches()).toEqual(['main', 'old'])
  })

  it('limits each path component of the name to the length of a file name', async () => {
    const long = await create({ branch: `a/${'y'.repeat(251)}`, ref: 'main' })
    expect([long.status, long.body]).toEqual([400, { message: 'The branch name is invalid' }])
    expect((await create({ branch: `a/${'y'.repeat(250)}`, ref: 'main' })).status).toBe(201)
  })

  it('returns 400 for a name that is a directory of another branch', async () => {
    await create({ branch: 'a/b', ref: 'main' })
    const { status, body } = await create({ branch: 'a', ref: 'main' })
    expect([status, body.message]).toEqual([
      400,
      'The branch name a conflicts with the existing branch a/b',
    ])
  })

  it('returns 400 without a name or a ref', async () => {
    expect((await create({ ref: 'main' })).body).toEqual({ error: 'branch is missing' })
    expect((await create({ branch: 'x', ref: '' })).body).toEqual({ error: 'ref is empty' })
  })

  it('returns 400 with the reason when a wildcard protects the name', async () => {
    await fixture.protect({ name: 'release/*', merge_access_level: 0 })
    const { status, body } = await create({ branch: 'release/1', ref: 'old' })
    expect([status, body]).toEqual([
      400,
      { message: 'You are not allowed to create protected branches on this project.' },
    ])
    const made = await create({ branch: 'release/1', ref: 'main' }, fixture.maintainer.token)
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
    expect((await create(body, fixture.reporter.token)).status).toBe(403)
    expect((await server.inject('POST', fixture.at(), { body })).status).toBe(401)
  })
})

describe('DELETE /projects/:id/repository/branches/:branch', () => {
  it('deletes a branch, and records it in an event', async () => {
    await create({ branch: 'topic/x', ref: 'main' })
    const answer = await call('DELETE', '/topic%2Fx')
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await fixture.branches()).toEqual(['main', 'old'])
    expect((await fixture.pushEvents())[0]).toMatchObject({ action: 'removed', ref: 'topic/x' })
    expect((await call('DELETE', '/topic%2Fx')).status).toBe(404)
  })

  it.each(['/none', '/a..b', '/%00', '/-x', '/v1'])('returns 404 for %s', async (path) => {
    const { status, body } = await call('DELETE', path)
    expect([status, body]).toEqual([404, { message: '404 Branch Not Found' }])
  })

  it('returns 400 for the default branch, and 403 to developers for protected ones', async () => {
    await fixture.protect({ name: 'o*' })
    const own = await call('DELETE', '/main', fixture.maintainer.token)
    expect([own.status, own.body]).toEqual([
      400,
      { message: 'The default branch of a project cannot be deleted.' },
    ])
    const { status, body } = await call('DELETE', '/old')
    expect(status).toBe(403)
    expect(body.message).toContain('delete protected branches')
    expect((await call('DELETE', '/old', fixture.reporter.token)).status).toBe(403)
    expect(await fixture.branches()).toEqual(['main', 'old'])
    expect((await call('DELETE', '/old', fixture.maintainer.token)).status).toBe(204)
  })

  it('respects If-Unmodified-Since', async () => {
    const since = { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' }
    const answer = await server.inject('DELETE', fixture.at('/old'), {
      token: fixture.developer.token,
      headers: since,
    })
    expect(answer.status).toBe(412)
  })
})
