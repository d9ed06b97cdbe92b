import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { maxObjectBytes } from './object-reader.ts'
import { readLimits } from './read-limits.ts'
import { readCommit, readCommits, readTag, readWholeCommit, readWholeTag } from './text-object.ts'

let fixture: Fixture
let work: Work
let tree: string

const who = 'Ada <ada@example.com> 1700000000 +0000'

beforeAll(async () => {
  fixture = await openFixture()
  work = await buildWork(fixture)
  work.commit({ a: 'a\n' })
  tree = work.run(['rev-parse', 'HEAD^{tree}'])
})
afterAll(() => fixture.close())

interface Written {
  message?: string
  author?: string
  parents?: readonly string[]
}

function write({ message = '', author = who, parents = [] }: Written): string {
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)]
  const text = [...lines, `author ${author}`, `committer ${who}`, '', message].join('\n')
  return work.run(['hash-object', '-w', '-t', 'commit', '--stdin', '--literally'], text)
}

const read = (oid: string) => readCommit(fixture.git, work.repository, oid)
const readWhole = (oid: string) => readWholeCommit(fixture.git, work.repository, oid)

describe('readCommit', () => {
  it.each([20_000, 200_000, 7_000_000])('cuts a message of %d bytes', async (length) => {
    const oid = write({ message: `Title\n\n${'x'.repeat(length)}` })
    const commit = await read(oid)
    expect(commit?.title).toBe('Title')
    expect(Buffer.byteLength(commit?.message ?? '')).toBe(readLimits.listedMessageBytes + 3)
    expect(commit?.message.endsWith('x…')).toBe(true)
    const whole = await readWhole(oid)
    const expected = Math.min(length + 7, readLimits.messageBytes + 3)
    expect(Buffer.byteLength(whole?.message ?? '')).toBe(expected)
  })

  it('never cuts within a character', async () => {
    for (const indent of ['', 'a', 'aa', 'aaa']) {
      const message = indent + '😀'.repeat(10_000)
      const cut = (await read(write({ message })))?.message ?? ''
      expect(cut).toMatch(/^a*(?:😀)+…$/u)
    }
  })

  it('cuts titles, names and addresses', async () => {
    const author = `${'N'.repeat(500_000)} <${'e'.repeat(500_000)}> 1700000000 +0100`
    const oid = write({ author, message: 't'.repeat(5000) })
    const commit = await read(oid)
    expect(commit?.title).toBe(`${'t'.repeat(readLimits.fieldLength - 1)}…`)
    expect(commit?.author.name).toBe(`${'N'.repeat(readLimits.fieldLength - 1)}…`)
    expect(commit?.author.date).toBe('2023-11-14T23:13:20.000+01:00')
    expect(commit?.committer.name).toBe('Ada')
  })

  it('reads the first of many parents, and who wrote it', async () => {
    const base = write({})
    const commit = await read(write({ parents: Array.from({ length: 100_000 }, () => base) }))
    expect(commit?.parents).toEqual(Array.from({ length: readLimits.parents }, () => base))
    expect(commit).toMatchObject({ hasMoreParents: true, tree, author: { name: 'Ada' } })
    const few = await read(write({ parents: [base, base] }))
    expect(few?.parents).toEqual([base, base])
    expect(few).not.toHaveProperty('hasMoreParents')
  })

  it('reads the start of a commit over the limit of an object, once', async () => {
    const oid = write({ message: `Title\n\n${'x'.repeat(maxObjectBytes)}` })
    const commit = await read(oid)
    expect(commit).toMatchObject({ oid, title: 'Title', tree, author: { name: 'Ada' } })
    expect(commit?.message).toHaveLength(readLimits.listedMessageBytes + 1)
    expect((await readWhole(oid))?.message).toHaveLength(readLimits.messageBytes + 1)
    const before = fixture.git.spawnCount
    expect(await read(oid)).toEqual(commit)
    expect(fixture.git.spawnCount).toBe(before)
  })

  it('reads what it can of a commit whose headers exceed the limit', async () => {
    const base = write({})
    const parents = Array.from({ length: 200_000 }, () => base)
    const commit = await read(write({ parents }))
    expect(commit).toMatchObject({ tree, hasMoreParents: true, message: '' })
  })

  it('caches what it parsed of a large commit, and not its content', async () => {
    const oid = write({ message: 'y'.repeat(5_000_000) })
    const { cache } = fixture.git.parts
    const before = cache.bytes
    await read(oid)
    const used = cache.bytes
    expect(await read(oid)).toBe(await read(oid))
    expect(cache.bytes).toBe(used)
    expect(used - before).toBeLessThan(100_000)
  })
})

describe('readTag', () => {
  it('cuts the message, unless the tag is requested as a whole', async () => {
    const commit = write({})
    const text = `object ${commit}\ntype commit\ntag v1\ntagger ${who}\n\n${'m'.repeat(50_000)}`
    const oid = work.run(['hash-object', '-w', '-t', 'tag', '--stdin'], text)
    const tag = await readTag(fixture.git, work.repository, oid)
    expect(tag?.message).toBe(`${'m'.repeat(readLimits.listedMessageBytes)}…`)
    const whole = await readWholeTag(fixture.git, work.repository, oid)
    expect(whole?.message).toHaveLength(50_000)
  })
})

describe('readCommits', () => {
  it('stops before the commit that exceeds the limit, and leaves out missing ones', async () => {
    const oids = Array.from({ length: 5 }, (_, at) => write({ message: `${at}`.repeat(1000) }))
    const all = [...oids.slice(0, 2), 'f'.repeat(40), ...oids.slice(2)]
    const readAll = async (maxBytes: number) =>
      (await readCommits(fixture.git, work.repository, all, maxBytes)).map(({ oid }) => oid)
    expect(await readAll(1e9)).toEqual(oids)
    expect(await readAll(4000)).toEqual(oids.slice(0, 3))
    expect(await readAll(10)).toEqual([])
  })

  it('gives others their turn between many commits that are cached', async () => {
    const oids = Array.from<string>({ length: 1000 }).fill(write({ message: 'cached' }))
    await readCommits(fixture.git, work.repository, oids.slice(0, 1), 1e9)
    let turns = 0
    let timer = setImmediate(function count() {
      turns += 1
      timer = setImmediate(count)
    })
    expect(await readCommits(fixture.git, work.repository, oids, 1e9)).toHaveLength(1000)
    clearImmediate(timer)
    expect(turns).toBeGreaterThanOrEqual(3)
  })
})
