import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultCodeLimits } from '../../../platform/config/code-limits.ts'
import { buildPushedProject, type PushedProject } from '../../../testing/git/repository.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let pushed: PushedProject
let empty: Json

function commitAs(name: string, email: string, date: string): void {
  const author = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date }
  const committer = { GIT_COMMITTER_NAME: 'C', GIT_COMMITTER_EMAIL: 'c', GIT_COMMITTER_DATE: date }
  execFileSync('git', ['commit', '--quiet', '--allow-empty', '-m', 'x'], {
    cwd: pushed.tree,
    env: { ...process.env, ...author, ...committer },
  })
}

beforeAll(async () => {
  server = await buildTestServer()
  pushed = await buildPushedProject(server)
  empty = await server.buildProject({ visibility: 'public' })
  commitAs('zoe', 'z@example.com', '2030-01-01T00:00:00Z')
  commitAs('Bob', 'B@example.com', '2030-01-02T00:00:00Z')
  commitAs('Zoë', 'z@example.com', '2030-01-03T00:00:00Z')
  await pushed.push()
})
afterAll(() => server.close())

async function get(query = '', id = pushed.project.id) {
  return server.inject('GET', `/projects/${id}/repository/contributors`, { query })
}

const names = async (query: string) => {
  const { status, body } = await get(query)
  expect(status).toBe(200)
  return body.map((entry: Json) => entry.name)
}

describe('GET /projects/:id/repository/contributors', () => {
  it('lists one entry for each address under its newest name', async () => {
    const { body, headers } = await get('order_by=email')
    expect(body[2]).toEqual({
      name: 'Zoë',
      email: 'z@example.com',
      commits: 2,
      additions: 0,
      deletions: 0,
    })
    expect(headers['x-total']).toBe('3')
  })

  it('orders by name and by address, ignoring case, up and down', async () => {
    expect(await names('order_by=name')).toEqual(['Ada', 'Bob', 'Zoë'])
    expect(await names('order_by=name&sort=desc')).toEqual(['Zoë', 'Bob', 'Ada'])
    expect(await names('order_by=email&sort=asc')).toEqual(['Ada', 'Bob', 'Zoë'])
    expect(await names('order_by=email&sort=desc')).toEqual(['Zoë', 'Bob', 'Ada'])
  })

  it('orders by the date of the last commit, which is the default', async () => {
    expect(await names('')).toEqual(['Ada', 'Bob', 'Zoë'])
    expect(await names('order_by=commits&sort=asc')).toEqual(['Ada', 'Bob', 'Zoë'])
    commitAs('Ada', 'ada@example.com', '2030-01-04T00:00:00Z')
    await pushed.push()
    expect(await names('order_by=commits')).toEqual(['Bob', 'Zoë', 'Ada'])
    expect(await names('sort=desc')).toEqual(['Ada', 'Zoë', 'Bob'])
  })

  it('paginates', async () => {
    expect(await names('order_by=name&per_page=1&page=2')).toEqual(['Bob'])
    expect(await names('page=9')).toEqual([])
  })

  it('returns 400 for other orders', async () => {
    expect((await get('order_by=age')).status).toBe(400)
    expect((await get('sort=up')).status).toBe(400)
  })

  it('is empty in an empty repository', async () => {
    const { status, body } = await get('', empty.id)
    expect([status, body]).toEqual([200, []])
  })

  it('starts no git process while nothing is pushed', async () => {
    await get()
    const before = server.app.git.spawnCount
    await get('order_by=name&page=2')
    expect(server.app.git.spawnCount).toBe(before)
  })

  it('returns 422 when the history takes too long, and 413 when it is too large', async () => {
    commitAs('Eve', 'e@example.com', '2030-01-05T00:00:00Z')
    await pushed.push()
    const { contributors } = defaultCodeLimits
    const limited = async (limits: object) => {
      server.app.config.codeLimits = {
        ...defaultCodeLimits,
        contributors: { ...contributors, ...limits },
      }
      const { status, body } = await get()
      server.app.config.codeLimits = defaultCodeLimits
      return [status, body.message]
    }
    expect(await limited({ timeoutMs: 0.5 })).toEqual([422, expect.stringMatching(/ too long/)])
    expect(await limited({ maxOutputBytes: 9 })).toEqual([413, expect.stringMatching(/ too large/)])
    expect(await names('order_by=name')).toContain('Eve')
  })
})
