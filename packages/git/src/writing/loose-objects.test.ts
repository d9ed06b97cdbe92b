import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture } from '../testing/fixture.ts'
import { createCommit } from '../write.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

it('writes objects while git clears emptied folders away', async () => {
  const work = await buildWork(fixture)
  let ended = false
  const clear = async () => {
    while (!ended) {
      // As the upkeep of a repository does, only without a pause.
      work.run(['repack', '-adq', '--keep-unreachable'])
      work.run(['prune-packed', '-q'])
      await delay(1)
    }
  }
  const clearing = clear()
  const person = { name: 'A', email: 'a@example.com' }
  let base = work.commit({ first: '1' })
  try {
    for (let round = 0; round < 60; round += 1) {
      const content = Buffer.from(`${round}`)
      const changes = [{ kind: 'write' as const, path: `f${round}`, content }]
      const request = { base, parents: [base], changes, message: 'm', author: person }
      base = await createCommit(fixture.git, work.repository, request)
      work.run(['update-ref', 'refs/heads/main', base])
    }
  } finally {
    ended = true
    await clearing
  }
  expect(work.run(['fsck', '--strict'])).not.toMatch(/missing|broken/)
})
