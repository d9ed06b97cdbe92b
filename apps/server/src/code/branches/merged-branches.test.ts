import { updateRefs } from '@stithy/git'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import { type BranchFixture, buildBranchFixture } from '../../testing/git/branch-fixture.ts'
import { commit, mustGit } from '../../testing/git/git-client.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let fixture: BranchFixture

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  fixture = await buildBranchFixture(server)
})

describe('DELETE /projects/:id/repository/merged_branches', () => {
  const removeMerged = (token: string) =>
    callAs(server, 'DELETE', `/projects/${fixture.project.id}/repository/merged_branches`, token)

  it('deletes merged branches in the background, and keeps protected ones', async () => {
    await fixture.push('main:same', 'HEAD~1:refs/heads/merged/1', 'HEAD~1:refs/heads/keep-me')
    await mustGit(fixture.tree, 'checkout', '--quiet', '-b', 'ahead')
    await commit(fixture.tree, { 'b.txt': 'b\n' }, 'Ahead')
    await fixture.push('ahead')
    await fixture.protect({ name: 'keep*' })
    const { status, body } = await removeMerged(fixture.developer.token)
    expect([status, body]).toEqual([202, { message: '202 Accepted' }])
    expect(await fixture.branches()).toContain('old')
    await server.runJobs()
    expect(await fixture.branches()).toEqual(['ahead', 'keep-me', 'main', 'same'])
    const removed = (await fixture.pushEvents()).filter(({ action }) => action === 'removed')
    expect(removed.map(({ ref }) => ref).sort()).toEqual(['merged/1', 'old'])
  })

  it('keeps the branches of open merge requests', async () => {
    await fixture.push('HEAD~1:refs/heads/target', 'HEAD~1:refs/heads/source')
    await mustGit(fixture.tree, 'checkout', '--quiet', '-b', 'ahead')
    await commit(fixture.tree, { 'b.txt': 'b\n' }, 'Ahead')
    await fixture.push('ahead')
    await server.buildMergeRequest(fixture.project, 'ahead', 'target')
    await server.buildMergeRequest(fixture.project, 'source', 'ahead')
    await removeMerged(fixture.developer.token)
    await server.runJobs()
    expect(await fixture.branches()).toEqual(['ahead', 'main', 'source', 'target'])
  })

  it('deletes nothing for a user who lost the role meanwhile, nor in an empty repository', async () => {
    await removeMerged(fixture.developer.token)
    const path = `/projects/${fixture.project.id}/members/${fixture.developer.id}`
    await callAs(server, 'DELETE', path, server.root.token)
    await server.runJobs()
    expect(await fixture.branches()).toEqual(['main', 'old'])
    const empty = await server.buildProject()
    const target = `/projects/${empty.id}/repository/merged_branches`
    expect((await callAs(server, 'DELETE', target, server.root.token)).status).toBe(202)
    await server.runJobs()
  })

  it('deletes more than one batch', async () => {
    const before = await mustGit(fixture.tree, 'rev-parse', 'HEAD~1')
    const names = Array.from({ length: 150 }, (_, index) => `refs/heads/m/${index}`)
    const updates = names.map((ref) => ({ ref, newOid: before }))
    await updateRefs(server.app.git, await fixture.repository(), updates)
    await removeMerged(fixture.developer.token)
    await server.runJobs()
    expect(await fixture.branches()).toEqual(['main'])
  })

  it('requires the Developer role', async () => {
    expect((await removeMerged(fixture.reporter.token)).status).toBe(403)
  })
})
