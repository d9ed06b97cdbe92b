import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { changedPaths } from './changed-paths.ts'

let fixture: Fixture
let work: Work

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  work = await buildWork(fixture)
})

const changes = async (oids: string[], limits = {}) =>
  Object.fromEntries(await changedPaths(fixture.git, work.repository, oids, limits))

describe('changedPaths', () => {
  it('lists added, modified and removed files of all commits with one process', async () => {
    const first = work.commit({ a: '1\n', 'dir/b': '2\n', c: '3\n' })
    const second = work.commit({
      a: '1 1\n',
      'dir/b': undefined,
      d: '2\n',
      c: undefined,
      'x/c': '3\n',
    })
    const empty = work.commit({})
    const before = fixture.git.spawnCount
    expect(await changes([empty, second, first])).toEqual({
      [first]: { added: ['a', 'c', 'dir/b'], modified: [], removed: [] },
      [second]: { added: ['d', 'x/c'], modified: ['a'], removed: ['c', 'dir/b'] },
      [empty]: { added: [], modified: [], removed: [] },
    })
    expect(fixture.git.spawnCount - before).toBe(1)
    expect(await changes([])).toEqual({})
    expect(fixture.git.spawnCount - before).toBe(1)
  })

  it('compares a merge with its first parent', async () => {
    work.commit({ a: '1\n' })
    work.run(['checkout', '-q', '-b', 'topic'])
    work.commit({ b: '2\n' })
    work.run(['checkout', '-q', 'main'])
    work.commit({ c: '3\n' })
    work.run(['merge', '-q', '--no-edit', 'topic'])
    const merge = work.run(['rev-parse', 'HEAD'])
    expect((await changes([merge]))[merge]).toEqual({ added: ['b'], modified: [], removed: [] })
  })

  it('accepts any path: dashes, line breaks, quotes, other scripts', async () => {
    const names = ['--all', '-x', 'a\nb', '"q"', 'ä/ö', ' space ', 'M', 'tab\t']
    const oid = work.commit(Object.fromEntries(names.map((name) => [name, 'x\n'])))
    expect((await changes([oid]))[oid]?.added.toSorted()).toEqual(names.toSorted())
  })

  it('enforces its limits', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `file-${index}`)
    const first = work.commit(Object.fromEntries(names.map((name) => [name, 'x\n'])))
    const second = work.commit({ other: 'y\n' })
    expect((await changes([first], { maxPaths: 7 }))[first]?.added).toHaveLength(7)
    const cut = await changes([first, second], { maxPaths: 7 })
    expect(cut[second]?.added).toEqual(['other'])
    const long = Array.from({ length: 2000 }, (_, index) => `${'x'.repeat(200)}-${index}`)
    const large = work.commit(Object.fromEntries(long.map((name) => [name, 'x\n'])))
    const ended = await changes([large, first], { maxBytes: 1000 })
    expect(ended[large]?.added.length).toBeGreaterThan(0)
    expect(ended).not.toHaveProperty(first)
  })

  it('rejects a name that is not a full id, and a missing commit', async () => {
    for (const oid of ['main', '--all', '-x', 'abc']) {
      await expect(changes([oid])).rejects.toMatchObject({ code: 'invalid' })
    }
    await expect(changes(['1'.repeat(40)])).rejects.toMatchObject({ code: 'not_found' })
  })
})
