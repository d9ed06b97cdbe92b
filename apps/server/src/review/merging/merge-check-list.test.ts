/* Covered here: GET .../merge_checks, an extension, against what PUT .../merge answers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildMergeFixture, type MergeFixture } from '../../testing/git/merge-fixture.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

async function statuses(fixture: MergeFixture): Promise<Record<string, string>> {
  const { status, body } = await fixture.call('GET', '/merge_checks')
  expect(status).toBe(200)
  return Object.fromEntries(body.map((check: Json) => [check.name, check.status]))
}

const all = {
  open: 'passed',
  draft: 'passed',
  commits: 'passed',
  conflict: 'passed',
  pipeline: 'inactive',
  discussions: 'inactive',
  approvals: 'passed',
  rebase: 'inactive',
}

describe('GET /projects/:id/merge_requests/:merge_request_iid/merge_checks', () => {
  it('passes all that the project asks for where it can be merged', async () => {
    const fixture = await buildMergeFixture(server)
    expect(await statuses(fixture)).toEqual(all)
    expect((await fixture.call('PUT', '/merge')).status).toBe(200)
    expect(await statuses(fixture)).toMatchObject({ open: 'failed' })
  })

  it('fails for drafts, and for a source branch that is gone', async () => {
    const fixture = await buildMergeFixture(server)
    await fixture.call('PUT', '', { title: 'WIP: Not yet' })
    expect(await statuses(fixture)).toEqual({ ...all, draft: 'failed' })
    await fixture.git('push', '--quiet', fixture.remote, ':topic')
    expect(await statuses(fixture)).toMatchObject({ commits: 'failed' })
  })

  it('fails for conflicts', async () => {
    const fixture = await buildMergeFixture(server)
    await fixture.commitTo('main', { 'b.txt': 'other\n' }, 'Conflict')
    await fixture.push('main')
    await server.runJobs()
    expect(await statuses(fixture)).toEqual({ ...all, conflict: 'failed' })
    expect((await fixture.call('PUT', '/merge')).status).toBe(405)
  })

  it('fails for an outdated branch where merges are fast-forward', async () => {
    const fixture = await buildMergeFixture(server, { merge_method: 'ff' })
    expect(await statuses(fixture)).toEqual({ ...all, rebase: 'passed' })
    await fixture.commitTo('main', { 'm.txt': 'm\n' }, 'Ahead')
    await fixture.push('main')
    await server.runJobs()
    expect(await statuses(fixture)).toEqual({ ...all, rebase: 'failed' })
    expect((await fixture.call('PUT', '/merge')).status).toBe(406)
  })

  it('fails for open threads and missing pipelines where the project asks for them', async () => {
    const fixture = await buildMergeFixture(server, {
      only_allow_merge_if_pipeline_succeeds: true,
      only_allow_merge_if_all_discussions_are_resolved: true,
    })
    expect(await statuses(fixture)).toEqual({ ...all, pipeline: 'failed', discussions: 'passed' })
    await fixture.call('POST', '/discussions', { body: 'Why?' })
    expect(await statuses(fixture)).toMatchObject({ discussions: 'failed' })
    expect((await fixture.call('PUT', '/merge')).status).toBe(405)
  })

  it('fails without the approvals that the project asks for', async () => {
    const fixture = await buildMergeFixture(server, { approvals_before_merge: 1 })
    expect(await statuses(fixture)).toEqual({ ...all, approvals: 'failed' })
    expect((await fixture.call('PUT', '/merge')).status).toBe(405)
  })

  it('needs at most 17 queries', async () => {
    const fixture = await buildMergeFixture(server, {
      merge_method: 'ff',
      only_allow_merge_if_pipeline_succeeds: true,
      only_allow_merge_if_all_discussions_are_resolved: true,
    })
    await statuses(fixture)
    const before = server.app.db.stats.queries
    await statuses(fixture)
    expect(server.app.db.stats.queries - before).toBeLessThanOrEqual(17)
  })
})
