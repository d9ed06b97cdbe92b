import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyTreeOid } from '../diffs/diff.ts'
import { buildWork, collect, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { type CommitChangesQuery, changedCommits } from './changed-commits.ts'

let fixture: Fixture
let work: Work
let root: string
let main: string
/** Two commits on top of the root, beside `main`. */
let topic: readonly [string, string]

beforeAll(async () => {
  fixture = await openFixture()
  work = await buildWork(fixture)
  root = work.commit({ 'a.txt': 'one\n' }, 'root')
  main = work.commit({}, 'main')
  work.run(['checkout', '-q', '-f', '-B', 'topic', root])
  topic = [work.commit({}, 'first\n\nBody'), work.commit({}, 'second')]
})
afterAll(() => fixture.close())

const gone = 'e'.repeat(40)

const open = (query: CommitChangesQuery, in_ = work) =>
  changedCommits(fixture.git, in_.repository, query)

/** The commits that were added. */
async function list(query: CommitChangesQuery, in_ = work) {
  const changes = (await collect(open(query, in_))).flat()
  return changes.flatMap((change) => (change.change === 'added' ? [change.commit] : []))
}

/** Imports `count` commits, one on top of the other, and returns the newest. */
function importCommits(in_: Work, count: number): string {
  const commits = Array.from(
    { length: count },
    (_, index) =>
      `commit refs/heads/long\ncommitter A <a@b> ${index} +0000\ndata 8\nm${String(index).padStart(6, '0')}\n`,
  )
  in_.run(['fast-import', '--quiet'], commits.join(''))
  return in_.run(['rev-parse', 'refs/heads/long'])
}

describe('the commits of changedCommits', () => {
  it('have their texts', async () => {
    const [first] = topic
    const [commit] = await list({ from: root, to: first })
    expect(commit).toMatchObject({
      oid: first,
      parents: [root],
      author: { name: 'Ada', email: 'ada@example.com' },
      committer: { name: 'Grace', email: 'grace@example.com' },
      title: 'first',
      message: 'first\n\nBody\n',
    })
    expect(commit?.committer.date).toMatch(/^2020-01-01T\d\d:\d\d:00\.000\+02:00$/)
  })

  it('have their messages cut, and decoded if they are not UTF-8', async () => {
    const write = (message: string | Buffer, headers = '') => {
      const person = 'A <a@b> 0 +0000'
      const head = `tree ${emptyTreeOid}\nauthor ${person}\ncommitter ${person}\n${headers}\n`
      const content = Buffer.concat([Buffer.from(head), Buffer.from(message)])
      return work.run(['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], content)
    }
    const kibibytes = 64 * 1024
    const oids = {
      whole: write('x'.repeat(kibibytes)),
      cut: write(`${'x'.repeat(kibibytes - 1)}é`),
      huge: write('y'.repeat(9 * 1024 * 1024)),
      latin1: write(Buffer.from('caf\xe9', 'latin1'), 'encoding ISO-8859-1\n'),
      nul: write('a\0b'),
    }
    const found = await Promise.all(
      Object.values(oids).map(async (to) => (await list({ from: null, to })).flat()),
    ).then((lists) => lists.flat())
    const messages = new Map(found.map(({ oid, message }) => [oid, message]))
    expect(messages.size).toBe(5)
    expect(messages.get(oids.whole)).toBe('x'.repeat(kibibytes))
    expect(messages.get(oids.cut)).toBe(`${'x'.repeat(kibibytes - 1)}…`)
    expect(messages.get(oids.huge)).toBe(`${'y'.repeat(kibibytes)}…`)
    expect(messages.get(oids.latin1)).toBe('café')
    expect(messages.get(oids.nul)).toBe('a\0b')
  })

  it('come in batches, and git ends when it is aborted or left', async () => {
    const tip = importCommits(work, 20_000)
    const batches = await collect(open({ from: null, to: tip, oldestFirst: true }))
    expect(Math.max(...batches.map((batch) => batch.length))).toBe(100)
    const titles = batches
      .flat()
      .map((change) => (change.change === 'added' ? change.commit.title : ''))
    expect(titles).toEqual(
      Array.from({ length: 20_000 }, (_, index) => `m${String(index).padStart(6, '0')}`),
    )
    fixture.git.forget(work.repository.path)
    await expect.poll(() => fixture.git.processCount).toBe(0)
    const controller = new AbortController()
    const aborted = open({ from: null, to: tip, signal: controller.signal })
    expect((await aborted.next()).value).toHaveLength(100)
    controller.abort()
    await expect(aborted.next()).rejects.toMatchObject({ code: 'aborted' })
    for await (const batch of open({ from: null, to: tip })) {
      expect(batch).toHaveLength(100)
      break
    }
    fixture.git.forget(work.repository.path)
    await expect.poll(() => fixture.git.processCount).toBe(0)
  })

  it('are missed in a history that is damaged', async () => {
    const other = await buildWork(fixture)
    const first = other.commit({}, 'first')
    const second = other.commit({}, 'second')
    const { path } = other.repository
    rmSync(join(path, 'objects', first.slice(0, 2), first.slice(2)))
    await expect(list({ from: null, to: second }, other)).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('changedCommits', () => {
  const changes = async (query: CommitChangesQuery) =>
    (await collect(changedCommits(fixture.git, work.repository, query))).flat()

  it('tells which commits two histories have alone, with one process', async () => {
    const [first, second] = topic
    await list({ from: null, to: root })
    const before = fixture.git.spawnCount
    const moved = await changes({ from: second, to: main })
    expect(fixture.git.spawnCount - before).toBe(1)
    expect(moved.toSorted((one, other) => (one.change < other.change ? -1 : 1))).toEqual([
      { change: 'added', oid: main, commit: expect.objectContaining({ title: 'main' }) },
      { change: 'removed', oid: second },
      { change: 'removed', oid: first },
    ])
    expect(await changes({ from: root, to: second, oldestFirst: true })).toMatchObject([
      { change: 'added', oid: first, commit: { message: 'first\n\nBody\n' } },
      { change: 'added', oid: second },
    ])
    expect(await changes({ from: second, to: root })).toEqual([
      { change: 'removed', oid: second },
      { change: 'removed', oid: first },
    ])
    expect(await changes({ from: main, to: main })).toEqual([])
    expect(await changes({ from: null, to: main })).toMatchObject([
      { change: 'added', oid: main },
      { change: 'added', oid: root },
    ])
  })

  it('tells that a commit is gone, and accepts full ids only', async () => {
    const missing = { code: 'not_found' }
    await expect(changes({ from: gone, to: main })).rejects.toMatchObject(missing)
    await expect(changes({ from: main, to: gone })).rejects.toMatchObject(missing)
    await expect(changes({ from: null, to: gone })).rejects.toMatchObject(missing)
    for (const name of ['main', '--all', '']) {
      await expect(changes({ from: name, to: main })).rejects.toMatchObject({ code: 'invalid' })
      await expect(changes({ from: main, to: name })).rejects.toMatchObject({ code: 'invalid' })
    }
  })
})
