import { execFileSync } from 'node:child_process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultCodeLimits } from '../../platform/config/code-limits.ts'
import { commit, mustGit } from '../../testing/git/git-client.ts'
import { buildPushedProject, type PushedProject } from '../../testing/git/repository.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let pushed: PushedProject

const fileCount = 5000

beforeAll(async () => {
  server = await buildTestServer()
  pushed = await buildPushedProject(server)
  const { tree } = pushed
  await commit(tree, { large: 'x\n'.repeat(150_000), middle: 'y\n', small: 'z\n' }, 'Sizes')
  await mustGit(tree, 'branch', 'sizes')
  const files = Array.from({ length: fileCount }, (_, index) => {
    const name = `f${String(index).padStart(4, '0')}`
    return `M 100644 inline many/${name}\ndata 5\n${String(index).padStart(4, '0')}\n\n`
  })
  const head = 'commit refs/heads/many\ncommitter A <a@b.c> 1700000000 +0000\ndata 4\nMany\n'
  const input = `${head}from refs/heads/main^0\n${files.join('')}done\n`
  execFileSync('git', ['fast-import', '--quiet', '--done'], { cwd: tree, input })
  await pushed.push('sizes', 'many')
})
afterAll(() => server.close())

async function get(sha: string, query = '') {
  const path = `/projects/${pushed.project.id}/repository/commits/${sha}/diff`
  return server.inject('GET', path, { query })
}

describe('GET /projects/:id/repository/commits/:sha/diff of a large commit', () => {
  it('lists each of 5,000 files on some page, with its text', async () => {
    const { body, headers } = await get('many', 'per_page=100')
    expect(headers).toMatchObject({ 'x-total': '5000', 'x-total-pages': '50' })
    expect(body).toHaveLength(100)
    const last = (await get('many', 'per_page=100&page=50')).body
    expect(last.at(-1)).toMatchObject({
      new_path: 'many/f4999',
      diff: '--- /dev/null\n+++ b/many/f4999\n@@ -0,0 +1 @@\n+4999\n',
      too_large: false,
      collapsed: false,
    })
    const beyond = await get('many', 'per_page=100&page=51')
    expect([beyond.status, beyond.body]).toEqual([200, []])
  })

  it('does not block other requests meanwhile', async () => {
    const running = Promise.all([get('many', 'per_page=100&page=20'), get('many', 'page=200')])
    let answered = 0
    let open = true
    running.finally(() => {
      open = false
    })
    while (open) {
      expect((await server.inject('GET', '/version', { token: server.root.token })).status).toBe(
        200,
      )
      answered += 1
      await nextTurn()
    }
    await running
    expect(answered).toBeGreaterThan(0)
  })

  it('omits the text of a file that is too large, and sets too_large', async () => {
    const { body } = await get('sizes')
    const files = body.map(({ new_path, too_large, collapsed, diff }: Json) => [
      new_path,
      too_large,
      collapsed,
      diff !== '',
    ])
    expect(files).toEqual([
      ['large', true, false, false],
      ['middle', false, false, true],
      ['small', false, false, true],
    ])
  })

  it('collapses files beyond the size limit of the answer', async () => {
    const { diff } = defaultCodeLimits
    server.app.config.codeLimits = { ...defaultCodeLimits, diff: { ...diff, maxTotalBytes: 150 } }
    const { body } = await get('many', 'per_page=5')
    server.app.config.codeLimits = defaultCodeLimits
    const collapsed = body.map((entry: Json) => entry.collapsed)
    expect([collapsed[0], collapsed.at(-1), body.at(-1).diff]).toEqual([false, true, ''])
  })

  it('returns 422 when git takes too long, and 413 when it lists too much', async () => {
    const limited = async (limits: object, sha: string) => {
      const diff = { ...defaultCodeLimits.diff, ...limits }
      server.app.config.codeLimits = { ...defaultCodeLimits, diff }
      const { status, body } = await get(sha)
      server.app.config.codeLimits = defaultCodeLimits
      return [status, body.message]
    }
    const { tree } = pushed
    const fresh = await commit(tree, { a: 'a\n', b: 'b\n' }, 'Fresh')
    await pushed.push()
    expect(await limited({ maxListBytes: 20 }, fresh)).toEqual([
      413,
      expect.stringMatching(/^[A-Z].* too large/),
    ])
    expect(await limited({ timeoutMs: 0.5 }, fresh)).toEqual([
      422,
      expect.stringMatching(/^[A-Z].* too long/),
    ])
  })
})
