import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { countDivergence } from './divergence.ts'

let fixture: Fixture
let work: Work

beforeAll(async () => {
  fixture = await openFixture()
  work = await buildWork(fixture)
  work.commit({ a: '1' })
  work.run(['branch', 'old'])
  work.run(['checkout', '-q', '-b', 'topic'])
  work.commit({ b: '1' })
  work.commit({ b: '2' })
  work.run(['checkout', '-q', 'main'])
  work.commit({ a: '2' })
})
afterAll(() => fixture.close())

const limits = { waitMs: 60_000, timeoutMs: 60_000 }
const oids = (...names: string[]) => names.map((name) => work.run(['rev-parse', name]))

describe('countDivergence', () => {
  it('counts the commits of each side', async () => {
    const [base = '', ...tips] = oids('main', 'main', 'topic', 'old')
    expect(await countDivergence(fixture.git, work.repository, base, tips, limits)).toEqual([
      { ahead: 0, behind: 0 },
      { ahead: 2, behind: 1 },
      { ahead: 0, behind: 1 },
    ])
  })

  it('counts what is far away with one process, and none when cached', async () => {
    const far = await buildWork(fixture)
    far.commit({ a: '1' })
    far.run(['branch', 'old'])
    const parent = far.run(['rev-parse', 'HEAD'])
    const person = 'Ada <ada@example.com>'
    const commits = Array.from({ length: 6000 }, (_, at) => {
      const from = at === 0 ? `from ${parent}\n` : ''
      return `commit refs/heads/main\ncommitter ${person} ${1_600_000_000 + at} +0000\ndata 1\nx\n${from}`
    })
    far.run(['fast-import', '--quiet', '--force'], commits.join(''))
    const [base = '', tip = ''] = ['main', 'old'].map((name) => far.run(['rev-parse', name]))
    const before = fixture.git.spawnCount
    const count = () => countDivergence(fixture.git, far.repository, base, [tip], limits)
    expect(await count()).toEqual([{ ahead: 0, behind: 6000 }])
    // One that counts, and one that reads objects.
    expect(fixture.git.spawnCount - before).toBeLessThanOrEqual(2)
    const counted = fixture.git.spawnCount
    await count()
    expect(fixture.git.spawnCount).toBe(counted)
  })

  it('leaves out what is not counted in time', async () => {
    const other = await buildWork(fixture)
    other.commit({ a: '1' })
    const tip = other.run(['rev-parse', 'HEAD'])
    other.commit({ a: '2' })
    const base = other.run(['rev-parse', 'HEAD'])
    const late = { ...limits, waitMs: 0 }
    expect(await countDivergence(fixture.git, other.repository, base, [tip], late)).toEqual([
      undefined,
    ])
  })
})
