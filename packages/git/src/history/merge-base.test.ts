import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { findCommonAncestor, findMergeBase } from './merge-base.ts'

let fixture: Fixture
let work: Work

beforeAll(async () => {
  fixture = await openFixture()
  work = await buildWork(fixture)
})
afterAll(() => fixture.close())

function branchOff(name: string, from: string): string {
  work.run(['checkout', '-q', '-B', name, from])
  return work.commit({ [name]: name })
}

describe('findCommonAncestor', () => {
  it('finds the best ancestor of all commits', async () => {
    const root = work.commit({ a: '1' })
    const middle = work.commit({ a: '2' })
    const [one, two, far] = [
      branchOff('one', middle),
      branchOff('two', middle),
      branchOff('far', root),
    ]
    const find = (...oids: string[]) => findCommonAncestor(fixture.git, work.repository, oids)
    expect(await find(one, two)).toBe(middle)
    expect(await find(one, two, far)).toBe(root)
    expect(await find(one, one)).toBe(one)
    expect(await find(one, middle)).toBe(middle)
    expect(await findMergeBase(fixture.git, work.repository, two, far)).toBe(root)
    work.run(['checkout', '-q', '--orphan', 'alone'])
    const alone = work.commit({ b: '1' })
    expect(await find(one, alone)).toBeUndefined()
    expect(await find(one, two, alone)).toBeUndefined()
  })

  it('accepts full ids only', async () => {
    const find = (oids: string[]) => findCommonAncestor(fixture.git, work.repository, oids)
    for (const oids of [[], ['--all'], ['main', 'main'], ['f'.repeat(40), '-x']]) {
      await expect(find(oids)).rejects.toMatchObject({ code: 'invalid' })
    }
    const missing = find(['f'.repeat(40), 'e'.repeat(40)])
    await expect(missing).rejects.toMatchObject({ code: 'not_found' })
  })
})
