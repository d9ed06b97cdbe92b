import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { listNewCommits, type NewCommitsQuery } from './new-commits.ts'

let fixture: Fixture
let work: Work
let root: string
let main: string
/** Two commits on top of the root, beside `main`. */
let topic: readonly [string, string]
beforeAll(async () => {
  fixture = await openFixture()
  work = await buildWork(fixture)
  root = work.commit({ 'a.txt': 'one\n' }, 'root')
  main = work.commit({}, 'main')
  work.run(['checkout', '-q', '-f', '-B', 'topic', root])
  topic = [work.commit({}, 'first'), work.commit({}, 'second')]
})
afterAll(() => fixture.close())

const missing = 'e'.repeat(40)
const list = (query: Partial<NewCommitsQuery>) =>
  listNewCommits(fixture.git, work.repository, { tips: [], known: [], limit: 10, ...query })

describe('listNewCommits', () => {
  it('lists commits reachable from the tips but not from known commits, newest first', async () => {
    const [first, second] = topic
    expect(await list({ tips: [second], known: [main] })).toEqual([second, first])
    expect(await list({ tips: [second], known: [main, first] })).toEqual([second])
    expect(await list({ tips: [second], known: [main, second] })).toEqual([])
    const both = await list({ tips: [second, main], known: [root] })
    expect(both.toSorted()).toEqual([first, second, main].toSorted())
    expect(await list({ tips: [second], limit: 1 })).toEqual([second])
    expect(await list({})).toEqual([])
  })

  it('ignores missing commits, and rejects invalid ids', async () => {
    const [first] = topic
    expect(await list({ tips: [missing, first], known: [missing, root] })).toEqual([first])
    expect(await list({ tips: [missing] })).toEqual([])
    for (const name of ['--all', 'main', '^main', '']) {
      await expect(list({ tips: [name] })).rejects.toMatchObject({ code: 'invalid' })
      await expect(list({ known: [name] })).rejects.toMatchObject({ code: 'invalid' })
    }
  })
})
