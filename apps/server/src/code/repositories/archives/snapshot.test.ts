import { execFileSync } from 'node:child_process'
import { readdir, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultCodeLimits } from '../../../platform/config/code-limits.ts'
import { callAs } from '../../../testing/clients/calls.ts'
import { commit, mustGit, newFolder } from '../../../testing/git/git-client.ts'
import {
  buildPushedProject,
  type PushedProject,
  repositoryFolder,
} from '../../../testing/git/repository.ts'
import { noise } from '../../../testing/noise.ts'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'

/*
 * Statements covered:
 * - GET /projects/:id/snapshot: administrators; an uncompressed tar of the repository; 404 for wikis
 * - consistent while pushes go on; no symbolic link is followed; limited by slots; nothing is left
 */

let server: TestServer
let pushed: PushedProject
let folder: string
beforeAll(async () => {
  server = await buildTestServer()
  pushed = await buildPushedProject(server, { 'README.md': '# Hello\n' })
  await mustGit(pushed.tree, 'tag', '-a', '-m', 'One', 'v1')
  await pushed.push('main', 'v1', `HEAD:refs/heads/${'deep/'.repeat(30)}branch`)
  folder = await repositoryFolder(server, pushed.project.id)
})
afterAll(() => server.close())

const path = () => `/projects/${pushed.project.id}/snapshot`
const get = (query = '') => callAs(server, 'GET', `${path()}${query}`, server.root.token)

async function extract(bytes: Buffer): Promise<string> {
  const target = await newFolder()
  execFileSync('tar', ['xf', '-'], { cwd: target, input: bytes })
  return target
}

const text = async (size: number) => (await noise(size)).toString('base64')

const refsOf = (repository: string) => mustGit(repository, 'for-each-ref')

/** What is beside the repository, for it alone. */
async function leftovers(): Promise<string[]> {
  const names = await readdir(dirname(folder))
  return names.filter((name) => name.startsWith(`${basename(folder)}.`))
}

describe('GET /projects/:id/snapshot', () => {
  it('packs the repository with all its refs', async () => {
    const head = await mustGit(folder, 'rev-parse', 'main')
    await mustGit(folder, 'update-ref', 'refs/keep-around/x', head)
    const { status, bytes, headers } = await get()
    expect([status, headers['content-type']]).toEqual([200, 'application/x-tar'])
    expect(headers['content-disposition']).toBe(`attachment; filename="${pushed.project.path}.tar"`)
    const copy = await extract(bytes)
    expect(await refsOf(copy)).toBe(await refsOf(folder))
    expect(await mustGit(copy, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main')
    await mustGit(copy, 'fsck', '--full', '--strict')
    await expect.poll(leftovers).toEqual([])
  })

  it('packs an empty repository', async () => {
    const empty = await server.buildProject()
    const answer = await callAs(server, 'GET', `/projects/${empty.id}/snapshot`, server.root.token)
    const copy = await extract(answer.bytes)
    expect(await mustGit(copy, 'rev-parse', '--is-bare-repository')).toBe('true')
    expect(await refsOf(copy)).toBe('')
  })

  it('follows no symbolic link', async () => {
    await symlink('/etc/hostname', join(folder, 'linked'))
    await symlink('/etc/hostname', join(folder, 'objects', 'linked'))
    await symlink('/etc', join(folder, 'objects', 'pack', 'linked'))
    const { status, bytes } = await get()
    expect([status, bytes.includes('linked')]).toEqual([200, false])
  })

  it('is consistent while pushes and maintenance go on', async () => {
    const pushes = async () => {
      for (let index = 0; index < 4; index += 1) {
        await commit(pushed.tree, { 'a.txt': await text(200_000) }, `Commit ${index}`)
        await pushed.push('main')
        await mustGit(folder, 'repack', '-a', '-d', '--quiet')
      }
    }
    const pushing = pushes()
    for (let index = 0; index < 4; index += 1) {
      const copy = await extract((await get()).bytes)
      await mustGit(copy, 'fsck', '--full', '--strict', '--connectivity-only')
    }
    await pushing
  })

  it('leaves nothing when the client goes away', async () => {
    const controller = new AbortController()
    const headers = { 'private-token': server.root.token }
    const url = `${await server.url()}/api/v4${path()}`
    const response = await fetch(url, { headers, signal: controller.signal })
    const reader = response.body?.getReader()
    await reader?.read()
    controller.abort()
    await expect.poll(leftovers).toEqual([])
  })

  it('takes a slot of archives, and answers 429 when too many wait', async () => {
    const archive = { ...defaultCodeLimits.archive, total: 1, perClient: 1, queue: 0 }
    const limited = await buildTestServer({ codeLimits: { ...defaultCodeLimits, archive } })
    try {
      const { project, tree, push } = await buildPushedProject(limited)
      await commit(tree, { 'big.txt': await text(12_000_000) }, 'Big')
      await push()
      const url = `${await limited.url()}/api/v4/projects/${project.id}/snapshot`
      const headers = { 'private-token': limited.root.token }
      const first = await fetch(url, { headers })
      const status = async () => {
        const answer = await fetch(url, { headers })
        await answer.body?.cancel()
        return answer.status
      }
      expect(await status()).toBe(429)
      await first.body?.cancel()
      await expect.poll(status).toBe(200)
    } finally {
      await limited.close()
    }
  }, 120_000)

  it('answers 404 for a wiki, and for what does not exist', async () => {
    expect((await get('?wiki=true')).status).toBe(404)
    expect((await get('?wiki=false')).status).toBe(200)
    const unknown = await callAs(server, 'GET', '/projects/404404/snapshot', server.root.token)
    expect(unknown.status).toBe(404)
  })

  it('answers HEAD without packing, and 403 to others', async () => {
    const head = await callAs(server, 'HEAD', path(), server.root.token)
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    const user = await server.buildUser()
    expect((await callAs(server, 'GET', path(), user.token)).status).toBe(403)
    expect((await callAs(server, 'GET', path())).status).toBe(401)
  })
})
