import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Repository } from '../git.ts'
import { runHousekeeping } from '../housekeeping/housekeeping.ts'
import { listRefs } from '../refs/refs.ts'
import { removeRepository, setHead } from '../repository.ts'
import { buildWork, type Fixture, openFixture, runGit, type Work } from '../testing/fixture.ts'
import { forkRepository } from './fork-repository.ts'
import type * as LinkFile from './link-file.ts'

/** What happens after each link, while a fork is made. */
let afterLink: (name: string) => void = () => undefined
afterEach(() => {
  afterLink = () => undefined
})
vi.mock('./link-file.ts', async (importOriginal) => {
  const { linkFile } = await importOriginal<typeof LinkFile>()
  return {
    async linkFile(from: string, to: string) {
      const isLinked = await linkFile(from, to)
      afterLink(from)
      return isLinked
    },
  }
})

let fixture: Fixture

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

let forks = 0
function pathOfFork(folder = join(fixture.folder, 'forks')): string {
  forks += 1
  return join(folder, `fork-${forks}.git`)
}

const fork = (source: Repository, path = pathOfFork(), defaultBranch = 'main') =>
  forkRepository(fixture.git, source, path, { defaultBranch })

const gitIn = ({ path }: Repository, ...args: string[]) => runGit([`--git-dir=${path}`, ...args])
/** Every object that a ref reaches is there and intact, and so is the commit graph. */
const check = (repository: Repository) =>
  gitIn(repository, 'fsck', '--strict', '--no-dangling', '--no-progress')
const refsOf = (repository: Repository) =>
  gitIn(repository, 'for-each-ref', '--format=%(refname) %(objectname) %(*objectname)')

/** Packed and loose objects, nested branches, tags of all kinds, and hidden refs. */
async function buildSource(): Promise<Work> {
  const work = await buildWork(fixture)
  work.commit({ a: 'a\n' })
  work.run(['tag', 'light'])
  work.run(['tag', '-a', '-m', 'm', 'annotated'])
  work.run(['tag', '-a', '-m', 'm', 'nested', 'annotated'])
  work.run(['tag', 'of-blob', 'HEAD:a'])
  await runHousekeeping(fixture.git, work.repository, { full: true })
  work.commit({ b: 'b\n' })
  work.run(['branch', 'feature/ä'])
  work.run(['tag', '-a', '-m', 'm', 'loose'])
  work.run(['update-ref', 'refs/keep-around/x', 'HEAD'])
  work.run(['update-ref', 'refs/merge-requests/1/head', 'HEAD'])
  return work
}

/** The names of the files in a folder and below it. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

describe('forkRepository', () => {
  it('copies branches, tags and HEAD, and no hidden refs', async () => {
    const { repository: source } = await buildSource()
    const copy = await fork(source, pathOfFork(), 'feature/ä')
    const visible = refsOf(source)
      .split('\n')
      .filter((line) => /^refs\/(heads|tags)/.test(line))
    expect(refsOf(copy).split('\n')).toEqual(visible)
    expect(gitIn(copy, 'symbolic-ref', 'HEAD')).toBe('refs/heads/feature/ä')
    for (const kind of ['heads', 'tags'] as const) {
      const refs = await listRefs(fixture.git, copy, kind)
      expect(refs.length).toBeGreaterThan(1)
      expect(refs).toEqual(await listRefs(fixture.git, source, kind))
    }
    expect(check(copy)).toBe('')
    // The config is that of a new repository.
    expect(gitIn(copy, 'config', 'receive.fsckObjects')).toBe('true')
  })

  it('writes packed-refs as git does', async () => {
    const { repository: source } = await buildSource()
    const copy = await fork(source)
    const packed = () => runGit(['hash-object', join(copy.path, 'packed-refs')])
    const written = packed()
    // Rewritten by git, with one more ref that is removed again.
    gitIn(copy, 'update-ref', 'refs/heads/other', 'refs/heads/main')
    gitIn(copy, 'pack-refs', '--all')
    gitIn(copy, 'update-ref', '-d', 'refs/heads/other')
    expect(packed()).toBe(written)
  })

  it('shares the files of all objects', async () => {
    const { repository: source } = await buildSource()
    const copy = await fork(source)
    const objects = filesIn(join(copy.path, 'objects'))
    const own = objects.filter((file) => statSync(file).nlink === 1)
    expect(own.map((file) => file.slice(copy.path.length))).toEqual([
      '/objects/info/commit-graphs/commit-graph-chain',
    ])
    expect(objects.some((file) => file.endsWith('.bitmap'))).toBe(true)
    expect(objects.some((file) => file.endsWith('.graph'))).toBe(true)
    expect(objects.some((file) => /objects\/[0-9a-f]{2}\//.test(file))).toBe(true)
  })

  it('forks an empty repository', async () => {
    const { repository: source } = await buildWork(fixture)
    const copy = await fork(source, pathOfFork(), 'trunk')
    expect(refsOf(copy)).toBe('')
    expect(gitIn(copy, 'symbolic-ref', 'HEAD')).toBe('refs/heads/trunk')
  })

  it('copies the files to another file system', async () => {
    const [other] = ['/dev/shm', tmpdir()].filter(
      (folder) => existsSync(folder) && statSync(folder).dev !== statSync(fixture.folder).dev,
    )
    if (other === undefined) return
    const folder = mkdtempSync(join(other, 'fork-test-'))
    try {
      const { repository: source } = await buildSource()
      const copy = await fork(source, pathOfFork(folder))
      expect(check(copy)).toBe('')
      expect(filesIn(join(copy.path, 'objects')).every((file) => statSync(file).nlink === 1)).toBe(
        true,
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('a fork', () => {
  it('loses nothing when the source is rewritten, pruned and removed', async () => {
    const work = await buildSource()
    const copy = await fork(work.repository)
    const before = refsOf(copy)
    for (const ref of gitIn(work.repository, 'for-each-ref', '--format=%(refname)').split('\n')) {
      work.run(['update-ref', '-d', ref])
    }
    work.run(['checkout', '-q', '--orphan', 'fresh'])
    work.commit({ c: 'c\n' })
    gitIn(work.repository, 'gc', '--quiet', '--prune=now')
    expect(check(copy)).toBe('')
    await removeRepository(fixture.git, work.repository)
    expect(check(copy)).toBe('')
    expect(refsOf(copy)).toBe(before)
  })

  it('takes nothing from the source when it is rewritten, pruned and removed', async () => {
    const { repository: source } = await buildSource()
    const copy = await fork(source)
    const before = refsOf(source)
    for (const ref of gitIn(copy, 'for-each-ref', '--format=%(refname)').split('\n')) {
      gitIn(copy, 'update-ref', '-d', ref)
    }
    gitIn(copy, 'gc', '--quiet', '--prune=now')
    expect(filesIn(join(copy.path, 'objects')).filter((file) => file.endsWith('.pack'))).toEqual([])
    expect(check(source)).toBe('')
    await removeRepository(fixture.git, copy)
    expect(check(source)).toBe('')
    expect(refsOf(source)).toBe(before)
  })

  it('is complete while the source is pushed to and repacked', async () => {
    const work = await buildSource()
    let isDone = false
    const upkeep = (async () => {
      for (let turn = 0; !isDone; turn += 1) {
        work.commit({ [`file${turn % 3}`]: randomBytes(100) })
        await runHousekeeping(fixture.git, work.repository, { full: turn % 2 === 0 })
      }
    })()
    const copies: Repository[] = []
    for (let count = 0; count < 12; count += 1) copies.push(await fork(work.repository))
    isDone = true
    await upkeep
    for (const copy of copies) expect(check(copy)).toBe('')
    // The source did change in between.
    expect(new Set(copies.map(refsOf)).size).toBeGreaterThan(1)
  })

  it('has only complete branches when one is deleted and pruned while packs are linked', async () => {
    const work = await buildWork(fixture)
    const { repository: source } = work
    work.commit({ a: 'a\n' })
    work.run(['tag', 'start'])
    const [first, second] = ['b', 'c'].map((name) => {
      work.run(['checkout', '-q', '-b', name, 'start'])
      const commit = work.commit({ [name]: `${name}\n` })
      return { commit, tree: gitIn(source, 'rev-parse', `${commit}^{tree}`) }
    })
    work.run(['checkout', '-q', 'main'])
    // Whichever pack is linked first, it has both tips, and lacks the tree of one.
    const pack = (ids: (string | undefined)[]) =>
      runGit(
        [`--git-dir=${source.path}`, 'pack-objects', '-q', join(source.path, 'objects/pack/pack')],
        ids.join('\n'),
      )
    pack([first?.commit, second?.commit, first?.tree])
    pack([first?.commit, second?.commit, second?.tree])
    gitIn(source, 'prune-packed')
    afterLink = (name) => {
      if (!name.endsWith('.idx')) return
      afterLink = () => undefined
      work.run(['branch', '-q', '-D', 'b', 'c'])
      gitIn(source, '-c', 'gc.reflogExpireUnreachable=now', 'gc', '--quiet', '--prune=now')
    }
    const copy = await fork(source)
    expect(check(copy)).toBe('')
    expect(refsOf(copy)).toBe(refsOf(source))
  })

  it('has the refs of one moment when they move all the time', async () => {
    const work = await buildSource()
    work.commit({ a: 'only on main\n' })
    afterLink = (name) => {
      if (name.endsWith('.idx')) work.commit({ a: randomBytes(20) })
    }
    const copy = await fork(work.repository)
    afterLink = () => undefined
    expect(check(copy)).toBe('')
    const head = gitIn(copy, 'rev-parse', 'main')
    expect(gitIn(work.repository, 'merge-base', head, 'main')).toBe(head)
  })

  it('can be forked, pushed to and housekept like any other repository', async () => {
    const { repository: source } = await buildSource()
    const middle = await fork(source)
    const copy = await fork(middle)
    await removeRepository(fixture.git, middle)
    await runHousekeeping(fixture.git, copy, { full: true })
    expect(check(copy)).toBe('')
    await setHead(fixture.git, copy, 'feature/ä')
    gitIn(copy, 'update-ref', '-d', 'refs/heads/main')
    expect(gitIn(copy, 'rev-parse', 'HEAD')).toBe(gitIn(source, 'rev-parse', 'refs/heads/main'))
  })
})

describe('forkRepository fails and leaves nothing', () => {
  const namesBeside = (path: string) => readdirSync(join(path, '..'))

  it('without a source', async () => {
    const path = pathOfFork()
    const missing = { path: join(fixture.folder, 'missing.git') }
    await expect(fork(missing, path)).rejects.toMatchObject({ code: 'not_found' })
    expect(namesBeside(path).filter((name) => name.endsWith('.new'))).toEqual([])
  })

  it('when the path is taken', async () => {
    const { repository: source } = await buildSource()
    const copy = await fork(source)
    await expect(fork(source, copy.path)).rejects.toMatchObject({ code: 'conflict' })
    expect(check(copy)).toBe('')
  })

  it('when a ref of the source names a missing object', async () => {
    const { repository: source } = await buildSource()
    writeFileSync(join(source.path, 'refs', 'heads', 'broken'), `${'1'.repeat(40)}\n`)
    const path = pathOfFork()
    await expect(fork(source, path)).rejects.toMatchObject({ code: 'corrupt' })
    expect(namesBeside(path).filter((name) => name.endsWith('.new'))).toEqual([])
    expect(existsSync(path)).toBe(false)
  })

  it('or completes, when the source is removed meanwhile', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const { repository: source } = await buildSource()
      const path = pathOfFork()
      const [made] = await Promise.allSettled([
        fork(source, path),
        new Promise((resolve) => setTimeout(resolve, 2 * turn)).then(() =>
          removeRepository(fixture.git, source),
        ),
      ])
      if (made.status === 'fulfilled') expect(check(made.value)).toBe('')
      else expect(made.reason).toMatchObject({ code: 'not_found' })
      expect(existsSync(path)).toBe(made.status === 'fulfilled')
    }
  })
})
