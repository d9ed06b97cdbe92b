import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { type ContributorLimits, listContributors } from './contributors.ts'

let fixture: Fixture
let work: Work

beforeAll(async () => {
  fixture = await openFixture()
  work = await buildWork(fixture)
})
afterAll(() => fixture.close())

const generous: ContributorLimits = {
  timeoutMs: 60_000,
  maxOutputBytes: 1e9,
  maxContributors: 1e9,
}

const list = (tip: string, limits: Partial<ContributorLimits> = {}) =>
  listContributors(fixture.git, work.repository, tip, { ...generous, ...limits })

function commitAs(name: string, email: string, at: number): string {
  const date = `@${at} +0000`
  const author = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date }
  const env = { ...author, GIT_COMMITTER_DATE: date }
  work.run(['commit', '-q', '--allow-empty', '-m', 'change'], undefined, env)
  return work.run(['rev-parse', 'HEAD'])
}

describe('listContributors', () => {
  it('counts commits by address under the newest name, without merges', async () => {
    commitAs('Old Ada', 'ada@example.com', 1000)
    const base = commitAs('Björn', 'b@example.com', 2000)
    work.run(['checkout', '-q', '-b', 'side'])
    commitAs('Ada', 'ada@example.com', 3000)
    work.run(['checkout', '-q', '-B', 'main', base])
    work.run(['merge', '-q', '--no-ff', '-m', 'merge', 'side'])
    const tip = work.run(['rev-parse', 'HEAD'])
    expect(await list(tip)).toEqual([
      { name: 'Ada', email: 'ada@example.com', commits: 2, lastCommitAt: 3000 },
      { name: 'Björn', email: 'b@example.com', commits: 1, lastCommitAt: 2000 },
    ])
    expect(await list(base)).toHaveLength(2)
  })

  it('walks once for concurrent callers', async () => {
    const tip = commitAs('Ada', 'ada@example.com', 4000)
    const before = fixture.git.spawnCount
    const [first, second] = await Promise.all([list(tip), list(tip)])
    expect(first).toEqual(second)
    await list(tip)
    expect(fixture.git.spawnCount).toBe(before + 1)
  })

  it('accepts full ids only', async () => {
    await expect(list('--output=/tmp/x')).rejects.toMatchObject({ code: 'invalid' })
    await expect(list('main')).rejects.toMatchObject({ code: 'invalid' })
    await expect(list('f'.repeat(40))).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is ended by its limits, and succeeds with others', async () => {
    const tip = commitAs('Ada', 'ada@example.com', 5000)
    for (const limits of [{ maxOutputBytes: 20 }, { maxContributors: 1 }]) {
      await expect(list(tip, limits)).rejects.toMatchObject({ code: 'output_limit' })
    }
    await expect(list(tip, { timeoutMs: 0.5 })).rejects.toMatchObject({ code: 'timeout' })
    expect(await list(tip)).toHaveLength(2)
  })

  it('cuts long names and addresses', async () => {
    const tip = commitAs('N'.repeat(100_000), `${'e'.repeat(100_000)}@example.com`, 6000)
    const longest = (await list(tip)).toSorted((a, b) => b.name.length - a.name.length)[0]
    expect(longest?.name).toMatch(/^N{250,255}\.\.$/)
    expect(longest?.email).toMatch(/^e{250,255}\.\.$/)
  })
})
