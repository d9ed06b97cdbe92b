import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildStatusFixture, type StatusFixture } from '../../testing/fixtures/status-fixture.ts'
import type { Json } from '../../testing/test-server.ts'

let fixture: StatusFixture

beforeAll(async () => {
  fixture = await buildStatusFixture()
})
afterAll(() => fixture.server.close())

describe('GET /projects/:id/repository/commits/:sha/statuses', () => {
  let sha: string
  const names = async (query: string) =>
    (await fixture.list(sha, query)).body.map(({ name, status }: Json) => `${name} ${status}`)

  beforeAll(async () => {
    sha = await fixture.freshCommit()
    await fixture.report(sha, { state: 'failed', name: 'unit' })
    await fixture.report(sha, { state: 'success', name: 'unit' })
    await fixture.report(sha, { state: 'pending', name: 'lint' })
    await fixture.report(sha, { state: 'running', name: 'unit', ref: 'other' })
  })

  it('lists the newest status of each name, or all', async () => {
    expect(await names('')).toEqual(['unit success', 'lint pending', 'unit running'])
    expect(await names('all=true')).toEqual([
      'unit failed',
      'unit success',
      'lint pending',
      'unit running',
    ])
  })

  it('filters by ref, stage and name, exactly', async () => {
    expect(await names('ref=other')).toEqual(['unit running'])
    expect(await names('name=unit&all=yes&ref=main')).toEqual(['unit failed', 'unit success'])
    expect(await names('stage=external&name=lint')).toEqual(['lint pending'])
    expect(await names('stage=test')).toEqual([])
    expect(await names('name=uni')).toEqual([])
    expect(await names('name=&ref=&stage=')).toHaveLength(3)
  })

  it('paginates in three queries besides those of the caller and the project', async () => {
    const page = await fixture.list(sha, 'per_page=2&page=2')
    expect(page.body.map(({ name }: Json) => name)).toEqual(['unit'])
    expect(page.headers).toMatchObject({ 'x-total': '3', 'x-total-pages': '2', 'x-page': '2' })
    expect(await names('page=99')).toEqual([])
    const cost = async (query: string) => {
      const before = fixture.server.app.db.stats.queries
      await fixture.list(sha, query)
      return fixture.server.app.db.stats.queries - before
    }
    expect(await cost('per_page=2&all=1')).toBe(await cost('per_page=1'))
    expect(await cost('')).toBeLessThanOrEqual(5)
  })

  it('requires a signed-in user who may read the code', async () => {
    const path = `/projects/${fixture.project.id}/repository/commits/${sha}/statuses`
    expect((await fixture.server.inject('GET', path)).status).toBe(401)
    const stranger = await fixture.server.buildUser()
    expect((await fixture.list(sha, '', stranger.token)).status).toBe(200)
    const closed = await fixture.server.buildProject()
    await fixture.server.addMember(`projects/${closed.id}`, stranger.id, 10)
    const asGuest = { token: stranger.token }
    const hidden = `/projects/${closed.id}/repository/commits/${sha}/statuses`
    expect((await fixture.server.inject('GET', hidden, asGuest)).status).toBe(403)
  })

  it('keeps the statuses of a deleted user', async () => {
    const leaver = await fixture.server.buildUser()
    await fixture.server.addMember(`projects/${fixture.project.id}`, leaver.id, 30)
    const fresh = await fixture.freshCommit()
    await fixture.report(fresh, { state: 'success', name: 'left' }, leaver.token)
    await fixture.server.inject('DELETE', `/users/${leaver.id}`, {
      token: fixture.server.root.token,
    })
    await fixture.server.runJobs()
    expect((await fixture.list(fresh)).body[0].author.username).toMatch(/^ghost/)
  })
})

describe('status and last_pipeline of a commit', () => {
  it('follow the statuses, starting with null', async () => {
    const sha = await fixture.freshCommit()
    expect(await fixture.detail(sha)).toMatchObject({ status: null, last_pipeline: null })
    await fixture.report(sha, { state: 'pending', name: 'a' })
    expect((await fixture.detail(sha)).status).toBe('pending')
    await fixture.report(sha, { state: 'success', name: 'b' })
    expect((await fixture.detail(sha)).status).toBe('running')
    await fixture.report(sha, { state: 'success', name: 'a' })
    const { status, last_pipeline } = await fixture.detail(sha)
    expect(status).toBe('success')
    expect(last_pipeline).toEqual({
      id: expect.any(Number),
      ref: 'main',
      sha,
      status: 'success',
    })
    await fixture.report(sha, { state: 'canceled', name: 'c' })
    expect((await fixture.detail(sha)).status).toBe('canceled')
  })

  it('are hidden from non-members and guests when jobs are not public', async () => {
    const sha = await fixture.freshCommit()
    await fixture.report(sha, { state: 'success' })
    const settings = { token: fixture.server.root.token, body: { public_builds: false } }
    const path = `/projects/${fixture.project.id}`
    expect((await fixture.server.inject('PUT', path, settings)).status).toBe(200)
    expect(await fixture.detail(sha)).toMatchObject({ status: null, last_pipeline: null })
    expect(await fixture.detail(sha, fixture.developer.token)).toMatchObject({ status: 'success' })
    await fixture.server.inject('PUT', path, { ...settings, body: { public_builds: true } })
    expect(await fixture.detail(sha)).toMatchObject({ status: 'success' })
  })
})
