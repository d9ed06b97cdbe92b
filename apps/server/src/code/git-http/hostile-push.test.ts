import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { findRepository } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { gitInput, mustGit, pushedProject } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let project: Json
let tree: string
let path: string

beforeAll(async () => {
  server = await buildTestServer()
  ;({ project, tree } = await pushedProject(server))
  const row = await findRepository(server.app.db, project.id)
  if (row === undefined) throw new Error('the project is gone')
  path = repositoryOf(server.app, row).path
})
afterAll(() => server.close())

/** All objects of the repository. */
async function contents(): Promise<string[]> {
  return (await readdir(path, { recursive: true })).toSorted()
}

interface Answer {
  status: number
  text: string
}

/** Sends a push that no git client would send. */
async function send(oid: string, pack: Uint8Array, name = 'bad'): Promise<Answer> {
  const line = `${'0'.repeat(40)} ${oid} refs/heads/${name}\0 report-status side-band-64k`
  const head = `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`
  const base = await server.url()
  const answer = await fetch(`${base}/${project.path_with_namespace}.git/git-receive-pack`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`root:${server.root.token}`)}`,
      'content-type': 'application/x-git-receive-pack-request',
    },
    body: Buffer.concat([Buffer.from(head), pack]),
  })
  return { status: answer.status, text: await answer.text() }
}

/** A commit of a tree that is stored as given, and the pack with both. */
async function packOf(treeContent: Buffer): Promise<{ oid: string; pack: Buffer }> {
  const hash = ['hash-object', '-t', 'tree', '--literally', '-w', '--stdin']
  const bad = (await gitInput(tree, treeContent, ...hash)).toString().trim()
  const oid = await mustGit(tree, 'commit-tree', '-m', 'Bad', bad)
  const blob = await mustGit(tree, 'rev-parse', 'HEAD:README.md')
  const pack = await gitInput(tree, `${oid}\n${bad}\n${blob}\n`, 'pack-objects', '--stdout', '-q')
  return { oid, pack }
}

async function entry(mode: string, name: string): Promise<Buffer> {
  const blob = await mustGit(tree, 'rev-parse', 'HEAD:README.md')
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(blob, 'hex')])
}

describe('a malicious push', () => {
  it.each([
    ['a .git folder', [['100644', '.git']], /hasDotgit/],
    ['a .git folder in another spelling', [['100644', '.GIT']], /hasDotgit/],
    ['a parent folder', [['100644', '..']], /hasDotdot/],
    ['a slash in a name', [['100644', 'a/b']], /fullPathname/],
    [
      'two entries of one name',
      [
        ['100644', 'a'],
        ['100644', 'a'],
      ],
      /duplicateEntries/,
    ],
    [
      'entries out of order',
      [
        ['100644', 'b'],
        ['100644', 'a'],
      ],
      /treeNotSorted/,
    ],
    ['an invalid mode', [['100600', 'a']], /badFilemode|unpack/],
    ['an empty name', [['100644', '']], /empty|zero-length/i],
  ] as [string, [string, string][], RegExp][])(
    'is refused with %s, and stores nothing',
    async (_what, entries, reason) => {
      const before = await contents()
      const parts = await Promise.all(entries.map(([mode, name]) => entry(mode, name)))
      const { oid, pack } = await packOf(Buffer.concat(parts))
      const { status, text } = await send(oid, pack)
      expect(status).toBe(200)
      expect(text).toMatch(/unpack (?!ok)/)
      expect(text).toMatch(reason)
      expect(await contents()).toEqual(before)
    },
  )

  it('is refused with a .gitmodules that runs a command', async () => {
    const text = '[submodule "x"]\n\tpath = x\n\turl = -u./payload\n'
    const blob = (await gitInput(tree, text, 'hash-object', '-w', '--stdin')).toString().trim()
    const list = `100644 blob ${blob}\t.gitmodules\n`
    const bad = (await gitInput(tree, list, 'mktree')).toString().trim()
    const oid = await mustGit(tree, 'commit-tree', '-m', 'Bad', bad)
    const objects = `${oid}\n${bad}\n${blob}\n`
    const pack = await gitInput(tree, objects, 'pack-objects', '--stdout', '-q')
    const before = await contents()
    expect((await send(oid, pack)).text).toMatch(/gitmodulesUrl/)
    expect(await contents()).toEqual(before)
  })

  it('is refused when the pack is truncated, corrupt, or incomplete', async () => {
    const before = await contents()
    const { oid, pack } = await packOf(await entry('100644', 'fine'))
    const damaged = Buffer.from(pack)
    damaged.fill(0xff, 30, 40)
    const head = await mustGit(tree, 'rev-parse', 'HEAD')
    const orphan = await mustGit(tree, 'commit-tree', '-m', 'Orphan', '-p', head, `${oid}^{tree}`)
    const alone = await gitInput(tree, `${orphan}\n`, 'pack-objects', '--stdout', '-q')
    for (const [name, body] of [
      [oid, pack.subarray(0, pack.length - 10)],
      [oid, damaged],
      [oid, Buffer.from('PACK')],
      [oid, Buffer.alloc(0)],
      [orphan, alone],
      ['e'.repeat(40), pack],
    ] as const) {
      const { status, text } = await send(name, body)
      expect([200, 400]).toContain(status)
      expect(text).toMatch(/unpack (?!ok)|^ng|ng refs|not read|missing/)
      expect(await mustGit(tree, '--git-dir', path, 'for-each-ref', 'refs/heads/bad')).toBe('')
    }
    expect((await contents()).filter((file) => /tmp_|incoming/.test(file))).toEqual([])
    expect((await contents()).filter((file) => !before.includes(file))).toEqual([])
    expect((await send(oid, pack, 'good')).text).toMatch(/unpack ok/)
  })

  it('is refused when it exceeds the maximum size', async () => {
    const small = await buildTestServer({ receiveMaxInputSize: 1 })
    try {
      const large = await pushedProject(small)
      const blob = randomBytes(2 * 1024 * 1024)
      const oid = (await gitInput(large.tree, blob, 'hash-object', '-w', '--stdin')).toString()
      const list = `100644 blob ${oid.trim()}\tlarge\n`
      const root = (await gitInput(large.tree, list, 'mktree')).toString().trim()
      const commit = await mustGit(large.tree, 'commit-tree', '-m', 'Large', root)
      const row = await findRepository(small.app.db, large.project.id)
      if (row === undefined) throw new Error('the project is gone')
      const files = async () =>
        (await readdir(repositoryOf(small.app, row).path, { recursive: true })).toSorted()
      const before = await files()
      await expect(
        mustGit(large.tree, 'push', large.remote, `${commit}:refs/heads/large`),
      ).rejects.toThrow(/maximum allowed size/)
      expect(await files()).toEqual(before)
    } finally {
      await small.close()
    }
  })
})
