import { afterAll, beforeAll, expect, it } from 'vitest'
import { updateRef } from '../refs/refs.ts'
import { buildWork, type Fixture, openFixture } from '../testing/fixture.ts'
import { runProcess } from '../testing/processes/run-process.ts'
import { createCommit } from './write.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

it('writes objects while git removes empty folders', async () => {
  const work = await buildWork(fixture)
  const git = async (...args: string[]) => {
    const gitDir = `--git-dir=${work.repository.path}`
    const { code } = await runProcess({ file: 'git', args: [gitDir, ...args] })
    expect(code).toBe(0)
  }
  let ended = false
  // Like the housekeeping of a repository, only without a pause.
  const clear = async () => {
    while (!ended) {
      await git('repack', '-adq', '--keep-unreachable')
      await git('prune-packed', '-q')
    }
  }
  const clearing = clear()
  const person = { name: 'A', email: 'a@example.com' }
  let base = work.commit({ first: '1' })
  try {
    for (let round = 0; round < 100; round += 1) {
      const content = Buffer.from(`${round}`)
      const changes = [{ kind: 'write' as const, path: `f${round}`, content }]
      const request = { base, parents: [base], changes, message: 'm', author: person }
      base = await createCommit(fixture.git, work.repository, request)
      await updateRef(fixture.git, work.repository, 'refs/heads/main', base)
    }
  } finally {
    ended = true
    await clearing
  }
  expect(work.run(['fsck', '--strict'])).not.toMatch(/missing|broken/)
})
