import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildMergeFixture, type MergeFixture } from '../../testing/git/merge-fixture.ts'
import { readEvents, readVersions } from '../../testing/merge-requests.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let fixture: MergeFixture

beforeAll(async () => {
  server = await buildTestServer()
})
beforeEach(async () => {
  fixture = await buildMergeFixture(server)
})
afterAll(() => server.close())

const rebase = (token?: string) => fixture.call('PUT', '/rebase', {}, token)

async function inProgress(): Promise<boolean> {
  const { body } = await fixture.call('GET', '?include_rebase_in_progress=true')
  return body.rebase_in_progress
}

async function moveTarget(files: Record<string, string> = { 'm.txt': 'm' }): Promise<string> {
  const main = await fixture.commitTo('main', files, 'Main')
  await fixture.push('main')
  await server.runJobs()
  return main
}

describe('PUT /projects/:id/merge_requests/:merge_request_iid/rebase', () => {
  it('rebases the source branch in a job, with a push of the caller and a version', async () => {
    const main = await moveTarget()
    const before = await readVersions(server, fixture.request.id)
    const { status, body } = await rebase()
    expect([status, body]).toEqual([202, { rebase_in_progress: true }])
    expect(await inProgress()).toBe(true)
    await server.runJobs()
    expect(await inProgress()).toBe(false)
    const [second, first, base] = await fixture.log('refs/heads/topic')
    expect(base?.slice(0, 40)).toBe(main)
    expect(first?.slice(41)).toBe(main)
    const people = await fixture.git('log', '-1', '--format=%an %cn %s', second?.slice(0, 40) ?? '')
    expect(people).toBe('Ada Grace Second')
    const row = await fixture.row()
    expect(row).toMatchObject({ headSha: second?.slice(0, 40), mergeError: null, state: 'opened' })
    const after = await readVersions(server, fixture.request.id)
    expect(after).toHaveLength(before.length + 1)
    const [event] = await readEvents(server, fixture.project.id, 'pushed')
    expect(event).toMatchObject({ author_id: fixture.user.id, push_data: { ref: 'topic' } })
  })

  it('sets merge_error for a conflict, and leaves the branch as it is', async () => {
    await moveTarget({ 'b.txt': 'other\n' })
    const before = await fixture.tip('topic')
    expect((await rebase()).status).toBe(202)
    await server.runJobs()
    const { body } = await fixture.call('GET', '')
    expect(body.merge_error).toBe('Rebase failed. Please rebase locally')
    expect(await inProgress()).toBe(false)
    expect(await fixture.tip('topic')).toBe(before)
  })

  it('says the limit in merge_error if there are more commits', async () => {
    const { codeLimits } = server.app.config
    server.app.config.codeLimits = {
      ...codeLimits,
      rebase: { ...codeLimits.rebase, maxCommits: 1 },
    }
    await moveTarget()
    expect((await rebase()).status).toBe(202)
    await server.runJobs()
    server.app.config.codeLimits = codeLimits
    expect((await fixture.call('GET', '')).body.merge_error).toBe(
      'Rebase failed: more than 1 commits. Please rebase locally',
    )
  })

  it('changes nothing if the source contains the head of the target', async () => {
    const before = await fixture.tip('topic')
    await rebase()
    await server.runJobs()
    expect(await fixture.tip('topic')).toBe(before)
    expect((await fixture.row()).mergeError).toBeNull()
  })

  it('makes a merge request mergeable by fast-forward', async () => {
    await fixture.call('PUT', '', { title: 'A title' })
    const path = `/projects/${fixture.project.id}`
    const { token } = server.root
    await server.inject('PUT', path, { token, body: { merge_method: 'ff' } })
    await moveTarget()
    expect((await fixture.call('PUT', '/merge')).status).toBe(406)
    await rebase()
    await server.runJobs()
    expect((await fixture.call('PUT', '/merge')).status).toBe(200)
    expect(await fixture.tip('main')).toBe(await fixture.tip('topic'))
  })

  it('answers 403 with the reason to callers who may not push to the source branch', async () => {
    const reporter = await server.buildUser()
    await server.addMember(`projects/${fixture.project.id}`, reporter.id, 20)
    const { status, body } = await rebase(reporter.token)
    const message = '403 Forbidden - Cannot push to source branch'
    expect([status, body]).toEqual([403, { message }])
  })

  it('answers 403 without the source branch', async () => {
    await fixture.push(':topic')
    const { status, body } = await rebase()
    const message = '403 Forbidden - Source branch does not exist'
    expect([status, body]).toEqual([403, { message }])
  })

  it('answers 409 while it is running, and if the merge request is not open', async () => {
    const lock = { message: '409 Conflict: Resource lock' }
    const answers = await Promise.all([rebase(), rebase()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toEqual(lock)
    await server.runJobs()
    await fixture.call('PUT', '', { state_event: 'close' })
    expect(await rebase()).toMatchObject({ status: 409, body: lock })
  })
})
