import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildWork,
  type Fixture,
  openFixture,
  seededRandom,
  type Work,
} from '../testing/fixture.ts'
import { countRanges } from './range-counts.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

/**
 * A history with merges, as commands of fast-import; `skew` is the error of the clocks in seconds.
 */
function history(commits: number, skew: number): string {
  const random = seededRandom(7 + skew)
  const lines: string[] = []
  for (let n = 1; n <= commits; n += 1) {
    const when = 1_600_000_000 + n * 10 - Math.floor(random() * skew)
    lines.push(`commit refs/heads/b${n}`, `mark :${n}`)
    lines.push(`committer A <a@b> ${when} +0000`, 'data 1', 'x')
    const parent = () => Math.max(1, n - 1 - Math.floor(random() * 4))
    if (n > 1) lines.push(`from :${parent()}`)
    if (n > 6 && random() < 0.3) lines.push(`merge :${n - 6}`)
    lines.push('')
  }
  return `${lines.join('\n')}\n`
}

function oidsOf(work: Work): string[] {
  return work.run(['for-each-ref', '--format=%(objectname)', 'refs/heads']).split('\n')
}

describe('countRanges', () => {
  it.each([0, 60, 400])('counts as git does, with clocks %i seconds wrong', async (skew) => {
    const work = await buildWork(fixture)
    work.run(['fast-import', '--quiet'], history(60, skew))
    const oids = oidsOf(work)
    const random = seededRandom(3)
    const pick = () => oids[Math.floor(random() * oids.length)] ?? ''
    const ranges = Array.from({ length: 60 }, () => ({ tip: pick(), notReachableFrom: pick() }))
    const expected = ranges.map(({ tip, notReachableFrom }) =>
      Number(work.run(['rev-list', '--count', tip, `^${notReachableFrom}`])),
    )
    expect(await countRanges(fixture.git, work.repository, ranges)).toEqual(expected)
    const few = ranges.slice(0, 5)
    expect(await countRanges(fixture.git, work.repository, few)).toEqual(expected.slice(0, 5))
  })

  it('starts few processes for a thousand branches', async () => {
    const work = await buildWork(fixture)
    work.run(['fast-import', '--quiet'], history(1000, 0))
    const [main = ''] = oidsOf(work)
    const ranges = oidsOf(work).map((tip) => ({ tip, notReachableFrom: main }))
    const before = fixture.git.spawnCount
    const counts = await countRanges(fixture.git, work.repository, ranges)
    expect(counts).toHaveLength(1000)
    expect(fixture.git.spawnCount - before).toBeLessThan(3)
  })

  it('counts whole histories as well, and rejects ids that are not commits', async () => {
    const work = await buildWork(fixture)
    work.run(['fast-import', '--quiet'], history(30, 0))
    const whole = oidsOf(work).map((tip) => ({ tip }))
    const counts = await countRanges(fixture.git, work.repository, whole)
    expect(counts[0]).toBe(1)
    const missing = Array.from({ length: 30 }, () => ({
      tip: 'a'.repeat(40),
      notReachableFrom: whole[0]?.tip ?? '',
    }))
    await expect(countRanges(fixture.git, work.repository, missing)).rejects.toMatchObject({
      code: 'not_found',
    })
    const dash = [{ tip: '--all', notReachableFrom: 'x' }]
    await expect(countRanges(fixture.git, work.repository, dash)).rejects.toMatchObject({
      code: 'invalid',
    })
  })
})
