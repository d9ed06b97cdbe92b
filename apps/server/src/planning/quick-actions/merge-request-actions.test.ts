import { findMergeRequestById } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildIssueFixture, type IssueFixture } from '../../testing/fixtures/issues.ts'
import {
  buildRepositoryFixture,
  type RepositoryFixture,
} from '../../testing/git/repository-fixture.ts'
import type { Json } from '../../testing/test-server.ts'

let fixture: IssueFixture
let repository: RepositoryFixture
beforeAll(async () => {
  fixture = await buildIssueFixture()
  repository = await buildRepositoryFixture(fixture.server, {
    namespace_id: fixture.group.id,
    visibility: 'public',
  })
  await repository.push('main')
})
afterAll(() => fixture.server.close())

type Who = 'guest' | 'reporter' | 'developer' | 'maintainer' | 'stranger'

let branches = 0

/** A merge request of a new branch into `main`, by root unless given. */
async function open(values: object = {}): Promise<{ id: number; iid: number; branch: string }> {
  branches += 1
  const branch = `topic-${branches}`
  await repository.commitTo(branch, { [`${branch}.txt`]: 'x' }, 'Change')
  await repository.push(branch)
  const made = await fixture.server.buildMergeRequest(repository.project, branch, 'main', {
    title: 'A request',
    ...values,
  })
  return { ...made, branch }
}

const path = (iid: number) => `/projects/${repository.project.id}/merge_requests/${iid}`

const say = (iid: number, body: string, who: Who = 'developer') =>
  fixture.server.inject('POST', `${path(iid)}/notes`, { token: fixture[who].token, body: { body } })

async function read({ id, iid }: { id: number; iid: number }): Promise<Json> {
  const row = await findMergeRequestById(fixture.server.app.db, id)
  const query = `sha=${row?.headSha}`
  const list = await fixture.server.inject(
    'GET',
    `/projects/${repository.project.id}/repository/commits/${row?.headSha}/merge_requests`,
    { token: fixture.server.root.token, query },
  )
  return list.body.find((request: Json) => request.iid === iid)
}

async function run(request: { id: number; iid: number }, command: string, who: Who = 'developer') {
  const answer = await say(request.iid, `Words\n${command}`, who)
  expect(answer.status).toBe(201)
  expect(answer.body.body).toBe('Words')
  return read(request)
}

async function systemNotes({ iid }: { iid: number }): Promise<string[]> {
  const { token } = fixture.server.root
  const answer = await fixture.server.inject('GET', `${path(iid)}/notes`, {
    token,
    query: 'sort=asc',
  })
  return answer.body.flatMap((note: Json) => (note.system ? [note.body] : []))
}

describe('quick actions on a merge request', () => {
  it.each<[string, object]>([
    ['/title Another', { title: 'Another' }],
    ['/close', { state: 'closed' }],
    ['/wip', { title: 'WIP: A request', work_in_progress: true }],
    ['/draft', { title: 'WIP: A request', work_in_progress: true }],
    ['/lock', { discussion_locked: true }],
    ['/estimate 2h', { time_stats: { time_estimate: 7200 } }],
    ['/spend 2h', { time_stats: { total_time_spent: 7200 } }],
  ])('%s is for developers', async (command, expected) => {
    const request = await open()
    expect(await run(request, command, 'reporter')).not.toMatchObject(expected)
    expect(await run(request, command)).toMatchObject(expected)
  })

  it('of an author with Guest access change what an author may change', async () => {
    const request = await open({ authorId: fixture.guest.id })
    const changed = await run(request, '/title Mine\n/lock\n/label ~bug', 'guest')
    expect(changed).toMatchObject({ title: 'Mine', discussion_locked: null, labels: [] })
  })

  it('/label, /unlabel, /relabel', async () => {
    for (const name of ['red', 'blue']) {
      const body = { name, color: '#ff0000' }
      const { token } = fixture.server.root
      await fixture.server.inject('POST', `/projects/${repository.project.id}/labels`, {
        token,
        body,
      })
    }
    const request = await open()
    const labels = async (command: string, who?: Who) => (await run(request, command, who)).labels
    expect(await labels('/label ~red', 'reporter')).toEqual([])
    expect(await labels('/label ~red ~blue')).toEqual(['blue', 'red'])
    expect(await labels('/unlabel ~red')).toEqual(['blue'])
    expect(await labels('/relabel ~red')).toEqual(['red'])
    const { token } = fixture.server.root
    const events = await fixture.server.inject(
      'GET',
      `${path(request.iid)}/resource_label_events`,
      {
        token,
      },
    )
    const actual = events.body.map((event: Json) => `${event.action} ${event.label.name}`)
    expect([...actual.slice(0, 2).toSorted(), ...actual.slice(2)]).toEqual([
      'add blue',
      'add red',
      'remove red',
      'add red',
      'remove blue',
    ])
  })

  it('/milestone and /remove_milestone', async () => {
    const { token } = fixture.server.root
    const made = await fixture.server.inject(
      'POST',
      `/projects/${repository.project.id}/milestones`,
      {
        token,
        body: { title: 'm1' },
      },
    )
    const request = await open()
    expect((await run(request, '/milestone %m1', 'reporter')).milestone).toBeNull()
    expect((await run(request, '/milestone %m1')).milestone).toMatchObject({ title: 'm1' })
    expect((await run(request, '/remove_milestone')).milestone).toBeNull()
    expect(await systemNotes(request)).toEqual([
      `changed milestone to %${made.body.iid}`,
      'removed milestone',
    ])
  })

  it('/assign and /unassign, with a todo for the assignee', async () => {
    const request = await open()
    const { username, token } = fixture.maintainer
    expect((await run(request, `/assign @${username}`, 'reporter')).assignees).toEqual([])
    expect((await run(request, `/assign @${username}`)).assignees).toMatchObject([{ username }])
    const todos = await fixture.server.inject('GET', '/todos', { token })
    expect(todos.body[0]).toMatchObject({ action_name: 'assigned', target: { iid: request.iid } })
    expect((await run(request, '/unassign')).assignees).toEqual([])
    expect(await systemNotes(request)).toEqual([
      `assigned to @${username}`,
      `unassigned @${username}`,
    ])
  })

  it('/close and /reopen, with one event each', async () => {
    const request = await open()
    await run(request, '/close')
    await run(request, '/close')
    expect((await run(request, '/reopen', 'reporter')).state).toBe('closed')
    expect((await run(request, '/reopen')).state).toBe('opened')
    expect(await systemNotes(request)).toEqual(['closed', 'reopened'])
    const { token } = fixture.server.root
    const query = 'target_type=merge_request&per_page=100'
    const events = await fixture.server.inject('GET', `/projects/${repository.project.id}/events`, {
      token,
      query,
    })
    const own = events.body.filter((event: Json) => event.target_iid === request.iid)
    expect(own.map((event: Json) => event.action_name)).toEqual(['opened', 'closed', 'opened'])
  })

  it('/reopen does nothing without the branch, with another open merge request, or with a locked discussion', async () => {
    const [branchless, doubled, locked] = [await open(), await open(), await open()]
    for (const request of [branchless, doubled]) await run(request, '/close')
    await run(locked, '/lock\n/close', 'maintainer')
    await repository.push(`:${branchless.branch}`)
    await fixture.server.buildMergeRequest(repository.project, doubled.branch, 'main')
    expect((await run(branchless, '/reopen', 'maintainer')).state).toBe('closed')
    expect((await run(doubled, '/reopen', 'maintainer')).state).toBe('closed')
    expect((await run(locked, '/reopen', 'maintainer')).state).toBe('closed')
  })

  it('/wip writes its own system note', async () => {
    const request = await open()
    await run(request, '/wip')
    expect((await run(request, '/wip')).title).toBe('A request')
    await run(request, '/title WIP: Another')
    expect(await systemNotes(request)).toEqual([
      'marked as a **Work In Progress**',
      'unmarked as a **Work In Progress**',
      'marked as a **Work In Progress**',
      'changed title from **{-A request-}** to **{+WIP: Another+}**',
    ])
  })

  it('/target_branch changes the target branch', async () => {
    const request = await open()
    await repository.git('branch', 'release', 'main')
    await repository.push('release')
    expect((await run(request, '/target_branch release', 'reporter')).target_branch).toBe('main')
    expect((await run(request, '/target_branch nowhere')).target_branch).toBe('main')
    expect((await run(request, '/target_branch main')).target_branch).toBe('main')
    expect((await run(request, `/target_branch ${request.branch}`)).target_branch).toBe('main')
    expect((await run(request, '/target_branch release')).target_branch).toBe('release')
    expect(await systemNotes(request)).toEqual(['changed target branch from `main` to `release`'])
  })

  it('/copy_metadata', async () => {
    const source = await open()
    await run(source, '/label ~"from here"')
    const request = await open()
    expect((await run(request, `/copy_metadata !${source.iid}`)).labels).toEqual(['from here'])
  })

  it('/todo, /done, /subscribe and /award', async () => {
    const request = await open()
    const { token } = fixture.stranger
    const pending = async () =>
      (await fixture.server.inject('GET', '/todos', { token })).body.length
    await run(request, '/todo', 'stranger')
    expect(await pending()).toBe(1)
    await run(request, '/done\n/subscribe', 'stranger')
    expect(await pending()).toBe(0)
    expect((await run(request, '/award :thumbsdown:', 'stranger')).downvotes).toBe(1)
  })

  it('/merge merges, for those who may', async () => {
    const request = await open()
    // The default branch is protected.
    for (const who of ['stranger', 'reporter', 'developer'] as const) {
      expect((await run(request, '/merge', who)).state).toBe('opened')
    }
    const merged = await run(request, '/merge', 'maintainer')
    expect(merged).toMatchObject({ state: 'merged', merged_by: { id: fixture.maintainer.id } })
    expect(await systemNotes(request)).toEqual(['merged'])
  })

  it('/merge does nothing for one that is work in progress or closed', async () => {
    const [draft, closed] = [await open(), await open()]
    await run(draft, '/wip', 'maintainer')
    await run(closed, '/close', 'maintainer')
    expect((await run(draft, '/merge', 'maintainer')).state).toBe('opened')
    expect((await run(closed, '/merge', 'maintainer')).state).toBe('closed')
  })

  it('/merge waits for the pipeline of the head, and then merges', async () => {
    const request = await open()
    const sha = (await read(request)).sha
    const report = (state: string) =>
      fixture.server.inject('POST', `/projects/${repository.project.id}/statuses/${sha}`, {
        token: fixture.server.root.token,
        body: { state, ref: request.branch },
      })
    await report('running')
    const waiting = await run(request, '/merge', 'maintainer')
    expect(waiting).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true })
    await report('success')
    await fixture.server.runJobs()
    expect((await read(request)).state).toBe('merged')
  })

  it('/approve approves, for eligible approvers', async () => {
    const request = await open({ authorId: fixture.maintainer.id })
    const approvers = async () => {
      const { token } = fixture.server.root
      const { body } = await fixture.server.inject('GET', `${path(request.iid)}/approvals`, {
        token,
      })
      return body.approved_by.map(({ user }: Json) => user.id)
    }
    for (const who of ['reporter', 'maintainer'] as const) await run(request, '/approve', who)
    expect(await approvers()).toEqual([])
    await run(request, '/approve')
    await run(request, '/approve')
    expect(await approvers()).toEqual([fixture.developer.id])
    expect(await systemNotes(request)).toEqual(['approved this merge request'])
  })

  it.each(['/confidential', '/due tomorrow', '/weight 1', '/move a/b'])(
    '%s does nothing',
    async (command) => {
      const request = await open()
      expect(await run(request, command)).toMatchObject({ title: 'A request', state: 'opened' })
      expect(await systemNotes(request)).toEqual([])
    },
  )

  it('update the issues to close after a new title', async () => {
    const { token } = fixture.server.root
    const issues = `/projects/${repository.project.id}/issues`
    const issue = await fixture.server.inject('POST', issues, { token, body: { title: 'x' } })
    const count = async () =>
      (await fixture.server.inject('GET', `${issues}/${issue.body.iid}`, { token })).body
        .merge_requests_count
    const request = await open()
    await run(request, `/title Fixes #${issue.body.iid}`)
    expect(await count()).toBe(1)
    await run(request, '/close')
    expect(await count()).toBe(0)
    await run(request, '/reopen')
    expect(await count()).toBe(1)
    await run(request, '/title Nothing')
    expect(await count()).toBe(0)
  })
})
