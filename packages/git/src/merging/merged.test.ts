import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listRefs, updateRef } from '../refs/refs.ts'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { findMerged } from './merged.ts'

let fixture: Fixture
let work: Work

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  work = await buildWork(fixture)
})

/** Names of the branches that are merged into `main`, itself included. */
async function merged(): Promise<string[]> {
  const refs = await listRefs(fixture.git, work.repository, 'heads')
  const head = work.run(['rev-parse', 'main'])
  const found = await findMerged(fixture.git, work.repository, head, refs)
  return refs.filter(({ oid }) => found.has(oid)).map(({ name }) => name)
}

async function spawned(action: () => Promise<unknown>): Promise<number> {
  const before = fixture.git.spawnCount
  await action()
  return fixture.git.spawnCount - before
}

const move = (name: string, to: string) =>
  updateRef(fixture.git, work.repository, `refs/heads/${name}`, to)

describe('findMerged', () => {
  it('finds merged branches with one process, then with none', async () => {
    const first = work.commit({ a: '1' })
    const second = work.commit({ a: '2' })
    for (const name of ['old', '-dash', 'deep/er']) await move(name, first)
    await move('same', second)
    work.run(['checkout', '-q', '-b', 'topic', first])
    work.commit({ b: '1' })
    work.run(['checkout', '-q', '--orphan', 'alone'])
    work.commit({ c: '1' })
    work.run(['checkout', '-q', 'main'])
    const expected = ['-dash', 'deep/er', 'main', 'old', 'same']
    await listRefs(fixture.git, work.repository, 'heads')
    expect(await merged()).toEqual(expected)
    expect(await spawned(async () => expect(await merged()).toEqual(expected))).toBe(0)
  })

  it('reuses cached results when the head moves forward, and reads only new commits', async () => {
    const first = work.commit({ a: '1' })
    await move('old', first)
    work.run(['checkout', '-q', '-b', 'topic'])
    work.commit({ b: '1' })
    work.run(['checkout', '-q', '-b', 'other', first])
    work.commit({ c: '1' })
    work.run(['checkout', '-q', 'main'])
    work.commit({ a: '2' })
    expect(await merged()).toEqual(['main', 'old'])
    work.run(['merge', '-q', '--no-ff', '-m', 'merge', 'topic'])
    expect(await merged()).toEqual(['main', 'old', 'topic'])
    const tip = work.run(['rev-parse', 'main'])
    await move('behind', tip)
    work.commit({ a: '3' })
    expect(await merged()).toEqual(['behind', 'main', 'old', 'topic'])
  })

  it('drops cached results when the head loses commits', async () => {
    const first = work.commit({ a: '1' })
    const second = work.commit({ a: '2' })
    await move('old', second)
    work.commit({ a: '3' })
    expect(await merged()).toEqual(['main', 'old'])
    work.run(['reset', '-q', '--hard', first])
    work.commit({ a: '4' })
    expect(await merged()).toEqual(['main'])
  })

  it('agrees with git for many branches after arbitrary moves', async () => {
    const oids = Array.from({ length: 6 }, (_, index) => work.commit({ a: String(index) }))
    for (let index = 0; index < 250; index += 1) {
      await move(`b${index}`, oids[index % oids.length] ?? '')
    }
    work.run(['checkout', '-q', '-b', 'side', oids[2] ?? ''])
    const side = [work.commit({ s: '1' }), work.commit({ s: '2' })]
    work.run(['checkout', '-q', 'main'])
    for (const step of ['', 'merge', 'commit', 'reset', 'commit'] as const) {
      if (step === 'merge') work.run(['merge', '-q', '-m', 'm', side[0] ?? ''])
      if (step === 'commit') work.commit({ [`f${Math.random()}`]: 'x' })
      if (step === 'reset') work.run(['reset', '-q', '--hard', oids[3] ?? ''])
      await move('b7', side[step === 'merge' ? 0 : 1] ?? '')
      const output = work.run(['branch', '--merged', 'main', '--format=%(refname:short)'])
      expect([step, await merged()]).toEqual([step, output.split('\n')])
    }
  })

  it('rejects invalid ids', async () => {
    const find = findMerged(fixture.git, work.repository, '--all', [])
    await expect(find).rejects.toMatchObject({ code: 'invalid' })
  })
})
