import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holdGit } from '../../testing/git/hold-git.ts'
import { buildMergeFixture } from '../../testing/git/merge-fixture.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

describe('the merge_status of a merge request that git takes long for', () => {
  it('is unchecked for readers, who do not wait for it, and stored once it is known', async () => {
    const { call, commitTo, push } = await buildMergeFixture(server)
    await commitTo('main', { 'aside.txt': 'aside\n' }, 'Aside')
    await push('main')
    await server.runJobs()
    const release = holdGit(server, 'merge-tree')
    const status = async () => (await call('GET', '')).body.merge_status
    expect(await status()).toBe('unchecked')
    release()
    await expect.poll(status, { timeout: 120_000 }).toBe('can_be_merged')
  })
})
