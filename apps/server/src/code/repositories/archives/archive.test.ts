import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultCodeLimits } from '../../../platform/config/code-limits.ts'
import { commit, gitInput, mustGit } from '../../../testing/git/git-client.ts'
import {
  buildPushedProject,
  type PushedProject,
  repositoryFolder,
} from '../../../testing/git/repository.ts'
import { noise } from '../../../testing/noise.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let pushed: PushedProject
let empty: Json
let oid: string

beforeAll(async () => {
  server = await buildTestServer()
  pushed = await buildPushedProject(server, { 'README.md': '# Hello\n', '-x': 'x\n' })
  empty = await server.buildProject({ visibility: 'public' })
  oid = await mustGit(pushed.tree, 'rev-parse', 'HEAD')
  await mustGit(pushed.tree, 'tag', 'v1.0')
  await mustGit(pushed.tree, 'branch', 'topic/a/b')
  await mustGit(pushed.tree, 'branch', 'ünï"code')
  await commit(pushed.tree, { 'later.txt': 'later\n' }, 'Later')
  await pushed.push('main', 'v1.0', 'topic/a/b', 'ünï"code')
})
afterAll(() => server.close())

async function get(suffix = '', query = '', id = pushed.project.id) {
  return server.inject('GET', `/projects/${id}/repository/archive${suffix}`, { query })
}

const list = (archive: Buffer, flags: string) =>
  execFileSync('tar', [`t${flags}`], { input: archive })
    .toString()
    .trim()
    .split('\n')
    .toSorted()

describe('GET /projects/:id/repository/archive[.format]', () => {
  it.each([
    ['', 'z', 'tar.gz', 'application/gzip'],
    ['.tar.gz', 'z', 'tar.gz', 'application/gzip'],
    ['.tgz', 'z', 'tar.gz', 'application/gzip'],
    ['.gz', 'z', 'tar.gz', 'application/gzip'],
    ['.tar.bz2', 'j', 'tar.bz2', 'application/x-bzip2'],
    ['.tbz', 'j', 'tar.bz2', 'application/x-bzip2'],
    ['.tbz2', 'j', 'tar.bz2', 'application/x-bzip2'],
    ['.tb2', 'j', 'tar.bz2', 'application/x-bzip2'],
    ['.bz2', 'j', 'tar.bz2', 'application/x-bzip2'],
    ['.tar', '', 'tar', 'application/x-tar'],
  ])('packs %j', async (suffix, flag, extension, type) => {
    const { status, bytes, headers } = await get(suffix, 'sha=v1.0')
    expect(status).toBe(200)
    const name = `${pushed.project.path}-v1.0-${oid}`
    expect(headers['content-disposition']).toBe(`attachment; filename="${name}.${extension}"`)
    expect(headers['content-type']).toBe(type)
    expect(list(bytes, flag)).toEqual([`${name}/`, `${name}/-x`, `${name}/README.md`])
  })

  it('packs a zip', async () => {
    const { bytes, headers } = await get('.zip')
    expect(headers['content-type']).toBe('application/zip')
    expect(headers['content-disposition']).toMatch(/-main-[0-9a-f]{40}\.zip"$/)
    expect(bytes.toString('latin1', 0, 2)).toBe('PK')
    expect(bytes.includes('later.txt')).toBe(true)
  })

  it('accepts branches, hashes and short hashes, and defaults to the default branch', async () => {
    const { path } = pushed.project
    const branch = await get('.tar', 'sha=topic/a/b')
    expect(list(branch.bytes, '')[0]).toBe(`${path}-topic-a-b-${oid}/`)
    expect(list((await get('.tar', `sha=${oid}`)).bytes, '')[0]).toBe(`${path}-${oid}-${oid}/`)
    const short = oid.slice(0, 8)
    expect(list((await get('.tar', `sha=${short}`)).bytes, '')[0]).toBe(`${path}-${short}-${oid}/`)
    for (const query of ['', 'sha=']) {
      expect(list((await get('.tar', query)).bytes, '')[0]).toMatch(/-main-[0-9a-f]{40}\/$/)
    }
  })

  it('accepts branch names that are invalid in headers', async () => {
    const { headers, bytes } = await get('.tar', `sha=${encodeURIComponent('ünï"code')}`)
    expect(headers['content-disposition']).toMatch(/^attachment; filename\*=UTF-8''.*-%C3%BCn/)
    expect(list(bytes, '')).toHaveLength(3)
  })

  it.each(['none', '-x', '--output=/tmp/x', 'a..b', 'x'.repeat(1000), 'main:README.md', '%0A'])(
    'returns 404 for the ref %s',
    async (ref) => {
      const { status, body } = await get('.tar', `sha=${ref}`)
      expect([status, body]).toEqual([404, { message: '404 File Not Found' }])
    },
  )

  it.each(['.rar', '.tar.xz', '.', '.TAR', '.constructor', '.-x', '.tar%2F..'])(
    'returns 404 for the suffix %s',
    async (suffix) => {
      expect((await get(suffix)).status).toBe(404)
    },
  )

  it('returns 404 in an empty repository, for a tree and for a blob', async () => {
    expect((await get('', '', empty.id)).status).toBe(404)
    for (const object of ['HEAD^{tree}', 'HEAD:README.md']) {
      const hash = await mustGit(pushed.tree, 'rev-parse', object)
      expect((await get('', `sha=${hash}`)).status).toBe(404)
    }
  })

  it('responds to HEAD without packing', async () => {
    const path = `/projects/${pushed.project.id}/repository/archive.zip`
    await server.inject('HEAD', path)
    const before = server.app.git.spawnCount
    const { status, bytes, headers } = await server.inject('HEAD', path)
    expect([status, bytes.length]).toEqual([200, 0])
    expect(headers['content-type']).toBe('application/zip')
    expect(server.app.git.spawnCount).toBe(before)
  })

  it('returns 404 when the code is hidden', async () => {
    const hidden = await server.buildProject()
    expect((await get('', '', hidden.id)).status).toBe(404)
    const guest = await server.buildUser()
    await server.addMember(`projects/${hidden.id}`, guest.id, 10)
    const path = `/projects/${hidden.id}/repository/archive.rar`
    expect((await server.inject('GET', path, { token: guest.token })).status).toBe(403)
  })
})

describe('an archive that exceeds a limit', () => {
  function limitTo(archive: { timeoutMs?: number; maxBytes?: number }): void {
    server.app.config.codeLimits = {
      ...defaultCodeLimits,
      archive: { ...defaultCodeLimits.archive, ...archive },
    }
  }

  it('is a 413 with a message', async () => {
    limitTo({ maxBytes: 1000 })
    const { status, body } = await get()
    expect([status, body.message]).toEqual([413, expect.stringMatching(/^[A-Z].* .*too large/)])
  })

  it('is a 422 with a message', async () => {
    await commit(pushed.tree, { slow: 'slow\n' }, 'Slow')
    await pushed.push()
    limitTo({ timeoutMs: 0.5 })
    const { status, body } = await get()
    expect([status, body.message]).toEqual([422, expect.stringMatching(/^[A-Z].* too long/)])
  })

  describe('an archive in progress', () => {
    let url: string

    beforeAll(async () => {
      // Data that cannot be compressed, and exceeds the buffers in between.
      const folder = await repositoryFolder(server, pushed.project.id)
      const file = join(pushed.tree, 'noise')
      await writeFile(file, await noise(24 * 1024 * 1024))
      const blob = await mustGit(folder, '-c', 'core.compression=0', 'hash-object', '-w', file)
      const tree = await gitInput(folder, `100644 blob ${blob}\tnoise\n`, 'mktree')
      const commitId = await mustGit(folder, 'commit-tree', '-m', 'Noise', tree.toString().trim())
      await mustGit(folder, 'update-ref', 'refs/heads/noise', commitId)
      const base = await server.url()
      url = `${base}/api/v4/projects/${pushed.project.id}/repository/archive.tar?sha=noise`
    })

    it('is stopped when the client disconnects', async () => {
      limitTo({})
      const controller = new AbortController()
      const answer = await fetch(url, { signal: controller.signal })
      await answer.body?.getReader().read()
      expect(archivesRunning()).toBeGreaterThan(0)
      controller.abort()
      await expect.poll(archivesRunning).toBe(0)
    })

    it('is not sent for a HEAD, which has the headers of a GET', async () => {
      limitTo({})
      const controller = new AbortController()
      const whole = await fetch(url, { signal: controller.signal })
      controller.abort()
      const answer = await fetch(url, { method: 'HEAD' })
      expect(answer.status).toBe(200)
      expect(await answer.text()).toBe('')
      expect(lasting(answer.headers)).toEqual(lasting(whole.headers))
      await expect.poll(archivesRunning).toBe(0)
    })

    it('is aborted at the time limit, which no client takes for the end', async () => {
      limitTo({ timeoutMs: 6000 })
      const answer = await fetch(url)
      expect(answer.status).toBe(200)
      await sleep(8000)
      await expect(answer.arrayBuffer()).rejects.toThrow()
    })
  })
})

function archivesRunning(): number {
  const pid = String(server.app.git.brokerPid)
  const children = execFileSync('ps', ['--ppid', pid, '-o', 'args=']).toString()
  return children.split('\n').filter((line) => line.includes(' archive ')).length
}

/** The headers that describe the response, not its request or its connection. */
function lasting(headers: Headers): Record<string, string> {
  const others = ['connection', 'date', 'keep-alive', 'transfer-encoding', 'x-request-id']
  const left = new Set([...others, 'x-runtime'])
  return Object.fromEntries([...headers].filter(([name]) => !left.has(name)))
}
