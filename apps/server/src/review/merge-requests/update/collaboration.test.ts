import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildForkFixture, type ForkFixture } from '../../../testing/git/fork-fixture.ts'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let fixture: ForkFixture

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  fixture = await buildForkFixture(server)
})

const refusal = 'You are not allowed to push code to this project.'

/** Whether the developer of the target may push to a branch of the fork with git. */
async function canPush(ref = 'topic'): Promise<boolean> {
  await fixture.commitTo('topic', {}, 'More')
  return (await fixture.pushToFork(ref)).code === 0
}

const commitTo = (branch: string, more: object = {}) =>
  fixture.onFork('POST', '/repository/commits', {
    branch,
    commit_message: 'By the API',
    actions: [{ action: 'create', file_path: 'api.txt', content: 'x' }],
    ...more,
  })

describe('a merge request from a fork with allow_collaboration', () => {
  it('lets developers of the target push to its branch with git', async () => {
    const head = await fixture.commitTo('topic', { 'd.txt': 'd\n' }, 'Help')
    expect((await fixture.pushToFork('topic')).code).toBe(0)
    await server.runJobs()
    expect((await fixture.call('GET')).body.sha).toBe(head)
  })

  it('lets them commit to it, change files, and see that they may', async () => {
    const { status, body } = await commitTo('topic')
    expect(status).toBe(201)
    expect(await fixture.forkTip('topic')).toBe(body.id)
    const file = { branch: 'topic', content: 'y', commit_message: 'Change' }
    const changed = await fixture.onFork('PUT', '/repository/files/api.txt', file)
    expect(changed.status).toBe(200)
    const branches = await fixture.onFork('GET', '/repository/branches')
    expect(branches.body).toMatchObject([
      { name: 'main', can_push: false },
      { name: 'topic', can_push: true },
    ])
  })

  it('lets them rebase it', async () => {
    const main = await fixture.commitTo('main', { 'm.txt': 'm' }, 'Ahead')
    await fixture.push('main')
    await server.runJobs()
    expect((await fixture.call('PUT', '/rebase', {})).status).toBe(202)
    await server.runJobs()
    const { body } = await fixture.call('GET')
    expect(body).toMatchObject({ merge_error: null, diff_refs: { base_sha: main } })
    expect(await fixture.forkTip('topic')).toBe(body.sha)
  })

  it('allows neither other branches, nor tags, nor to delete the branch', async () => {
    const tip = await fixture.forkTip('topic')
    await fixture.git('tag', '--force', 'v1', 'topic')
    for (const ref of ['topic:main', 'topic:new', 'v1', ':topic']) {
      expect(await canPush(ref), ref).toBe(false)
    }
    for (const answer of [
      await commitTo('main'),
      await commitTo('new', { start_branch: 'topic' }),
    ]) {
      expect([answer.status, answer.body]).toEqual([403, { message: `403 Forbidden - ${refusal}` }])
    }
    const path = '/repository/branches'
    expect((await fixture.onFork('DELETE', `${path}/topic`)).status).toBe(403)
    const branch = { branch: 'new', ref: 'topic' }
    expect((await fixture.onFork('POST', path, branch)).status).toBe(403)
    const tag = { tag_name: 'v1', ref: 'topic' }
    expect((await fixture.onFork('POST', '/repository/tags', tag)).status).toBe(403)
    expect(await fixture.forkTip('topic')).toBe(tip)
  })

  it('allows nothing to reporters of the target, and to strangers', async () => {
    const reporter = await server.buildUser()
    await server.addMember(`projects/${fixture.project.id}`, reporter.id, 20)
    await fixture.commitTo('topic', {}, 'More')
    for (const user of [reporter, await server.buildUser()]) {
      const { code, stderr } = await fixture.pushToFork('topic', user)
      expect([code === 0, stderr]).toEqual([false, expect.stringContaining(refusal)])
    }
  })

  it.each<[string, () => Promise<unknown>]>([
    ['is closed', () => fixture.call('PUT', '', { state_event: 'close' })],
    [
      'is merged',
      async () => {
        const { project, iid } = fixture
        const path = `/projects/${project.id}/merge_requests/${iid}/merge`
        expect((await server.inject('PUT', path, { token: server.root.token })).status).toBe(200)
      },
    ],
    [
      'no longer allows it',
      () => fixture.call('PUT', '', { squash: false, allow_collaboration: false }, fixture.owner),
    ],
    [
      'is from a fork that becomes private',
      () => fixture.onFork('PUT', '', { visibility: 'private' }, fixture.owner),
    ],
    [
      'is into a project that becomes private',
      async () => {
        // As if the fork, which is narrowed too, had been made public again.
        await setVisibility(fixture.project.id, 'private')
      },
    ],
    [
      'is from a branch that becomes protected',
      () => fixture.onFork('POST', '/protected_branches', { name: 'topic' }, fixture.owner),
    ],
    [
      'is of an author who is blocked',
      () => server.inject('POST', `/users/${fixture.owner.id}/block`, { token: server.root.token }),
    ],
    [
      'is from an archived fork',
      () => fixture.onFork('POST', '/archive', undefined, fixture.owner),
    ],
  ])('allows nothing once it %s', async (_, end) => {
    expect(await canPush()).toBe(true)
    await server.runJobs()
    await end()
    await server.runJobs()
    expect(await canPush()).toBe(false)
    expect((await commitTo('topic')).status).toBeGreaterThanOrEqual(403)
  })

  it('allows nothing once its author may not push any more', async () => {
    const author = await server.buildUser()
    await server.addMember(`projects/${fixture.fork.id}`, author.id, 30)
    const { project, fork } = fixture
    await fixture.git('branch', '--force', 'other', 'topic')
    await fixture.pushToFork('other', fixture.owner)
    await server.buildMergeRequest(fork, 'other', 'main', {
      targetProjectId: project.id,
      authorId: author.id,
      allowCollaboration: true,
    })
    expect(await canPush('topic:other')).toBe(true)
    const path = `/projects/${fork.id}/members/${author.id}`
    await server.inject('DELETE', path, { token: fixture.owner.token })
    expect(await canPush('topic:other')).toBe(false)
    expect(await canPush('topic')).toBe(true)
  })
})

describe('GET of merge requests from a fork with allow_collaboration', () => {
  /** The value of the single merge request, which the list and the older name share. */
  async function shown(): Promise<boolean> {
    const { token } = server.root
    const path = `/projects/${fixture.project.id}/merge_requests`
    const one = (await server.inject('GET', `${path}/${fixture.iid}`, { token })).body
    const [listed] = (await server.inject('GET', path, { token })).body
    for (const { allow_collaboration: allows, allow_maintainer_to_push: older } of [one, listed]) {
      expect([allows, older]).toEqual([one.allow_collaboration, one.allow_collaboration])
    }
    return one.allow_collaboration
  }

  it('shows false while the fork is private', async () => {
    expect(await shown()).toBe(true)
    await fixture.onFork('PUT', '', { visibility: 'private' }, fixture.owner)
    expect(await shown()).toBe(false)
    await fixture.onFork('PUT', '', { visibility: 'public' }, fixture.owner)
    expect(await shown()).toBe(true)
  })

  it('shows false while the target is private', async () => {
    await setVisibility(fixture.project.id, 'private')
    expect(await shown()).toBe(false)
  })

  it('shows false while its branch is protected, also by a wildcard', async () => {
    const protect = (name: string) =>
      fixture.onFork('POST', '/protected_branches', { name }, fixture.owner)
    await protect('other*')
    expect(await shown()).toBe(true)
    await protect('top*')
    expect(await shown()).toBe(false)
    await fixture.onFork('DELETE', '/protected_branches/top*', undefined, fixture.owner)
    expect(await shown()).toBe(true)
  })
})

describe('PUT .../merge by a maintainer of the target', () => {
  it('deletes the branch of the fork only if the author asked for it', async () => {
    const maintainer = await server.buildUser()
    await server.addMember(`projects/${fixture.project.id}`, maintainer.id, 40)
    const options = { should_remove_source_branch: true }
    const merged = await fixture.call('PUT', '/merge', options, maintainer)
    expect([merged.status, merged.body.state]).toEqual([200, 'merged'])
    await server.runJobs()
    expect(await fixture.forkTip('topic')).not.toBe('')
    fixture = await buildForkFixture(server, {
      allow_collaboration: true,
      remove_source_branch: true,
    })
    await server.addMember(`projects/${fixture.project.id}`, maintainer.id, 40)
    expect((await fixture.call('PUT', '/merge', {}, maintainer)).status).toBe(200)
    await server.runJobs()
    expect(await fixture.forkTip('topic')).toBe('')
  })
})

describe('a merge request from a fork without allow_collaboration', () => {
  it('allows nothing', async () => {
    fixture = await buildForkFixture(server, {})
    expect(await canPush()).toBe(false)
    const { status, body } = await commitTo('topic')
    expect([status, body]).toEqual([403, { message: '403 Forbidden' }])
    const rebase = await fixture.call('PUT', '/rebase', {})
    expect(rebase.body).toEqual({ message: '403 Forbidden - Cannot push to source branch' })
  })
})

async function setVisibility(id: number, visibility: 'private'): Promise<void> {
  await server.app.db.run('test.visibility', { id, visibility }, (db, $) =>
    db
      .updateTable('projects')
      .set({ visibility: $('visibility') })
      .where('id', '=', $('id')),
  )
}
