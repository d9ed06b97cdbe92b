import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runIn } from '../git.ts'
import { buildWork, type Fixture, openFixture, runGit } from '../testing/fixture.ts'

/** A commit with one file, as many folders deep. */
const depth = 30_000
const deepCommit = `blob
mark :1
data 1
x
commit refs/heads/deep
committer Grace <grace@example.com> 1600000000 +0000
data 1
x
M 100644 :1 ${'d/'.repeat(depth)}f
`

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

describe('folders that are nested too deeply', () => {
  it('end git for what it needs, not for an unknown reason', async () => {
    const { repository } = await buildWork(fixture)
    runGit(['-C', repository.path, 'fast-import', '--quiet'], deepCommit)
    const args = ['diff-tree', '-r', '-t', '--root', 'deep']
    await expect(runIn(fixture.git, repository, args)).rejects.toMatchObject({
      code: 'memory_limit',
    })
  })
})
