import { createClient, StithyError } from '@stithy/client'
import { contracts } from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../../../apps/server/src/testing/test-server.ts'
import { cliIn, temporaryFolder } from './run-cli.ts'

let server: TestServer
let baseUrl: string

beforeAll(async () => {
  server = await buildTestServer()
  baseUrl = await server.url()
})

afterAll(() => server.close())

describe('the SDK against the real server', () => {
  it('creates, shows, lists over several pages and deletes', async () => {
    const client = createClient({ baseUrl, token: server.root.token })
    const prefix = 'sdk-walk'
    for (const letter of ['a', 'b', 'c'])
      await client.projects.create({ name: `${prefix}-${letter}` })
    const page = await client.projects.list({ search: prefix, per_page: 2 })
    expect(page).toMatchObject({ page: 1, perPage: 2, total: 3, totalPages: 2, nextPage: 2 })
    const paths: string[] = []
    const walk = client.projects.list({ search: prefix, per_page: 2, order_by: 'id', sort: 'asc' })
    for await (const project of walk) paths.push(project.path_with_namespace)
    expect(paths).toEqual(['root/sdk-walk-a', 'root/sdk-walk-b', 'root/sdk-walk-c'])
    const shown = await client.projects.show({ projectId: 'root/sdk-walk-b' })
    expect(shown.name).toBe('sdk-walk-b')
    await client.projects.delete({ projectId: shown.id })
  })

  it('walks a list by keyset', async () => {
    const client = createClient({ baseUrl, token: server.root.token })
    for (const letter of ['a', 'b', 'c']) await client.projects.create({ name: `keyset-${letter}` })
    const names: string[] = []
    const list = client.projects.list({
      search: 'keyset-',
      pagination: 'keyset',
      order_by: 'id',
      sort: 'asc',
      per_page: 1,
    })
    for await (const project of list) names.push(project.name)
    expect(names).toEqual(['keyset-a', 'keyset-b', 'keyset-c'])
  })

  it.each([
    ['unauthorized', async () => createClient({ baseUrl, token: 'wrong' }).version.show()],
    [
      'not_found',
      async () =>
        createClient({ baseUrl, token: server.root.token }).projects.show({ projectId: 'no/such' }),
    ],
    [
      'validation_failed',
      async () =>
        createClient({ baseUrl, token: server.root.token }).projects.create({
          name: 'x'.repeat(300),
        }),
    ],
  ])('tells %s by its code', async (code, call) => {
    const error: unknown = await call().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(StithyError)
    expect(error).toMatchObject({ code, requestId: expect.any(String) })
  })
})

describe('stithy against the real server', () => {
  it('signs in, creates and lists', async () => {
    const cli = cliIn(await temporaryFolder())
    const registry = contracts
    const login = await cli(['login', '--url', baseUrl], { stdin: server.root.token })
    expect(login).toMatchObject({ code: 0, stdout: expect.stringContaining('(@root)') })
    const created = await cli(['projects', 'create', '--name', 'from-cli', '--json'], {
      registry,
    })
    expect(JSON.parse(created.stdout)).toMatchObject({ path_with_namespace: 'root/from-cli' })
    const list = await cli(['projects', 'list', '--search', 'from-cli'], { registry })
    expect(list.stdout).toMatch(/^id {2}path_with_namespace .*\n\d+ +root\/from-cli /)
    const missing = await cli(['projects', 'show', '--project', 'no/such'], { registry })
    expect(missing).toMatchObject({ code: 4, stderr: 'stithy: 404 Project Not Found\n' })
  })
})
