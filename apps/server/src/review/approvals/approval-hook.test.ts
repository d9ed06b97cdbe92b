import { afterAll, beforeAll, expect, it } from 'vitest'
import { type HookFixture, startHookFixture } from '../../testing/fixtures/hook-fixture.ts'
import { commit, mustGit } from '../../testing/git/git-client.ts'

let fixture: HookFixture
beforeAll(async () => {
  fixture = await startHookFixture()
})
afterAll(() => fixture.close())

it('merge request hooks are triggered by an approval and when it is taken back', async () => {
  const { server } = fixture
  const hooked = await fixture.buildProject()
  await mustGit(hooked.tree, 'checkout', '--quiet', '-b', 'topic')
  await commit(hooked.tree, { 'b.txt': 'b\n' }, 'First')
  await hooked.push('topic')
  await fixture.flush()
  const { iid } = await server.buildMergeRequest(hooked.project, 'topic', 'main')
  await fixture.flush()
  await hooked.hook({ push_events: false, merge_requests_events: true })
  const user = await server.buildUser()
  await server.addMember(`projects/${hooked.project.id}`, user.id, 30)
  for (const [action, triggered] of [
    ['approve', 'approved'],
    ['unapprove', 'unapproved'],
  ]) {
    const path = `/projects/${hooked.project.id}/merge_requests/${iid}/${action}`
    expect((await server.inject('POST', path, { token: user.token })).status).toBe(201)
    expect(await fixture.delivered()).toMatchObject([
      { user: { username: user.username }, object_attributes: { action: triggered } },
    ])
  }
})
