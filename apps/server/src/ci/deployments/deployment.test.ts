import type { DeploymentStatus } from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import { buildStatusFixture, type StatusFixture } from '../../testing/fixtures/status-fixture.ts'
import { mustGit, remoteUrl } from '../../testing/git/git-client.ts'
import type { InjectedAnswer, Json, TestServer } from '../../testing/test-server.ts'

let fixture: StatusFixture
let server: TestServer
let base: string
let sha: string
let remote: string

beforeAll(async () => {
  fixture = await buildStatusFixture()
  server = fixture.server
  base = `/projects/${fixture.project.id}`
  sha = await fixture.freshCommit()
  const { username, token } = server.root
  remote = remoteUrl(await server.url(), fixture.project.path_with_namespace, username, token)
})
afterAll(() => server.close())

const send = (method: string, path: string, body?: unknown, token = server.root.token) =>
  callAs(server, method, `${base}${path}`, token, body)

const report = (body: object, token = fixture.developer.token): Promise<InjectedAnswer> =>
  send('POST', '/deployments', { environment: 'production', sha, ref: 'main', ...body }, token)

const reported = async (body: object): Promise<Json> => (await report(body)).body

const environmentNamed = async (name: string): Promise<Json> => {
  const [found] = (await send('GET', `/environments?name=${name}`)).body
  return (await send('GET', `/environments/${found.id}`)).body
}

/** The refs of environments, as a clone sees them. */
async function environmentRefs(): Promise<string[]> {
  const listed = await mustGit(fixture.tree, 'ls-remote', remote, 'refs/environments/*')
  return listed.split('\n').filter(Boolean)
}

describe('POST /projects/:id/deployments', () => {
  it('records one, and creates its environment where it is missing', async () => {
    const { status, body } = await report({
      environment: 'review/x',
      status: 'running',
      tag: false,
    })
    const { developer } = fixture
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        iid: 1,
        ref: 'main',
        sha,
        status: 'running',
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        updated_at: body.created_at,
        user: expect.objectContaining({ id: developer.id, username: developer.username }),
        deployable: null,
        environment: {
          id: expect.any(Number),
          name: 'review/x',
          slug: expect.stringMatching(/^review-x-[a-z0-9]{6}$/),
          external_url: null,
        },
      },
    ])
    expect((await send('GET', `/deployments/${body.id}`)).body).toEqual(body)
    const again = await reported({ environment: 'review/x' })
    expect(again).toMatchObject({ iid: 2, status: 'created', environment: body.environment })
  })

  it('keeps the ref as it is sent, also of a deleted branch, and stores full hashes', async () => {
    const body = { ref: 'refs/heads/gone', sha: sha.slice(0, 10) }
    expect(await reported(body)).toMatchObject({ ref: 'refs/heads/gone', sha })
    expect(await reported({ sha: 'main', ref: 'v1', tag: true })).toMatchObject({ ref: 'v1', sha })
  })

  it.each([
    [{ environment: '' }, { error: 'environment is empty' }],
    [{ sha: '' }, { error: 'sha is empty' }],
    [{ ref: '' }, { error: 'ref is empty' }],
    [{ status: 'waiting' }, { error: 'status does not have a valid value' }],
    [{ sha: '0'.repeat(40) }, { message: { sha: ['The commit does not exist'] } }],
    [{ sha: '--all' }, { message: { sha: ['The commit does not exist'] } }],
    [{ ref: 'a b' }, { message: { ref: ['is invalid'] } }],
    [{ environment: 'a:b' }, { message: { environment: [expect.stringContaining('only')] } }],
  ])('answers 400 for %j', async (body, expected) => {
    const answer = await report({ ...body })
    expect([answer.status, answer.body]).toEqual([400, expected])
  })

  it('answers 400 in an empty repository', async () => {
    const { id } = await server.buildProject()
    const body = { environment: 'a', sha, ref: 'main' }
    const answer = await callAs(
      server,
      'POST',
      `/projects/${id}/deployments`,
      server.root.token,
      body,
    )
    expect([answer.status, answer.body]).toEqual([
      400,
      { message: { sha: ['The commit does not exist'] } },
    ])
  })

  it('numbers concurrent ones without a gap, in one environment', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, () => reported({ environment: 'Con current' })),
    )
    const iids = made.map(({ iid }) => iid).toSorted((a, b) => a - b)
    expect(iids.at(-1) - iids[0]).toBe(7)
    expect(new Set(made.map(({ environment }) => environment.id)).size).toBe(1)
  })
})

describe('PUT /projects/:id/deployments/:deployment_id', () => {
  it('follows created, running and the end, and refuses the rest', async () => {
    const { id } = await reported({ environment: 'states' })
    const failed = async () =>
      (await send('GET', '/deployments?environment=states&status=failed')).headers['x-total']
    expect(await failed()).toBe('0')
    const put = (status: string) => send('PUT', `/deployments/${id}`, { status })
    expect((await put('running')).body).toMatchObject({ id, status: 'running' })
    expect((await put('running')).body).toEqual({
      message: 'Cannot transition status via :run from :running',
    })
    expect((await put('created')).body).toEqual({ error: 'status does not have a valid value' })
    expect((await put('failed')).status).toBe(200)
    expect(await failed()).toBe('1')
    const late = await put('success')
    expect([late.status, late.body]).toEqual([
      400,
      { message: 'Cannot transition status via :succeed from :failed' },
    ])
    expect((await environmentNamed('states')).last_deployment).toBeNull()
    expect((await send('PUT', `/deployments/${id}`, {})).body).toEqual({
      error: 'status is missing',
    })
    expect((await send('PUT', '/deployments/999999', { status: 'failed' })).status).toBe(404)
  })

  it('lets one of two concurrent changes win', async () => {
    const { id } = await reported({ environment: 'states', status: 'running' })
    const ends = ['success', 'failed'].map((status) =>
      send('PUT', `/deployments/${id}`, { status }),
    )
    const statuses = (await Promise.all(ends)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 400])
  })
})

describe('a successful deployment', () => {
  it('is the last one, starts its environment, and has a ref that can be fetched', async () => {
    const first = await reported({ environment: 'live', status: 'success' })
    const second = await reported({ environment: 'live', status: 'running' })
    await reported({ environment: 'live', status: 'failed' })
    const { environment, ...summary } = first
    const before = await environmentNamed('live')
    expect(before).toEqual({ ...environment, state: 'available', last_deployment: summary })
    await send('POST', `/environments/${environment.id}/stop`)
    await send('PUT', `/deployments/${second.id}`, { status: 'success' })
    const after = await environmentNamed('live')
    expect(after).toMatchObject({ state: 'available', last_deployment: { id: second.id } })
    await server.runJobs()
    const refs = await environmentRefs()
    for (const { iid } of [first, second]) {
      expect(refs).toContain(`${sha}\trefs/environments/live/deployments/${iid}`)
    }
    expect(refs.filter((ref) => ref.includes('/live/'))).toHaveLength(2)
    const push = mustGit(
      fixture.tree,
      'push',
      remote,
      `${sha}:refs/environments/live/deployments/99`,
    )
    await expect(push).rejects.toThrow()
  })

  it('loses its ref with the environment, whichever job runs first', async () => {
    const { environment } = await reported({ environment: 'leaving', status: 'success' })
    await server.runJobs()
    await reported({ environment: 'leaving', status: 'success' })
    expect((await send('DELETE', `/environments/${environment.id}`)).status).toBe(204)
    await server.runJobs()
    expect((await environmentRefs()).filter((ref) => ref.includes('/leaving/'))).toEqual([])
    expect((await send('GET', '/deployments?environment=leaving')).body).toEqual([])
    const again = await reported({ environment: 'leaving', status: 'success' })
    expect(again.environment).toMatchObject({ slug: 'leaving' })
    expect(again.environment.id).toBeGreaterThan(environment.id)
  })
})

describe('GET /projects/:id/deployments', () => {
  let project: Json
  const list = async (query: string) => {
    const path = `/projects/${project.id}/deployments?${query}`
    const { status, body } = await callAs(server, 'GET', path, server.root.token)
    return status === 200 ? body.map(({ iid }: Json) => iid) : [status, body]
  }

  beforeAll(async () => {
    project = await server.buildProject({ initialize_with_readme: true })
    const deploy = (ref: string, environment: string, status: DeploymentStatus) =>
      created(server, `/projects/${project.id}/deployments`, {
        ...{ environment, sha: 'HEAD', ref, status },
      })
    await deploy('b', 'one', 'success')
    await deploy('a', 'two', 'running')
    server.advance(60_000)
    await deploy('c', 'one', 'failed')
  })

  it('orders by id, or by what is asked for', async () => {
    expect(await list('')).toEqual([1, 2, 3])
    expect(await list('sort=desc')).toEqual([3, 2, 1])
    expect(await list('order_by=iid&sort=desc')).toEqual([3, 2, 1])
    expect(await list('order_by=created_at&sort=desc')).toEqual([3, 2, 1])
    expect(await list('order_by=ref')).toEqual([2, 1, 3])
    expect(await list('order_by=sha')).toEqual([
      400,
      { error: 'order_by does not have a valid value' },
    ])
    expect(await list('page=2&per_page=2')).toEqual([3])
  })

  it('filters by environment, status and time', async () => {
    expect(await list('environment=&status=&updated_after=')).toEqual([1, 2, 3])
    expect(await list('environment=one')).toEqual([1, 3])
    expect(await list('environment=one&status=failed')).toEqual([3])
    expect(await list('environment=three')).toEqual([])
    expect(await list('environment=production')).toEqual([])
    expect(await list('status=running')).toEqual([2])
    const middle = new Date(server.app.now() - 30_000).toISOString()
    expect(await list(`updated_after=${middle}`)).toEqual([3])
    expect(await list(`updated_before=${middle}&environment=one`)).toEqual([1])
    expect(await list('updated_after=x')).toEqual([400, { error: 'updated_after is invalid' }])
  })

  it('takes the same number of queries for each length', async () => {
    const cost = async (query: string) => {
      const before = server.app.db.stats.queries
      await list(query)
      return server.app.db.stats.queries - before
    }
    // The first list is counted.
    await cost('')
    expect(await cost('per_page=100')).toBe(await cost('per_page=1'))
    expect(await cost('per_page=100')).toBeLessThanOrEqual(5)
  })

  it('is for reporters and above', async () => {
    const guest = await server.buildUser()
    await server.addMember(`projects/${project.id}`, guest.id, 10)
    const path = `/projects/${project.id}/deployments`
    expect((await callAs(server, 'GET', path)).status).toBe(401)
    expect((await callAs(server, 'GET', path, guest.token)).status).toBe(403)
    const reporter = await server.buildUser()
    await server.addMember(`projects/${project.id}`, reporter.id, 20)
    expect((await callAs(server, 'GET', path, reporter.token)).status).toBe(200)
    const body = { environment: 'a', sha: 'HEAD', ref: 'main' }
    expect((await callAs(server, 'POST', path, reporter.token, body)).status).toBe(403)
  })
})
