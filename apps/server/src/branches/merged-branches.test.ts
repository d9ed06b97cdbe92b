import { updateRefs } from '@stithy/git'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs } from '../testing/clients/calls.ts'
import { type BranchPlace, buildBranchPlace } from '../testing/git/branch-place.ts'
import { commit, mustGit } from '../testing/git/git-client.ts'
import { buildTestServer, type TestServer } from '../testing/test-server.ts'

let server: TestServer
let place: BranchPlace

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  place = await buildBranchPlace(server)
})

describe('DELETE /projects/:id/repository/merged_branches', () => {
  const removeMerged = (token: string) =>
    callAs(server, 'DELETE', `/projects/${place.project.id}/repository/merged_branches`, token)

  it('deletes what is merged, in the background, and keeps what is protected', async () => {
    await place.push('main:same', 'HEAD~1:refs/heads/merged/1', 'HEAD~1:refs/heads/keep-me')
    await mustGit(place.tree, 'checkout', '--quiet', '-b', 'ahead')
    await commit(place.tree, { 'b.txt': 'b\n' }, 'Ahead')
    await place.push('ahead')
    await place.protect({ name: 'keep*' })
    const { status, body } = await removeMerged(place.developer.token)
    expect([status, body]).toEqual([202, { message: '202 Accepted' }])
    expect(await place.branches()).toContain('old')
    await server.runJobs()
    expect(await place.branches()).toEqual(['ahead', 'keep-me', 'main', 'same'])
    const removed = (await place.pushEvents()).filter(({ action }) => action === 'removed')
    expect(removed.map(({ ref }) => ref).sort()).toEqual(['merged/1', 'old'])
  })

  it('keeps the branches of open merge requests', async () => {
    await place.push('HEAD~1:refs/heads/target', 'HEAD~1:refs/heads/source')
    await mustGit(place.tree, 'checkout', '--quiet', '-b', 'ahead')
    await commit(place.tree, { 'b.txt': 'b\n' }, 'Ahead')
    await place.push('ahead')
    await server.buildMergeRequest(place.project, 'ahead', 'target')
    await server.buildMergeRequest(place.project, 'source', 'ahead')
    await removeMerged(place.developer.token)
    await server.runJobs()
    expect(await place.branches()).toEqual(['ahead', 'main', 'source', 'target'])
  })

  it('deletes nothing for who lost the right meanwhile, nor in an empty repository', async () => {
    await removeMerged(place.developer.token)
    const path = `/projects/${place.project.id}/members/${place.developer.id}`
    await callAs(server, 'DELETE', path, server.root.token)
    await server.runJobs()
    expect(await place.branches()).toEqual(['main', 'old'])
    const empty = await server.buildProject()
    const target = `/projects/${empty.id}/repository/merged_branches`
    expect((await callAs(server, 'DELETE', target, server.root.token)).status).toBe(202)
    await server.runJobs()
  })

  it('deletes more than one batch', async () => {
    const before = await mustGit(place.tree, 'rev-parse', 'HEAD~1')
    const names = Array.from({ length: 150 }, (_, index) => `refs/heads/m/${index}`)
    const updates = names.map((ref) => ({ ref, newOid: before }))
    await updateRefs(server.app.git, await place.repository(), updates)
    await removeMerged(place.developer.token)
    await server.runJobs()
    expect(await place.branches()).toEqual(['main'])
  })

  it('is for developers', async () => {
    expect((await removeMerged(place.reporter.token)).status).toBe(403)
  })
})
