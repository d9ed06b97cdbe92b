import { shareForkNetwork } from '@stithy/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  buildRepositoryFixture,
  type RepositoryFixture,
} from '../../../testing/git/repository-fixture.ts'
import { readEvents, remoteHead } from '../../../testing/merge-requests.ts'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let fixture: RepositoryFixture
let head: string

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  fixture = await buildRepositoryFixture(server)
  head = await fixture.commitTo('topic', { 'b.txt': 'b\n' }, 'First')
  await fixture.push('main', 'topic')
})

const branches = { source_branch: 'topic', target_branch: 'main', title: 'Change' }

const post = (body: object, token = server.root.token, id = fixture.project.id) =>
  server.inject('POST', `/projects/${id}/merge_requests`, { token, body })

async function member(level: number) {
  const user = await server.buildUser()
  await server.addMember(`projects/${fixture.project.id}`, user.id, level)
  return user
}

/** A fork of the project, with a branch `topic` of its own. */
async function buildFork(owner: { id: number; token: string }, overrides = {}) {
  const fork = await buildRepositoryFixture(server, overrides, fixture.tree)
  await fork.push('main', 'topic')
  await setForkedFrom(fork.project.id, fixture.project.id)
  await server.addMember(`projects/${fork.project.id}`, owner.id, 40)
  return fork
}

async function setForkedFrom(id: number, from: number | null) {
  await server.app.db.run('test.fork', { id, from }, (db, $) =>
    db
      .updateTable('projects')
      .set({ forkedFromProjectId: $('from') })
      .where('id', '=', $('id')),
  )
}

describe('POST /projects/:id/merge_requests', () => {
  it('creates one with version 1, its head, and an event', async () => {
    const { status, body } = await post(branches)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      iid: 1,
      title: 'Change',
      state: 'opened',
      source_branch: 'topic',
      target_branch: 'main',
      project_id: fixture.project.id,
      merge_status: 'can_be_merged',
      sha: head,
      changes_count: '1',
      merge_error: null,
      user: { can_merge: true },
      pipeline: null,
      diff_refs: { head_sha: head },
      subscribed: true,
    })
    expect(await remoteHead(fixture, 1)).toBe(head)
    expect(await readEvents(server, fixture.project.id, 'created')).toMatchObject([
      { action_name: 'opened', target_type: 'MergeRequest', target_iid: 1 },
      {},
    ])
  })

  it('takes all settings of a developer', async () => {
    const developer = await member(30)
    const path = `/projects/${fixture.project.id}`
    const { token } = server.root
    const milestone = await server.inject('POST', `${path}/milestones`, {
      token,
      body: { title: 'One' },
    })
    const { body } = await post(
      {
        ...branches,
        description: 'Text',
        assignee_id: developer.id,
        milestone_id: milestone.body.id,
        labels: 'bug,new',
        remove_source_branch: true,
        squash: true,
        allow_collaboration: true,
      },
      developer.token,
    )
    expect(body).toMatchObject({
      description: 'Text',
      assignee: { id: developer.id },
      milestone: { title: 'One' },
      labels: ['bug', 'new'],
      force_remove_source_branch: true,
      squash: true,
      // Within one project there is nobody to allow.
      allow_collaboration: false,
    })
    const notes = await server.inject('GET', `${path}/merge_requests/1/notes`, { token })
    expect(notes.body.map((note: { body: string }) => note.body)).toEqual([
      'changed milestone to %1',
    ])
    const events = await server.inject('GET', `${path}/merge_requests/1/resource_label_events`, {
      token,
    })
    expect(events.body).toHaveLength(2)
  })

  it('runs the quick actions of the description', async () => {
    const description = 'Text\n/label ~bug\n/wip\n/estimate 1h\n/close'
    const { body } = await post({ ...branches, description })
    expect(body).toMatchObject({
      description: 'Text',
      title: 'WIP: Change',
      work_in_progress: true,
      labels: ['bug'],
      state: 'closed',
      closed_by: { id: 1 },
      time_stats: { time_estimate: 3600 },
    })
  })

  it('runs /target_branch, unless that branch cannot be the target', async () => {
    await fixture.git('branch', 'stable', 'main')
    await fixture.push('stable')
    for (const [branch, expected] of [
      ['none', 'main'],
      ['topic', 'main'],
      ['stable', 'stable'],
    ]) {
      const description = `Text\n/target_branch ${branch}`
      const { status, body } = await post({ ...branches, description })
      expect(status).toBe(201)
      expect(body).toMatchObject({ description: 'Text', target_branch: expected })
      const path = `/projects/${fixture.project.id}/merge_requests/${body.iid}`
      const close = { state_event: 'close' }
      await server.inject('PUT', path, { token: server.root.token, body: close })
    }
    const path = `/projects/${fixture.project.id}/merge_requests/3/versions`
    const { body: versions } = await server.inject('GET', path, { token: server.root.token })
    expect(versions).toHaveLength(1)
  })

  it('runs /merge and /approve, for those who may', async () => {
    const [author, description] = [await member(30), 'Text\n/approve\n/merge']
    const kept = await post({ ...branches, description }, author.token)
    expect(kept.body).toMatchObject({ description: 'Text', state: 'opened' })
    await server.runJobs()
    await fixture.git('branch', 'other', 'topic')
    await fixture.push('other')
    const merged = await post({ ...branches, source_branch: 'other', description })
    expect([merged.status, merged.body.state]).toEqual([201, 'merged'])
  })

  it('adds todos for assignees and people who are mentioned', async () => {
    const [assignee, mentioned] = [await member(30), await member(30)]
    const description = `Ask @${mentioned.username}`
    await post({ ...branches, assignee_ids: [assignee.id], description })
    for (const [user, action] of [
      [assignee, 'assigned'],
      [mentioned, 'mentioned'],
    ] as const) {
      const { body } = await server.inject('GET', '/todos', { token: user.token })
      expect(body).toMatchObject([{ action_name: action, target_type: 'MergeRequest' }])
    }
  })

  it.each([
    ['source_branch', { ...branches, source_branch: undefined }, 'source_branch is missing'],
    ['target_branch', { ...branches, target_branch: undefined }, 'target_branch is missing'],
    ['title', { ...branches, title: undefined }, 'title is missing'],
  ])('returns 400 without %s', async (_, body, error) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { error } })
  })

  it.each([
    ['a source branch that is missing', { source_branch: 'none' }, 'source_branch'],
    ['a target branch that is missing', { target_branch: 'none' }, 'target_branch'],
    ['a branch name that is none', { source_branch: 'a..b' }, 'source_branch'],
    ['a blank title', { title: ' ' }, 'title'],
    ['a title that is too long', { title: 'x'.repeat(256) }, 'title'],
  ])('returns 400 for %s', async (_, overrides, field) => {
    const { status, body } = await post({ ...branches, ...overrides })
    expect(status).toBe(400)
    expect(Object.keys(body.message)).toEqual([field])
  })

  it('returns 422 for the same branch on both sides', async () => {
    const { status, body } = await post({ ...branches, target_branch: 'topic' })
    expect([status, body]).toEqual([
      422,
      { error: ["You can't use same project/branch for source and target"] },
    ])
  })

  it('returns 409 for a second open one of the same branches', async () => {
    expect((await post(branches)).status).toBe(201)
    const { status, body } = await post(branches)
    expect([status, body]).toEqual([
      409,
      { message: ['Another open merge request already exists for this source branch: !1'] },
    ])
    const path = `/projects/${fixture.project.id}/merge_requests/1`
    const { token } = server.root
    await server.inject('PUT', path, { token, body: { state_event: 'close' } })
    expect((await post(branches)).status).toBe(201)
  })

  it('creates one of concurrent ones for the same branches', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(branches)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
  })

  it('creates one without commits, which cannot be merged', async () => {
    await fixture.git('branch', 'same', 'main')
    await fixture.push('same')
    const { body } = await post({ ...branches, source_branch: 'same' })
    expect(body).toMatchObject({ changes_count: '0', merge_status: 'cannot_be_merged' })
  })

  it('creates one between histories without a common base, which cannot be merged', async () => {
    await fixture.git('checkout', '--quiet', '--orphan', 'alone')
    await fixture.git('commit', '--quiet', '--message', 'Alone')
    await fixture.push('alone')
    const { body } = await post({ ...branches, source_branch: 'alone' })
    expect(body).toMatchObject({
      diff_refs: { base_sha: null },
      merge_status: 'cannot_be_merged',
      changes_count: '2',
    })
  })
})

describe('who may create a merge request', () => {
  it('is a developer: guests and reporters get 403, strangers 404', async () => {
    for (const level of [10, 20]) {
      expect((await post(branches, (await member(level)).token)).status).toBe(403)
    }
    expect((await post(branches, (await server.buildUser()).token)).status).toBe(404)
    expect((await post(branches, (await member(30)).token)).status).toBe(201)
  })

  it('is nobody where merge requests are disabled, or in an archived project', async () => {
    const path = `/projects/${fixture.project.id}`
    const { token } = server.root
    await server.inject('PUT', path, { token, body: { merge_requests_access_level: 'disabled' } })
    expect((await post(branches)).status).toBe(403)
    await server.inject('PUT', path, { token, body: { merge_requests_access_level: 'enabled' } })
    await server.inject('POST', `${path}/archive`, { token })
    expect((await post(branches)).status).toBe(403)
  })
})

describe('POST /projects/:id/merge_requests with target_project_id', () => {
  const open = { visibility: 'public' }
  const target = () => ({ ...branches, target_project_id: fixture.project.id })

  beforeEach(async () => {
    const { token } = server.root
    await server.inject('PUT', `/projects/${fixture.project.id}`, { token, body: open })
  })

  it('creates it in the target, without the settings of its developers', async () => {
    const owner = await server.buildUser()
    const fork = await buildFork(owner, open)
    const extra = { labels: 'bug', assignee_id: owner.id, squash: true, allow_collaboration: true }
    const { status, body } = await post({ ...target(), ...extra }, owner.token, fork.project.id)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      project_id: fixture.project.id,
      source_project_id: fork.project.id,
      labels: [],
      assignee: null,
      squash: true,
      allow_collaboration: true,
      user: { can_merge: false },
    })
    expect(await remoteHead(fixture, body.iid)).toBe(head)
  })

  it('ignores allow_collaboration for a private fork and for a protected branch', async () => {
    const owner = await server.buildUser()
    const hidden = await buildFork(owner)
    const body = { ...target(), allow_collaboration: true }
    const closed = await post(body, owner.token, hidden.project.id)
    expect(closed.body.allow_collaboration).toBe(false)
    const fork = await buildFork(owner, open)
    const path = `/projects/${fork.project.id}/protected_branches`
    await server.inject('POST', path, { token: owner.token, body: { name: 'topic' } })
    const guarded = await post(body, owner.token, fork.project.id)
    expect(guarded.body.allow_collaboration).toBe(false)
  })

  it('returns 404 for an unknown or hidden target, 403 where the caller may not', async () => {
    const owner = await server.buildUser()
    const fork = await buildFork(owner)
    const from = (body: object) => post(body, owner.token, fork.project.id)
    expect((await from({ ...branches, target_project_id: 999_999 })).status).toBe(404)
    const { token } = server.root
    const path = `/projects/${fixture.project.id}`
    const settings = { merge_requests_access_level: 'private' }
    await server.inject('PUT', path, { token, body: settings })
    expect((await from(target())).status).toBe(403)
    await server.inject('PUT', path, { token, body: { visibility: 'private' } })
    expect((await from(target())).status).toBe(404)
  })

  it('returns 422 for a project that shares no fork network', async () => {
    const owner = await server.buildUser()
    const fork = await buildFork(owner, open)
    await setForkedFrom(fork.project.id, null)
    const { status, body } = await post(target(), owner.token, fork.project.id)
    expect([status, body]).toEqual([
      422,
      { error: ['Source project is not a fork of the target project'] },
    ])
  })

  it('accepts any project of the fork network', async () => {
    const [a, b, c, d] = await Promise.all([1, 2, 3, 4].map(() => server.buildProject()))
    await setForkedFrom(b.id, a.id)
    await setForkedFrom(c.id, b.id)
    await setForkedFrom(d.id, a.id)
    const related = (first: { id: number }, second: { id: number }) =>
      shareForkNetwork(server.app.db, { firstId: first.id, secondId: second.id })
    for (const [first, second] of [
      [a, a],
      [a, c],
      [c, a],
      [c, d],
    ]) {
      expect(await related(first, second)).toBe(true)
    }
    expect(await related(a, fixture.project)).toBe(false)
    await setForkedFrom(a.id, c.id)
    expect(await related(a, d)).toBe(true)
  })
})
