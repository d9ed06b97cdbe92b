import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { resolveCommit } from '../refs/refs.ts'
import { createRepository } from '../repository.ts'
import {
  buildWork,
  type Fixture,
  openFixture,
  runGit,
  runGitRaw,
  type Work,
} from '../testing/fixture.ts'
import { runClient, type SmartServer, startSmartServer } from '../testing/smart-http.ts'
import { advertiseFetch, advertisePush, uploadPack } from './transport.ts'

let fixture: Fixture
let work: Work
let server: SmartServer
let copies = 0

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  work = await buildWork(fixture)
  work.commit({ 'README.md': '# One\n' })
  work.commit({ 'README.md': '# Two\n' })
  server = await startSmartServer(fixture.git, work.repository)
})
afterEach(() => server.close())

async function clone(flags: string[] = []) {
  copies += 1
  const folder = join(fixture.folder, `copy-${copies}`)
  const result = await runClient([...flags, 'clone', '-q', server.url, folder])
  const run = (args: string[]) =>
    runClient(['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@b', ...args])
  return { folder, run, result }
}

describe('a fetch', () => {
  it.each(['0', '1', '2'])('clones with protocol %s', async (version) => {
    const { folder, result } = await clone(['-c', `protocol.version=${version}`])
    expect(result).toEqual({ code: 0, output: '' })
    const head = runGit(['-C', folder, 'rev-parse', 'HEAD'])
    expect(head).toBe(work.run(['rev-parse', 'main']))
    expect(runGit(['-C', folder, 'fsck'])).toBe('')
  })

  it('clones part of the history, and fetches the rest', async () => {
    const folder = join(fixture.folder, 'shallow')
    await runClient(['clone', '-q', '--depth=1', server.url, folder])
    expect(runGit(['-C', folder, 'rev-list', '--count', 'HEAD'])).toBe('1')
    await runClient(['-C', folder, 'fetch', '-q', '--unshallow'])
    expect(runGit(['-C', folder, 'rev-list', '--count', 'HEAD'])).toBe('2')
    const bare = join(fixture.folder, 'partial')
    const partial = await runClient([
      'clone',
      '-q',
      '--bare',
      '--filter=blob:none',
      server.url,
      bare,
    ])
    expect(partial).toEqual({ code: 0, output: '' })
  })

  it('does not advertise internal refs', async () => {
    work.run(['update-ref', 'refs/keep-around/x', 'main'])
    work.run(['update-ref', 'refs/merge-requests/1/head', 'main'])
    const { output } = await runClient(['ls-remote', server.url])
    expect(output).not.toContain('keep-around')
    expect(output).toContain('refs/merge-requests/1/head')
  })

  it('announces the service for protocol 0 only', async () => {
    const head = async (protocol?: string) => {
      const options = protocol === undefined ? {} : { protocol }
      const process = await advertiseFetch(fixture.git, work.repository, options)
      const text = Buffer.concat(await process.stdout.toArray()).toString()
      expect(await process.exit).toMatchObject({ code: 0 })
      return text.slice(0, 38)
    }
    expect(await head()).toMatch(/^001e# service=git-upload-pack\n0000/)
    expect(await head('version=2')).toMatch(/^000eversion 2\n/)
    expect(await head('$(evil)\n')).toMatch(/^001e# service/)
  })

  it('fails with its exit code if there is no repository', async () => {
    const process = await uploadPack(fixture.git, { path: '/nowhere' })
    process.stdin.end()
    process.stdout.resume()
    expect(await process.exit).toMatchObject({
      code: 128,
      stderr: expect.stringContaining('does not appear to be a git repository'),
    })
  })
})

describe('advertisePush', () => {
  it("lists what git's own advertisement does, and nothing else", async () => {
    work.run(['branch', 'a/b'])
    work.run(['tag', '-a', '-m', 'm', 'annotated'])
    work.run(['tag', 'light'])
    work.run(['update-ref', 'refs/keep-around/x', 'main'])
    work.run(['update-ref', 'refs/merge-requests/1/head', 'main'])
    const { path } = work.repository
    const own = runGitRaw(['receive-pack', '--http-backend-info-refs', path])
    const written = Buffer.concat(
      await (await advertisePush(fixture.git, work.repository)).toArray(),
    )
    expect(written.toString()).toBe(`001f# service=git-receive-pack\n0000${own}`)
  })

  it("equals git's own for an empty repository", async () => {
    const { repository } = await buildWork(fixture)
    const own = runGitRaw(['receive-pack', '--http-backend-info-refs', repository.path])
    for (const target of [repository, undefined]) {
      const written = Buffer.concat(await (await advertisePush(fixture.git, target)).toArray())
      expect(written.toString()).toBe(`001f# service=git-receive-pack\n0000${own}`)
    }
  })
})

describe('a push', () => {
  it('creates, moves and deletes branches, and returns the changed refs', async () => {
    const { run } = await clone()
    await run(['commit', '-q', '--allow-empty', '-m', 'three'])
    const first = await run([
      'push',
      '-q',
      '-o',
      'ci.skip',
      'origin',
      'HEAD:main',
      'HEAD:refs/heads/new',
    ])
    expect(first).toEqual({ code: 0, output: '' })
    expect(await resolveCommit(fixture.git, work.repository, 'new')).toBe(
      work.run(['rev-parse', 'main']),
    )
    await run(['push', '-q', 'origin', ':new'])
    expect(await resolveCommit(fixture.git, work.repository, 'new')).toBeUndefined()
    expect(server.pushes.map(({ commands }) => commands.map(({ ref }) => ref))).toEqual([
      ['refs/heads/main', 'refs/heads/new'],
      ['refs/heads/new'],
    ])
    expect(server.pushes[0]?.pushOptions).toEqual(['ci.skip'])
    expect(server.pushes[1]?.commands[0]?.newOid).toBe('0'.repeat(40))
  })

  it('shows the reasons of a refusal to the pusher', async () => {
    server.refuse = ({ commands }) => ({ [commands[0]?.ref ?? '']: 'this branch is\nprotected' })
    const { run } = await clone()
    await run(['commit', '-q', '--allow-empty', '-m', 'three'])
    const before = work.run(['rev-parse', 'main'])
    const { code, output } = await run(['push', 'origin', 'HEAD:main', 'HEAD:other'])
    expect(code).not.toBe(0)
    expect(output).toContain('remote: Ask your maintainer.')
    expect(output).toMatch(/! \[remote rejected\] HEAD -> main \(this branch is protected\)/)
    expect(output).toMatch(/HEAD -> other \(another ref of this push was refused\)/)
    expect(work.run(['rev-parse', 'main'])).toBe(before)
  })

  it('leaves the repository unchanged when it is interrupted', async () => {
    const { folder, run } = await clone()
    await run(['commit', '-q', '--allow-empty', '-m', 'three'])
    const blob = randomBytes(3_000_000)
    runGit(['-C', folder, 'update-ref', 'refs/heads/x', 'HEAD'])
    const oid = runGit(['-C', folder, 'hash-object', '-w', '--stdin'], blob)
    const pack = runGitRaw(['-C', folder, 'pack-objects', '--stdout', '-q'], `${oid}\n`)
    expect(pack.length).toBeGreaterThan(1_000_000)
    const head = work.run(['rev-parse', 'main'])
    const line = `${head} ${oid} refs/heads/main\0 report-status`
    const command = `${(line.length + 5).toString(16).padStart(4, '0')}${line}\n0000`
    const request = httpRequest(`${server.url}/git-receive-pack`, { method: 'POST' })
    request.on('error', () => {})
    request.write(command)
    request.write(pack.subarray(0, 900_000))
    const objects = join(work.repository.path, 'objects')
    const found = () => readdirSync(objects).join()
    await expect.poll(found).toContain('tmp_objdir')
    request.destroy()
    await expect.poll(found).not.toContain('tmp_objdir')
    expect(work.run(['rev-parse', 'main'])).toBe(head)
    expect(work.run(['fsck', '--strict'])).toBe('')
    const { code } = await run(['push', '-q', 'origin', 'HEAD:main'])
    expect(code).toBe(0)
  })

  it('refuses damaged objects', async () => {
    const { folder, run } = await clone()
    const tree = `100644 blob ${runGit(['-C', folder, 'hash-object', '-w', '--stdin'], 'x')}\t.git`
    const bad = runGit(['-C', folder, 'mktree'], tree)
    const oid = runGit(['-C', folder, 'commit-tree', '-m', 'bad', bad])
    const { output } = await run(['push', 'origin', `${oid}:refs/heads/bad`])
    expect(output).toMatch(/hasDotgit/)
    expect(await resolveCommit(fixture.git, work.repository, 'bad')).toBeUndefined()
  })
})

describe('large data', () => {
  it('is streamed without being held in memory', async () => {
    const size = 64 * 1024 * 1024
    const big = await createRepository(fixture.git, join(fixture.folder, 'big.git'), {
      defaultBranch: 'main',
    })
    const { repository, run } = work
    const fast = ['-c', 'core.compression=0', '-c', 'core.fsync=none']
    const oid = run([...fast, 'hash-object', '-w', '--stdin'], randomBytes(size))
    const tree = run(['mktree'], `100644 blob ${oid}\tbig\n`)
    run(['update-ref', 'refs/heads/main', run(['commit-tree', '-m', 'big', tree])])
    run([...fast, 'repack', '-adq'])
    const head = run(['rev-parse', 'main'])
    const held = () => process.memoryUsage().rss
    const before = held()
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, held())
    }, 5)

    const fetch = await uploadPack(fixture.git, repository)
    const want = `want ${head} side-band-64k ofs-delta no-progress`
    fetch.stdin.end(`${(want.length + 5).toString(16).padStart(4, '0')}${want}\n00000009done\n`)
    let bytes = 0
    for await (const chunk of fetch.stdout) bytes += chunk.length
    expect(bytes).toBeGreaterThan(size)

    const target = await startSmartServer(fixture.git, big)
    const pushed = await runClient([
      `--git-dir=${repository.path}`,
      'push',
      '-q',
      target.url,
      'main:refs/heads/main',
    ])
    expect(pushed).toEqual({ code: 0, output: '' })
    expect(await resolveCommit(fixture.git, big, 'main')).toBe(head)
    clearInterval(watch)
    expect(most - before).toBeLessThan(40 * 1024 * 1024)
    await target.close()
  }, 120_000)

  it('kills git when the client disconnects during a fetch', async () => {
    const fetch = await uploadPack(fixture.git, work.repository)
    fetch.stdout.destroy()
    expect(await fetch.exit).toMatchObject({ reason: 'closed' })
  })
})
