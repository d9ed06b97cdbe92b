import { afterAll, beforeAll, expect, it } from 'vitest'
import { actingUser } from '../../directory/authentication/acting-user.ts'
import { loadProject } from '../../directory/projects/project-subject.ts'
import { buildMergeFixture } from '../../testing/git/merge-fixture.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { requireMergeable } from './merge-checks.service.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

it('PUT .../merge: needs the right to merge into the branch that became the target meanwhile', async () => {
  const { app } = server
  const fixture = await buildMergeFixture(server)
  await fixture.git('push', '--quiet', fixture.remote, 'main:refs/heads/free')
  await server.runJobs()
  await fixture.call('PUT', '', { target_branch: 'free' })
  const developer = await server.buildUser()
  await server.addMember(`projects/${fixture.project.id}`, developer.id, 30)
  const caller = await actingUser(app, developer.id)
  const project = caller && (await loadProject(app, String(fixture.project.id), caller))
  if (caller === undefined || project === undefined) throw new Error('no project')
  const item = {
    type: 'merge_request',
    row: await fixture.row(),
    project,
    assigneeIds: [],
  } as const
  expect((await requireMergeable(app, caller, item, {})).item.row.targetBranch).toBe('free')
  await fixture.call('PUT', '', { target_branch: 'main' })
  const refused = expect.objectContaining({ code: 'unauthorized' })
  await expect(requireMergeable(app, caller, item, {})).rejects.toEqual(refused)
})
