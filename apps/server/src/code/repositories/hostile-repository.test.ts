import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultCodeLimits } from '../../platform/config/code-limits.ts'
import { type Bomb, bombNames, branchOf, buildBombs } from '../../testing/git/bombs.ts'
import { mustGit } from '../../testing/git/git-client.ts'
import { buildPushedProject, repositoryFolder } from '../../testing/git/repository.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

const mebibyte = 1024 * 1024

let server: TestServer
let bombs: string

beforeAll(async () => {
  bombs = await buildBombs()
  server = await buildTestServer()
  const { archive, diff } = defaultCodeLimits
  // Shorter, since some take as long as they may.
  const limits = {
    archive: { ...archive, checkTimeoutMs: 2000 },
    diff: { ...diff, timeoutMs: 2000 },
    stats: { timeoutMs: 2000 },
  }
  server.app.config.codeLimits = { ...defaultCodeLimits, ...limits }
}, 120_000)
afterAll(async () => {
  await server.close()
  await rm(bombs, { recursive: true })
})

/** Builds a project whose default branch is a hostile history. */
async function buildHostileProject(name: Bomb, on = server): Promise<number> {
  const { project, tree, push } = await buildPushedProject(on)
  await mustGit(tree, 'tag', 'start')
  await push('start')
  const folder = await repositoryFolder(on, project.id)
  const refs = ['main', 'bomb'].map((ref) => `+refs/heads/${branchOf(name)}:refs/heads/${ref}`)
  await mustGit(folder, 'fetch', '--quiet', bombs, ...refs)
  await mustGit(folder, 'tag', '-a', '-m', 'x'.repeat(100_000), 'v1', 'main')
  return project.id
}

/** Every endpoint that reads objects, trees, diffs or histories. */
const endpoints = [
  'commits?per_page=100',
  'commits?per_page=100&with_stats=true',
  'commits?all=true&per_page=100',
  'commits?path=lines',
  'commits/main',
  'commits/main?stats=false',
  'commits/main/diff',
  'commits/main/diff?page=20&per_page=100',
  'commits/main/refs',
  'commits/main/signature',
  'tree',
  'tree?recursive=true',
  'tree?recursive=true&page=400',
  'archive.tar.gz',
  'compare?from=start&to=main',
  'compare?from=start&to=main&straight=true',
  'merge_base?refs[]=bomb&refs[]=main',
  'contributors',
  'branches',
  'branches?sort=updated_desc',
  'branches/main',
  'tags',
  'tags/v1',
  'files/lines?ref=main',
  'files/lines/raw?ref=main',
  'files/lines/blame?ref=main',
  'files/line?ref=main',
  'files/line/blame?ref=main',
]

interface Asked {
  status: number
  bytes: number
  /** Git processes that were started. */
  processes: number
}

async function ask(projectId: number, path: string): Promise<Asked> {
  const before = server.app.git.spawnCount
  const url = `/projects/${projectId}/repository/${path}`
  const { status, bytes } = await server.inject('GET', url)
  return { status, bytes: bytes.length, processes: server.app.git.spawnCount - before }
}

function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/**
 * The most memory that is held while work goes on, without garbage, in bytes more than at its start.
 */
async function memoryGrowth(work: () => Promise<void>): Promise<number> {
  server.collectGarbage()
  const before = heldBytes()
  let highest = 0
  const sample = () => {
    if (heldBytes() - before <= Math.max(highest, 50 * mebibyte)) return
    server.collectGarbage()
    highest = Math.max(highest, heldBytes() - before)
  }
  const timer = setInterval(sample, 10)
  await work().finally(() => clearInterval(timer))
  sample()
  return highest
}

describe.each(bombNames)('a repository with %s', (name) => {
  it('is answered by every endpoint within its limits, and refused at no cost the next time', async () => {
    const id = await buildHostileProject(name)
    const growth = await memoryGrowth(async () => {
      for (const path of endpoints) {
        const first = await ask(id, path)
        expect([200, 404, 413, 422], `${path}: ${JSON.stringify(first)}`).toContain(first.status)
        expect(first.bytes, path).toBeLessThan(8 * mebibyte)
        expect(first.processes, path).toBeLessThanOrEqual(4)
        const second = await ask(id, path)
        // What took almost as long as it may is refused when the machine is busier.
        const expected = first.status === 200 ? [200, 422] : [first.status]
        expect(expected, path).toContain(second.status)
        // A page of a long list, a large diff and an archive are read again.
        expect(second.processes, path).toBeLessThanOrEqual(first.status === 200 ? 1 : 0)
      }
    })
    // The bombs stand for hundreds of megabytes and more.
    expect(growth).toBeLessThan(250 * mebibyte)
  }, 120_000)
})

describe('a hundred million files', () => {
  it('are listed once for all who ask at the same time', async () => {
    const id = await buildHostileProject('a tree')
    await ask(id, 'commits/main?stats=false')
    const before = server.app.git.spawnCount
    const calls = Array.from({ length: 10 }, () => ask(id, 'tree?recursive=true'))
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(10).fill(413))
    expect(server.app.git.spawnCount - before).toBe(1)
  })

  it('do not keep the statistics of a repository from being refreshed', async () => {
    // Jobs have a low priority, and take long on a busy machine: only those of this repository run.
    const alone = await buildTestServer()
    try {
      const id = await buildHostileProject('a tree', alone)
      const { config } = alone.app
      const { codeLimits } = config
      config.codeLimits = { ...codeLimits, tree: { ...codeLimits.tree, maxEntries: 10_000 } }
      await alone.runJobs()
      config.codeLimits = codeLimits
      const { status, body } = await alone.inject('GET', `/projects/${id}/languages`)
      expect(status).toBe(200)
      expect(body).toEqual({ TypeScript: 100 })
    } finally {
      await alone.close()
    }
  })
})

describe('a message of 7 MB', () => {
  it('is cut in lists, and given up to 1 MiB alone', async () => {
    const id = await buildHostileProject('messages')
    const commits = `/projects/${id}/repository/commits`
    const list = await server.inject('GET', commits)
    expect(list.body[0].title).toBe('Commit 19')
    expect(list.body[0].message).toMatch(/^Commit 19\n\nx+…$/)
    expect(list.body[0].message).toHaveLength(10 * 1024 + 1)
    const { body } = await server.inject('GET', `${commits}/main`)
    expect(body.message).toMatch(/^Commit 19\n\nx+…$/)
    expect(body.message).toHaveLength(mebibyte + 1)
    const tag = await server.inject('GET', `/projects/${id}/repository/tags/v1`)
    expect(tag.body.message).toHaveLength(100_000)
    const tags = await server.inject('GET', `/projects/${id}/repository/tags`)
    const annotated = tags.body.find(({ name }: { name: string }) => name === 'v1')
    expect(annotated.message).toHaveLength(10 * 1024 + 1)
  })
})
