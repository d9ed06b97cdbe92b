import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildMergeFixture, type MergeFixture } from '../../testing/git/merge-fixture.ts'
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

const ref = 'refs/merge-requests/1/merge'
const notMergeable = { message: 'Merge request is not mergeable' }

async function conflict(): Promise<void> {
  await fixture.commitTo('main', { 'b.txt': 'other\n' }, 'Clash')
  await fixture.push('main')
}

describe('GET /projects/:id/merge_requests/:merge_request_iid/merge_ref', () => {
  const read = (token?: string) => fixture.call('GET', '/merge_ref', undefined, token)

  it('writes what merging would give to a ref, and leaves the target as it is', async () => {
    const ends = [await fixture.tip('main'), await fixture.tip('topic')]
    const { status, body } = await read()
    expect(status).toBe(200)
    expect((await fixture.log(ref))[0]).toBe([body.commit_id, ...ends].join(' '))
    expect(await fixture.tip('main')).toBe(ends[0])
    expect((await fixture.row()).state).toBe('opened')
  })

  it('stays the same until a branch moves', async () => {
    const first = (await read()).body.commit_id
    server.advance(5000)
    expect((await read()).body.commit_id).toBe(first)
    const head = await fixture.commitTo('topic', { 'd.txt': 'd' }, 'Third')
    await fixture.push('topic')
    const second = (await read()).body.commit_id
    expect((await fixture.log(ref))[0]).toBe(`${second} ${await fixture.tip('main')} ${head}`)
  })

  it('answers 400 for a conflict, without commits, and once it is merged or closed', async () => {
    await fixture.call('PUT', '', { state_event: 'close' })
    expect(await read()).toMatchObject({ status: 400, body: notMergeable })
    await fixture.call('PUT', '', { state_event: 'reopen' })
    await conflict()
    expect(await read()).toMatchObject({ status: 400, body: notMergeable })
    await fixture.git('checkout', '--quiet', '-B', 'topic', 'main')
    await fixture.push('topic')
    expect(await read()).toMatchObject({ status: 400, body: notMergeable })
  })

  it('is for everyone who can read it', async () => {
    const reporter = await server.buildUser()
    expect((await read(reporter.token)).status).toBe(404)
    await server.addMember(`projects/${fixture.project.id}`, reporter.id, 20)
    expect((await read(reporter.token)).status).toBe(200)
  })
})

describe('PUT /projects/:id/merge_requests/:merge_request_iid/merge_to_ref', () => {
  it('has the path of the newer call as well', async () => {
    const { status, body } = await fixture.call('PUT', '/merge_ref', {
      merge_commit_message: 'Mine',
    })
    expect(status).toBe(200)
    expect((await fixture.log(ref))[0]).toContain(body.commit_id)
    expect(await fixture.git('log', '-1', '--format=%B', 'FETCH_HEAD')).toBe('Mine')
  })

  it('uses the message, and answers 400 for a conflict', async () => {
    const message = { merge_commit_message: 'Mine' }
    const { status, body } = await fixture.call('PUT', '/merge_to_ref', message)
    expect(status).toBe(200)
    expect((await fixture.log(ref))[0]).toContain(body.commit_id)
    expect(await fixture.git('log', '-1', '--format=%B', 'FETCH_HEAD')).toBe('Mine')
    await conflict()
    expect((await fixture.call('PUT', '/merge_to_ref', message)).status).toBe(400)
  })

  it('answers 403 below Developer', async () => {
    const reporter = await server.buildUser()
    await server.addMember(`projects/${fixture.project.id}`, reporter.id, 20)
    expect((await fixture.call('PUT', '/merge_to_ref', {}, reporter.token)).status).toBe(403)
  })
})
