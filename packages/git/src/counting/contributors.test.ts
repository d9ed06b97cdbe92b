import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { listContributors } from './contributors.ts'

let fixture: Fixture
let work: Work

beforeAll(async () => {
  fixture = await openFixture()
  work = await buildWork(fixture)
})
afterAll(() => fixture.close())

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
    expect(await listContributors(fixture.git, work.repository, tip)).toEqual([
      { name: 'Ada', email: 'ada@example.com', commits: 2, lastCommitAt: 3000 },
      { name: 'Björn', email: 'b@example.com', commits: 1, lastCommitAt: 2000 },
    ])
    expect(await listContributors(fixture.git, work.repository, base)).toHaveLength(2)
  })

  it('walks once for concurrent callers', async () => {
    const tip = commitAs('Ada', 'ada@example.com', 4000)
    const before = fixture.git.spawnCount
    const list = () => listContributors(fixture.git, work.repository, tip)
    const [first, second] = await Promise.all([list(), list()])
    expect(first).toEqual(second)
    await list()
    expect(fixture.git.spawnCount).toBe(before + 1)
  })

  it('accepts full ids only', async () => {
    const list = (tip: string) => listContributors(fixture.git, work.repository, tip)
    await expect(list('--output=/tmp/x')).rejects.toMatchObject({ code: 'invalid' })
    await expect(list('main')).rejects.toMatchObject({ code: 'invalid' })
    await expect(list('f'.repeat(40))).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is ended by its limits, and retried afterwards', async () => {
    const tip = commitAs('Ada', 'ada@example.com', 5000)
    const list = (limits?: object) => listContributors(fixture.git, work.repository, tip, limits)
    await expect(list({ maxOutputBytes: 20 })).rejects.toMatchObject({ code: 'output_limit' })
    await expect(list({ timeoutMs: 0.5 })).rejects.toMatchObject({ code: 'timeout' })
    expect(await list()).toHaveLength(2)
  })
})
