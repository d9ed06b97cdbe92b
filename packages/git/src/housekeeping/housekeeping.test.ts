import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readObject } from '../reading/object-reader.ts'
import { listRefs, resolveCommit } from '../refs/refs.ts'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { runHousekeeping } from './housekeeping.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

function objects({ repository }: Work, folder = ''): string[] {
  return readdirSync(join(repository.path, 'objects', folder))
}

const packs = (work: Work) => objects(work, 'pack').filter((name) => name.endsWith('.pack'))
const loose = (work: Work) => objects(work).filter((name) => name.length === 2)

describe('runHousekeeping', () => {
  it('packs new objects, and leaves large packs unchanged', async () => {
    const work = await buildWork(fixture)
    for (let i = 0; i < 30; i += 1) work.commit({ [`file${i}`]: randomBytes(50) })
    await runHousekeeping(fixture.git, work.repository)
    const [large] = packs(work)
    expect(loose(work)).toEqual([])
    const oid = work.commit({ another: 'x' })
    await runHousekeeping(fixture.git, work.repository)
    expect(packs(work)).toHaveLength(2)
    expect(packs(work)).toContain(large)
    expect(loose(work)).toEqual([])
    expect(await resolveCommit(fixture.git, work.repository, 'main')).toBe(oid)
  })

  it('creates one pack with bitmaps in full mode, and a commit graph with the changed paths', async () => {
    const work = await buildWork(fixture)
    for (let i = 0; i < 3; i += 1) {
      work.commit({ [`file${i}`]: String(i) })
      await runHousekeeping(fixture.git, work.repository)
    }
    await runHousekeeping(fixture.git, work.repository, { full: true })
    expect(packs(work)).toHaveLength(1)
    expect(objects(work, 'pack').some((name) => name.endsWith('.bitmap'))).toBe(true)
    const folder = join(work.repository.path, 'objects', 'info', 'commit-graphs')
    const graphs = readdirSync(folder).filter((name) => name.endsWith('.graph'))
    expect(graphs).toHaveLength(1)
    // The chunk of the changed-path Bloom filters.
    expect(readFileSync(join(folder, graphs[0] ?? '')).includes('BIDX')).toBe(true)
    expect(work.run(['commit-graph', 'verify'])).toBe('')
    expect(work.run(['fsck', '--strict'])).toBe('')
  })

  it('does not disturb concurrent reads, also by a reader with deleted packs open', async () => {
    const work = await buildWork(fixture)
    const oids = Array.from({ length: 20 }, (_, i) => work.commit({ file: String(i) }))
    await runHousekeeping(fixture.git, work.repository)
    const [first = '', ...others] = oids
    expect(await readObject(fixture.git, work.repository, first)).toBeDefined()
    // By another process, as when two servers share a storage: the reader here is not notified.
    work.run(['commit', '-q', '--allow-empty', '-m', 'more'])
    work.run(['repack', '-adq'])
    for (const oid of others) {
      expect(await readObject(fixture.git, work.repository, oid)).toBeDefined()
    }
    const reading = Promise.all(
      oids.flatMap((oid) => [1, 2, 3].map(() => readObject(fixture.git, work.repository, oid))),
    )
    await runHousekeeping(fixture.git, work.repository, { full: true })
    expect((await reading).every(Boolean)).toBe(true)
    expect(await listRefs(fixture.git, work.repository, 'heads')).toHaveLength(1)
  })

  it('prunes unreachable objects after two weeks', async () => {
    const work = await buildWork(fixture)
    work.commit({ file: '1' })
    const lost = work.run(['hash-object', '-w', '--stdin'], 'nobody refers to this')
    await runHousekeeping(fixture.git, work.repository, { full: true })
    expect(work.run(['cat-file', '-t', lost])).toBe('blob')
    const old = new Date(Date.now() - 15 * 86_400_000)
    const again = await buildWork(fixture)
    again.commit({ file: '1' })
    const pruned = again.run(['hash-object', '-w', '--stdin'], 'nor to this')
    utimesSync(
      join(again.repository.path, 'objects', pruned.slice(0, 2), pruned.slice(2)),
      old,
      old,
    )
    await runHousekeeping(fixture.git, again.repository, { full: true })
    expect(() => again.run(['cat-file', '-t', pruned])).toThrow()
  })

  it('leaves refs loose while there is a temporary ref', async () => {
    const work = await buildWork(fixture)
    const oid = work.commit({ file: '1' })
    work.run(['update-ref', 'refs/stithy/commit-1', oid])
    await runHousekeeping(fixture.git, work.repository, { full: true })
    const kept = readdirSync(join(work.repository.path, 'refs', 'stithy'))
    expect(kept).toEqual(['commit-1'])
    work.run(['update-ref', '-d', 'refs/stithy/commit-1'])
    await runHousekeeping(fixture.git, work.repository)
    expect(readdirSync(join(work.repository.path, 'refs', 'heads'))).toEqual([])
  })

  it('accepts an empty repository, and stops when aborted', async () => {
    const work = await buildWork(fixture)
    for (const full of [false, true]) {
      await expect(runHousekeeping(fixture.git, work.repository, { full })).resolves.toBeUndefined()
    }
    const signal = AbortSignal.abort()
    await expect(runHousekeeping(fixture.git, work.repository, { signal })).rejects.toMatchObject({
      code: 'aborted',
    })
  })
})
