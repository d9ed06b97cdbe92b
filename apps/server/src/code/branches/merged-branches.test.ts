import { updateRefs } from '@stithy/git'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import { type BranchWorld, buildBranchWorld } from '../../testing/git/branch-world.ts'
import { commit, mustGit } from '../../testing/git/git-client.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let world: BranchWorld

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  world = await buildBranchWorld(server)
})

describe('DELETE /projects/:id/repository/merged_branches', () => {
  const removeMerged = (token: string) =>
    callAs(server, 'DELETE', `/projects/${world.project.id}/repository/merged_branches`, token)

  it('deletes merged branches in the background, and keeps protected ones', async () => {
    await world.push('main:same', 'HEAD~1:refs/heads/merged/1', 'HEAD~1:refs/heads/keep-me')
    await mustGit(world.tree, 'checkout', '--quiet', '-b', 'ahead')
    await commit(world.tree, { 'b.txt': 'b\n' }, 'Ahead')
    await world.push('ahead')
    await world.protect({ name: 'keep*' })
    const { status, body } = await removeMerged(world.developer.token)
    expect([status, body]).toEqual([202, { message: '202 Accepted' }])
    expect(await world.branches()).toContain('old')
    await server.runJobs()
    expect(await world.branches()).toEqual(['ahead', 'keep-me', 'main', 'same'])
    const removed = (await world.pushEvents()).filter(({ action }) => action === 'removed')
    expect(removed.map(({ ref }) => ref).sort()).toEqual(['merged/1', 'old'])
  })

  it('keeps the branches of open merge requests', async () => {
    await world.push('HEAD~1:refs/heads/target', 'HEAD~1:refs/heads/source')
    await mustGit(world.tree, 'checkout', '--quiet', '-b', 'ahead')
    await commit(world.tree, { 'b.txt': 'b\n' }, 'Ahead')
    await world.push('ahead')
    await server.buildMergeRequest(world.project, 'ahead', 'target')
    await server.buildMergeRequest(world.project, 'source', 'ahead')
    await removeMerged(world.developer.token)
    await server.runJobs()
    expect(await world.branches()).toEqual(['ahead', 'main', 'source', 'target'])
  })

  it('deletes nothing for a user who lost the role meanwhile, nor in an empty repository', async () => {
    await removeMerged(world.developer.token)
    const path = `/projects/${world.project.id}/members/${world.developer.id}`
    await callAs(server, 'DELETE', path, server.root.token)
    await server.runJobs()
    expect(await world.branches()).toEqual(['main', 'old'])
    const empty = await server.buildProject()
    const target = `/projects/${empty.id}/repository/merged_branches`
    expect((await callAs(server, 'DELETE', target, server.root.token)).status).toBe(202)
    await server.runJobs()
  })

  it('deletes more than one batch', async () => {
    const before = await mustGit(world.tree, 'rev-parse', 'HEAD~1')
    const names = Array.from({ length: 150 }, (_, index) => `refs/heads/m/${index}`)
    const updates = names.map((ref) => ({ ref, newOid: before }))
    await updateRefs(server.app.git, await world.repository(), updates)
    await removeMerged(world.developer.token)
    await server.runJobs()
    expect(await world.branches()).toEqual(['main'])
  })

  it('requires the Developer role', async () => {
    expect((await removeMerged(world.reporter.token)).status).toBe(403)
  })
})
