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
const count = (tip = '', stored?: { tip: string; count: number }) =>
  countCommits(fixture.git, work.repository, { tip }, async () => stored)

describe('countCommits with a stored count', () => {
  it('walks nothing if the tip is the same', async () => {
    const spawned = fixture.git.spawnCount
    // A wrong number, which shows where the result comes from.
    expect(await count(main[3], { tip: main[3] ?? '', count: 1000 })).toBe(1000)
    expect(fixture.git.spawnCount).toBe(spawned)
    fixture.git.forget(work.repository.path)
  })

  it('adds new commits and subtracts dropped ones', async () => {
    expect(await count(main[3], { tip: main[1] ?? '', count: 1002 })).toBe(1004)
    expect(await count(main[0], { tip: main[1] ?? '', count: 1002 })).toBe(1001)
    fixture.git.forget(work.repository.path)
  })

  it('counts all if the stored tip is missing or not an id', async () => {
    expect(await count(main[2], { tip: missing, count: 1000 })).toBe(3)
    expect(await count(main[1], { tip: '--all', count: 1000 })).toBe(2)
  })

  it('ignores the stored count for a history with a filter', async () => {
    const query = { tip: main[3] ?? '', path: 'file' }
    const stored = async () => ({ tip: main[3] ?? '', count: 1000 })
    expect(await countCommits(fixture.git, work.repository, query, stored)).toBe(4)
  })

  it('counts once for concurrent callers', async () => {
    fixture.git.forget(work.repository.path)
    const spawned = fixture.git.spawnCount
    await Promise.all(Array.from({ length: 20 }, () => count(main[3])))
    expect(fixture.git.spawnCount).toBe(spawned + 1)
  })

  it('rejects a missing commit, and does not cache the failure', async () => {
    for (let time = 0; time < 2; time += 1) {
      await expect(count(missing)).rejects.toMatchObject({ name: 'GitError' })
    }
  })
})
