import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../testing/test-server.ts'
import { buildStatusWorld, type StatusWorld } from '../../testing/worlds/status-world.ts'

let world: StatusWorld

beforeAll(async () => {
  world = await buildStatusWorld()
})
afterAll(() => world.server.close())

describe('GET /projects/:id/repository/commits/:sha/statuses', () => {
  let sha: string
  const names = async (query: string) =>
    (await world.list(sha, query)).body.map(({ name, status }: Json) => `${name} ${status}`)

  beforeAll(async () => {
    sha = await world.freshCommit()
    await world.report(sha, { state: 'failed', name: 'unit' })
    await world.report(sha, { state: 'success', name: 'unit' })
    await world.report(sha, { state: 'pending', name: 'lint' })
    await world.report(sha, { state: 'running', name: 'unit', ref: 'other' })
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

  it('paginates in three queries beside those of the caller and the project', async () => {
    const page = await world.list(sha, 'per_page=2&page=2')
    expect(page.body.map(({ name }: Json) => name)).toEqual(['unit'])
    expect(page.headers).toMatchObject({ 'x-total': '3', 'x-total-pages': '2', 'x-page': '2' })
    expect(await names('page=99')).toEqual([])
    const cost = async (query: string) => {
      const before = world.server.app.db.stats.queries
      await world.list(sha, query)
      return world.server.app.db.stats.queries - before
    }
    expect(await cost('per_page=100&all=1')).toBe(await cost('per_page=1'))
    expect(await cost('')).toBeLessThanOrEqual(5)
  })

  it('requires a signed-in user who may read the code', async () => {
    const path = `/projects/${world.project.id}/repository/commits/${sha}/statuses`
    expect((await world.server.inject('GET', path)).status).toBe(401)
    const stranger = await world.server.buildUser()
    expect((await world.list(sha, '', stranger.token)).status).toBe(200)
    const closed = await world.server.buildProject()
    await world.server.addMember(`projects/${closed.id}`, stranger.id, 10)
    const asGuest = { token: stranger.token }
    const hidden = `/projects/${closed.id}/repository/commits/${sha}/statuses`
    expect((await world.server.inject('GET', hidden, asGuest)).status).toBe(403)
  })

  it('keeps the statuses of a deleted user', async () => {
    const leaver = await world.server.buildUser()
    await world.server.addMember(`projects/${world.project.id}`, leaver.id, 30)
    const fresh = await world.freshCommit()
    await world.report(fresh, { state: 'success', name: 'left' }, leaver.token)
    await world.server.inject('DELETE', `/users/${leaver.id}`, { token: world.server.root.token })
    await world.server.runJobs()
    expect((await world.list(fresh)).body[0].author.username).toMatch(/^ghost/)
  })
})

describe('status and last_pipeline of a commit', () => {
  it('follow the statuses, starting with null', async () => {
    const sha = await world.freshCommit()
    expect(await world.detail(sha)).toMatchObject({ status: null, last_pipeline: null })
    await world.report(sha, { state: 'pending', name: 'a' })
    expect((await world.detail(sha)).status).toBe('pending')
    await world.report(sha, { state: 'success', name: 'b' })
    expect((await world.detail(sha)).status).toBe('running')
    await world.report(sha, { state: 'success', name: 'a' })
    const { status, last_pipeline } = await world.detail(sha)
    expect(status).toBe('success')
    expect(last_pipeline).toEqual({
      id: expect.any(Number),
      ref: 'main',
      sha,
      status: 'success',
    })
    await world.report(sha, { state: 'canceled', name: 'c' })
    expect((await world.detail(sha)).status).toBe('canceled')
  })

  it('are hidden from visitors and guests when jobs are not public', async () => {
    const sha = await world.freshCommit()
    await world.report(sha, { state: 'success' })
    const settings = { token: world.server.root.token, body: { public_builds: false } }
    const path = `/projects/${world.project.id}`
    expect((await world.server.inject('PUT', path, settings)).status).toBe(200)
    expect(await world.detail(sha)).toMatchObject({ status: null, last_pipeline: null })
    expect(await world.detail(sha, world.developer.token)).toMatchObject({ status: 'success' })
    await world.server.inject('PUT', path, { ...settings, body: { public_builds: true } })
    expect(await world.detail(sha)).toMatchObject({ status: 'success' })
  })
})
