import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { listRefsByDate } from './ref-dates.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

async function names(work: Work, kind: 'heads' | 'tags'): Promise<string[]> {
  return (await listRefsByDate(fixture.git, work.repository, kind)).map(({ name }) => name)
}

describe('listRefsByDate', () => {
  it('sorts by commit date, then by name; refs to other objects come first', async () => {
    const work = await buildWork(fixture)
    const first = work.commit({ 'a.txt': '1' })
    const second = work.commit({ 'a.txt': '2' })
    work.run(['tag', 'z-new', second])
    work.run(['tag', 'b-old', first])
    work.run(['tag', '-a', '-m', 'm', 'a-new', second])
    work.run(['tag', '-a', '-m', 'm', 'nested', 'b-old'])
    work.run(['tag', '-a', '-m', 'm', 'c-old', 'nested'])
    work.run(['tag', 'blob', `${first}:a.txt`])
    expect(await names(work, 'tags')).toEqual([
      'blob',
      'b-old',
      'c-old',
      'nested',
      'a-new',
      'z-new',
    ])
    work.run(['branch', 'old', first])
    expect(await names(work, 'heads')).toEqual(['old', 'main'])
  })

  it('notices a ref that moves', async () => {
    const work = await buildWork(fixture)
    const first = work.commit({ 'a.txt': '1' })
    work.run(['tag', 'a', first])
    const second = work.commit({ 'a.txt': '2' })
    work.run(['tag', 'b', second])
    expect(await names(work, 'tags')).toEqual(['a', 'b'])
    work.run(['tag', '-f', 'a', work.commit({ 'a.txt': '3' })])
    expect(await names(work, 'tags')).toEqual(['b', 'a'])
  })

  it('runs git once for many refs, and not again while nothing changes', async () => {
    const work = await buildWork(fixture)
    const commits = Array.from({ length: 210 }, () => '')
    const script = commits.map((_, at) => {
      const date = 1_600_000_000 - at
      return `commit refs/tags/t${at}\ncommitter A <a@x> ${date} +0000\ndata 0\n`
    })
    work.run(['fast-import', '--quiet'], script.join(''))
    const first = await names(work, 'tags')
    expect(first.slice(0, 2)).toEqual(['t209', 't208'])
    expect(first).toHaveLength(210)
    const before = fixture.git.spawnCount
    await names(work, 'tags')
    expect(fixture.git.spawnCount).toBe(before)
  })
})
