import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { countCommits } from './commit-count.ts'

let fixture: Fixture
let work: Work
let main: string[]
beforeAll(async () => {
  fixture = await openFixture()
  work = await buildWork(fixture)
  main = [1, 2, 3, 4].map((number) => work.commit({ file: String(number) }, 'commit'))
})
afterAll(() => fixture.close())

const missing = 'd'.repeat(40)
const count = (tip = '', kept?: { tip: string; count: number }) =>
  countCommits(fixture.git, work.repository, { tip }, async () => kept)

describe('countCommits with a kept count', () => {
  it('walks nothing where the tip is the same', async () => {
    const spawned = fixture.git.spawnCount
    // Not the truth, so that it shows where the number comes from.
    expect(await count(main[3], { tip: main[3] ?? '', count: 1000 })).toBe(1000)
    expect(fixture.git.spawnCount).toBe(spawned)
    fixture.git.forget(work.repository.path)
  })

  it('adds what is new and takes off what is gone', async () => {
    expect(await count(main[3], { tip: main[1] ?? '', count: 1002 })).toBe(1004)
    expect(await count(main[0], { tip: main[1] ?? '', count: 1002 })).toBe(1001)
    fixture.git.forget(work.repository.path)
  })

  it('counts all where the kept tip is gone or no id', async () => {
    expect(await count(main[2], { tip: missing, count: 1000 })).toBe(3)
    expect(await count(main[1], { tip: '--all', count: 1000 })).toBe(2)
  })

  it('is of no use to a history with a filter', async () => {
    const query = { tip: main[3] ?? '', path: 'file' }
    const kept = async () => ({ tip: main[3] ?? '', count: 1000 })
    expect(await countCommits(fixture.git, work.repository, query, kept)).toBe(4)
  })

  it('counts once for all who ask at the same time', async () => {
    fixture.git.forget(work.repository.path)
    const spawned = fixture.git.spawnCount
    await Promise.all(Array.from({ length: 20 }, () => count(main[3])))
    expect(fixture.git.spawnCount).toBe(spawned + 1)
  })

  it('tells of a commit that is missing, and forgets it', async () => {
    for (let time = 0; time < 2; time += 1) {
      await expect(count(missing)).rejects.toMatchObject({ name: 'GitError' })
    }
  })
})
