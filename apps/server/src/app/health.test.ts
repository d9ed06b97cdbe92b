import { rename } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildTestServer, type TestServer } from '../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => server.close())

const ok = { database: 'ok', migrations: 'ok', storage: 'ok' }

describe.each(['readiness', 'health'])('GET /-/%s', (name) => {
  const ask = () => server.inject('GET', `//-/${name}`)

  it('answers 200 while everything is there', async () => {
    const { status, body, headers } = await ask()
    expect([status, body]).toEqual([200, { status: 'ok', checks: ok }])
    expect(headers['content-type']).toBe('application/json')
    expect((await server.inject('HEAD', `//-/${name}`)).status).toBe(200)
  })

  it('answers 503 and says that the database fails, with the reason in the log alone', async () => {
    vi.spyOn(server.app.db, 'ping').mockRejectedValue(new Error('secret host of the database'))
    const log = vi.spyOn(server.app.log, 'error')
    const { status, body } = await ask()
    const checks = { ...ok, database: 'failed' }
    expect([status, body]).toEqual([503, { status: 'failed', checks }])
    await ask()
    // Once: it is asked every few seconds.
    expect(log).toHaveBeenCalledTimes(1)
    expect(String(log.mock.calls[0]?.map((each) => JSON.stringify(each)))).toBeDefined()
    vi.restoreAllMocks()
    expect((await ask()).status).toBe(200)
  })

  it('answers 503 while the database lacks a migration', async () => {
    const { db } = server.app
    const [row] = await db.all('test.migrations', {}, (k) =>
      k.selectFrom('schema_migrations').selectAll(),
    )
    if (row === undefined) throw new Error('There is no migration')
    await db.run('test.lose', {}, (k) => k.deleteFrom('schema_migrations'))
    const { status, body } = await ask()
    await db.run('test.find', row, (k, $) =>
      k.insertInto('schema_migrations').values({ name: $('name'), appliedAt: $('appliedAt') }),
    )
    const checks = { ...ok, migrations: 'failed' }
    expect([status, body]).toEqual([503, { status: 'failed', checks }])
    expect((await ask()).status).toBe(200)
  })

  it('answers 503 while a repository storage is missing', async () => {
    const folder = server.app.config.repositoryStorages.default ?? ''
    await rename(folder, `${folder}-away`)
    const { status, body, text } = await ask()
    await rename(`${folder}-away`, folder)
    const checks = { ...ok, storage: 'failed' }
    expect([status, body]).toEqual([503, { status: 'failed', checks }])
    expect(text).not.toContain(folder)
    expect((await ask()).status).toBe(200)
  })

  it('checks once for all who ask at the same time', async () => {
    const ping = vi.spyOn(server.app.db, 'ping')
    await Promise.all(Array.from({ length: 20 }, ask))
    expect(ping.mock.calls.length).toBeLessThan(20)
  })
})

describe('GET /-/liveness', () => {
  it('answers 200 while the process responds, whatever else fails', async () => {
    vi.spyOn(server.app.db, 'ping').mockRejectedValue(new Error('no'))
    const { status, body } = await server.inject('GET', '//-/liveness')
    expect([status, body]).toEqual([200, { status: 'ok' }])
  })
})
