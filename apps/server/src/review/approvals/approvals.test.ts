import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildApprovalFixture, userIds } from '../../testing/fixtures/approvals.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { runRebase } from '../merging/rebase.service.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const build = (project: object = {}) => buildApprovalFixture(server, project)
const unauthorized = { status: 401, body: { message: '401 Unauthorized' } }

describe('POST /projects/:id/merge_requests/:merge_request_iid/approve', () => {
  it('approves, with a note, and shows who has', async () => {
    const { call, member, notes } = await build({ approvals_before_merge: 2 })
    const developer = await member()
    const { status, body } = await call('POST', '/approve', {}, developer.token)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      title: 'A title',
      state: 'opened',
      merge_status: 'can_be_merged',
      approvals_required: 2,
      approvals_left: 1,
      approvers: [],
      approver_groups: [],
      suggested_approvers: [],
      user_has_approved: true,
      user_can_approve: false,
    })
    expect(userIds(body.approved_by)).toEqual([developer.id])
    expect((await call('GET', '/approvals')).body).toMatchObject({
      approvals_left: 1,
      user_has_approved: false,
      user_can_approve: true,
    })
    expect(await notes()).toEqual(['approved this merge request'])
  })

  it('answers 401 to the author, unless the project lets authors approve', async () => {
    const { author, call, configure } = await build()
    expect(await call('POST', '/approve', {}, author.token)).toMatchObject(unauthorized)
    const set = { merge_requests_author_approval: true }
    expect((await configure('POST', '/approvals', set)).status).toBe(201)
    expect((await call('POST', '/approve', {}, author.token)).status).toBe(201)
  })

  it('answers 401 to who is below Developer, listed or not', async () => {
    const { call, configure, member } = await build()
    const reporter = await member(20)
    await configure('PUT', '/approvers', { approver_ids: [reporter.id], approver_group_ids: [] })
    expect(await call('POST', '/approve', {}, reporter.token)).toMatchObject(unauthorized)
  })

  it('answers 401 the second time, and of two calls at once one succeeds', async () => {
    const { call, member, notes } = await build()
    const { token } = await member()
    const { db } = server.app
    const transact = db.transaction.bind(db)
    const bothChecked = Promise.withResolvers<void>()
    let arrived = 0
    const spy = vi.spyOn(db, 'transaction').mockImplementation(async (work) => {
      arrived += 1
      if (arrived === 2) bothChecked.resolve()
      await bothChecked.promise
      return transact(work)
    })
    const calls = [1, 2].map(() => call('POST', '/approve', {}, token))
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    spy.mockRestore()
    expect(statuses.toSorted()).toEqual([201, 401])
    expect(await call('POST', '/approve', {}, token)).toMatchObject(unauthorized)
    expect(await notes()).toEqual(['approved this merge request'])
  })

  it('answers 401 when it is not open', async () => {
    const { call, member } = await build()
    const { token } = await member()
    await call('PUT', '', { state_event: 'close' })
    expect(await call('POST', '/approve', {}, token)).toMatchObject(unauthorized)
  })

  it('answers 409 when sha is not the head, also after a push that was not processed', async () => {
    const { call, commitTo, member, push, row } = await build()
    const { token } = await member()
    const { headSha: sha } = await row()
    const wrong = await call('POST', '/approve', { sha: '0'.repeat(40) }, token)
    expect(wrong).toMatchObject({
      status: 409,
      body: { message: `SHA does not match HEAD of source branch: ${sha}` },
    })
    await commitTo('topic', { 'd.txt': 'd\n' }, 'Unseen')
    await push('topic')
    expect((await call('POST', '/approve', { sha }, token)).status).toBe(409)
    const { headSha } = await row()
    expect((await call('POST', '/approve', { sha: headSha }, token)).status).toBe(201)
    await server.runJobs()
    expect((await call('GET', '/approvals')).body.approved_by).toHaveLength(1)
  })

  it('answers 409 when a push is processed after the check, and keeps no approval', async () => {
    const { call, commitTo, member, notes, push } = await build()
    const { token } = await member()
    const { db } = server.app
    const transact = db.transaction.bind(db)
    const spy = vi.spyOn(db, 'transaction').mockImplementationOnce(async (work) => {
      await commitTo('topic', { 'd.txt': 'd\n' }, 'Not reviewed')
      await push('topic')
      await server.runJobs()
      return transact(work)
    })
    const { status } = await call('POST', '/approve', {}, token)
    spy.mockRestore()
    expect(status).toBe(409)
    expect((await call('GET', '/approvals')).body.approved_by).toEqual([])
    expect(await notes()).not.toContain('approved this merge request')
  })

  it('answers 401 to a wrong approval_password, and 429 to many', async () => {
    const { call, member } = await build()
    const { password, token } = await member()
    const wrong = { approval_password: 'a wrong password' }
    expect(await call('POST', '/approve', wrong, token)).toMatchObject(unauthorized)
    const right = await call('POST', '/approve', { approval_password: password }, token)
    expect(right.status).toBe(201)
    const other = await member()
    const statuses: number[] = []
    for (let attempt = 0; attempt < 11; attempt += 1) {
      statuses.push((await call('POST', '/approve', wrong, other.token)).status)
    }
    expect(statuses.at(-1)).toBe(429)
  })

  it('answers 403 in an archived project, which still shows the approvals', async () => {
    const { call, configure, member, path } = await build()
    const developer = await member()
    await configure('PUT', '/approvers', { approver_ids: [developer.id], approver_group_ids: [] })
    await server.inject('POST', `/${path}/archive`, { token: server.root.token })
    expect((await call('POST', '/approve', {}, developer.token)).status).toBe(403)
    const { body } = await call('GET', '/approvals')
    expect(body.suggested_approvers.map(({ id }: Json) => id)).toEqual([developer.id])
  })

  it('marks the pending todo of the approver as done', async () => {
    const { call, member, request } = await build()
    const approver = await member()
    await call('PUT', '/approvers', { approver_ids: [approver.id], approver_group_ids: [] })
    await server.runJobs()
    const todos = async () => {
      const { body } = await server.inject('GET', '/todos', { token: approver.token })
      return body.map((todo: Json) => [todo.action_name, todo.target.id])
    }
    expect(await todos()).toEqual([['approval_required', request.id]])
    await call('POST', '/approve', {}, approver.token)
    expect(await todos()).toEqual([])
  })
})

describe('POST /projects/:id/merge_requests/:merge_request_iid/unapprove', () => {
  it('takes the approval of the caller back, with a note', async () => {
    const { call, member, notes } = await build()
    const [one, other] = [await member(), await member()]
    await call('POST', '/approve', {}, one.token)
    await call('POST', '/approve', {}, other.token)
    const { status, body } = await call('POST', '/unapprove', {}, one.token)
    expect(status).toBe(201)
    expect(userIds(body.approved_by)).toEqual([other.id])
    expect(await notes()).toContain('unapproved this merge request')
    expect((await call('POST', '/approve', {}, one.token)).status).toBe(201)
  })

  it('answers 404 to who did not approve, and once it is merged', async () => {
    const { call, member } = await build()
    const { token } = await member()
    expect((await call('POST', '/unapprove', {}, token)).status).toBe(404)
    await call('POST', '/approve', {}, token)
    expect((await call('PUT', '/merge')).status).toBe(200)
    expect((await call('POST', '/unapprove', {}, token)).status).toBe(404)
  })

  it('also works on a closed merge request', async () => {
    const { call, member, notes } = await build()
    const { token } = await member()
    await call('POST', '/approve', {}, token)
    await call('PUT', '', { state_event: 'close' })
    const { status, body } = await call('POST', '/unapprove', {}, token)
    expect([status, body.state, body.approved_by]).toEqual([201, 'closed', []])
    expect(await notes()).toContain('unapproved this merge request')
  })
})

describe('PUT /projects/:id/merge_requests/:merge_request_iid/merge by an approver', () => {
  it('ends their todo, and leaves those of others', async () => {
    const { call, member } = await build()
    const [one, other] = [await member(40), await member()]
    await call('PUT', '/approvers', { approver_ids: [one.id, other.id], approver_group_ids: [] })
    await server.runJobs()
    const pending = async ({ token }: { token: string }) =>
      (await server.inject('GET', '/todos', { token })).body.length
    expect([await pending(one), await pending(other)]).toEqual([1, 1])
    expect((await call('PUT', '/merge', {}, one.token)).status).toBe(200)
    expect([await pending(one), await pending(other)]).toEqual([0, 1])
  })
})

describe('eligible approvers without rules', () => {
  it('are those listed, and Developers where these are fewer than required', async () => {
    const { call, configure, member } = await build({ approvals_before_merge: 1 })
    const [listed, developer] = [await member(), await member()]
    await configure('PUT', '/approvers', { approver_ids: [listed.id], approver_group_ids: [] })
    expect(await call('POST', '/approve', {}, developer.token)).toMatchObject(unauthorized)
    await configure('POST', '/approvals', { approvals_before_merge: 2 })
    expect((await call('POST', '/approve', {}, developer.token)).status).toBe(201)
    expect((await call('POST', '/approve', {}, listed.token)).body.approvals_left).toBe(0)
  })

  it('include direct members of listed groups', async () => {
    const { call, configure, member, user } = await build({ approvals_before_merge: 1 })
    const [inGroup, outside] = [await member(), await member()]
    const group = await server.buildGroup({}, user)
    await server.addMember(`groups/${group.id}`, inGroup.id, 10)
    const { body } = await configure('PUT', '/approvers', {
      approver_ids: [],
      approver_group_ids: [group.id],
    })
    expect(body.approver_groups.map((each: Json) => each.group.id)).toEqual([group.id])
    expect(await call('POST', '/approve', {}, outside.token)).toMatchObject(unauthorized)
    expect((await call('POST', '/approve', {}, inGroup.token)).status).toBe(201)
  })

  it('no longer count when they leave the project', async () => {
    const { call, member, path } = await build({ approvals_before_merge: 1 })
    const approver = await member()
    const approved = await call('POST', '/approve', {}, approver.token)
    expect(approved.body.approvals_left).toBe(0)
    await server.inject('DELETE', `/${path}/members/${approver.id}`, { token: server.root.token })
    expect((await call('GET', '/approvals')).body.approvals_left).toBe(1)
  })
})

describe('POST /projects/:id/approvals', () => {
  it('sets what is given, and GET shows it', async () => {
    const { configure } = await build()
    expect((await configure('GET', '/approvals')).body).toEqual({
      approvers: [],
      approver_groups: [],
      approvals_before_merge: 0,
      reset_approvals_on_push: true,
      disable_overriding_approvers_per_merge_request: false,
      merge_requests_author_approval: false,
    })
    const set = { approvals_before_merge: 3, reset_approvals_on_push: false }
    const { status, body } = await configure('POST', '/approvals', set)
    expect([status, body]).toMatchObject([201, set])
    const more = { disable_overriding_approvers_per_merge_request: true }
    expect((await configure('POST', '/approvals', more)).body).toMatchObject({ ...set, ...more })
    expect((await configure('GET', '')).body.approvals_before_merge).toBe(3)
  })

  it.each([-1, 101, 'x'])('answers 400 to the number %s', async (number) => {
    const { configure } = await build()
    const set = { approvals_before_merge: number }
    expect((await configure('POST', '/approvals', set)).status).toBe(400)
  })
})

describe('PUT /projects/:id/approvers', () => {
  it('replaces both lists, and ignores who may not approve and hidden groups', async () => {
    const { configure, member, path, user } = await build()
    const [one, other, reporter] = [await member(), await member(), await member(20)]
    const stranger = await server.buildUser()
    const group = await server.buildGroup({}, user)
    const hidden = await server.buildGroup({ visibility: 'private' })
    const set = (ids: number[], groups: number[]) =>
      configure('PUT', '/approvers', { approver_ids: ids, approver_group_ids: groups })
    const ids = [one.id, reporter.id, stranger.id, 999_999]
    const first = await set(ids, [group.id, hidden.id, 999_999])
    expect(first.status).toBe(200)
    expect(userIds(first.body.approvers)).toEqual([one.id])
    const { body: seenByRoot } = await server.inject('GET', `/${path}/approvals`, {
      token: server.root.token,
    })
    expect(seenByRoot.approver_groups.map((each: Json) => each.group.id)).toEqual([group.id])
    const second = await set([other.id], [])
    expect(userIds(second.body.approvers)).toEqual([other.id])
    expect(second.body.approver_groups).toEqual([])
  })

  it('answers 400 without one of the lists', async () => {
    const { configure } = await build()
    expect((await configure('PUT', '/approvers', { approver_ids: [] })).status).toBe(400)
    expect((await configure('PUT', '/approvers', { approver_group_ids: [] })).status).toBe(400)
  })

  it('keeps one list under concurrent calls', async () => {
    const { configure, member } = await build()
    const users = [await member(), await member(), await member()]
    const sent = users.map(({ id }) =>
      configure('PUT', '/approvers', { approver_ids: [id], approver_group_ids: [] }),
    )
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await configure('GET', '/approvals')).body.approvers).toHaveLength(1)
  })
})

describe('POST and PUT on the approvals of a merge request', () => {
  it('raise the number of the project, and answer 400 to a lower one', async () => {
    const { call, configure } = await build({ approvals_before_merge: 2 })
    const raised = await call('POST', '/approvals', { approvals_required: 3 })
    expect([raised.status, raised.body.approvals_required]).toEqual([201, 3])
    expect((await call('GET', '')).body.approvals_before_merge).toBe(3)
    expect(await call('POST', '/approvals', { approvals_required: 1 })).toMatchObject({
      status: 400,
      body: { message: { approvals_required: [expect.stringMatching(/equal to 2/)] } },
    })
    await configure('POST', '/approvals', { approvals_before_merge: 5 })
    expect((await call('GET', '/approvals')).body.approvals_required).toBe(5)
  })

  it('replace the approvers of the project', async () => {
    const { call, configure, member } = await build({ approvals_before_merge: 1 })
    const [ofProject, ofRequest] = [await member(), await member()]
    await configure('PUT', '/approvers', { approver_ids: [ofProject.id], approver_group_ids: [] })
    const { status, body } = await call('PUT', '/approvers', {
      approver_ids: [ofRequest.id],
      approver_group_ids: [],
    })
    expect([status, userIds(body.approvers)]).toEqual([200, [ofRequest.id]])
    expect(await call('POST', '/approve', {}, ofProject.token)).toMatchObject(unauthorized)
    expect((await call('POST', '/approve', {}, ofRequest.token)).status).toBe(201)
  })

  it('answer 403 and have no effect where the project does not allow it', async () => {
    const { call, configure } = await build()
    await call('POST', '/approvals', { approvals_required: 3 })
    const set = { disable_overriding_approvers_per_merge_request: true }
    await configure('POST', '/approvals', set)
    const lists = { approver_ids: [], approver_group_ids: [] }
    expect((await call('POST', '/approvals', { approvals_required: 3 })).status).toBe(403)
    expect((await call('PUT', '/approvers', lists)).status).toBe(403)
    expect((await call('GET', '/approvals')).body.approvals_required).toBe(0)
  })

  it('answer 403 to a reader', async () => {
    const { call, member } = await build()
    const { token } = await member(20)
    const sent = await call('POST', '/approvals', { approvals_required: 3 }, token)
    expect(sent.status).toBe(403)
  })
})

describe('a push to the source branch', () => {
  const pushed = async (project: object = {}) => {
    const fixture = await build()
    const { call, commitTo, configure, member, push } = fixture
    await configure('POST', '/approvals', project)
    await call('POST', '/approve', {}, (await member()).token)
    await commitTo('topic', { 'd.txt': 'd\n' }, 'More')
    await push('topic')
    await server.runJobs()
    return (await call('GET', '/approvals')).body.approved_by.length
  }

  it('removes the approvals, unless the project keeps them', async () => {
    expect(await pushed()).toBe(0)
    expect(await pushed({ reset_approvals_on_push: false })).toBe(1)
  })

  it('is not needed where another target branch makes it another change', async () => {
    const retargeted = async (project: object) => {
      const { call, configure, member, push } = await build()
      await configure('POST', '/approvals', project)
      await push('main:other')
      await call('POST', '/approve', {}, (await member()).token)
      expect((await call('PUT', '', { target_branch: 'other' })).status).toBe(200)
      return (await call('GET', '/approvals')).body.approved_by.length
    }
    expect(await retargeted({})).toBe(0)
    expect(await retargeted({ reset_approvals_on_push: false })).toBe(1)
  })

  it('keeps them if it is a rebase, and removes them if something else was pushed', async () => {
    const { call, commitTo, member, push, request, row, user } = await build()
    const { token } = await member()
    await call('POST', '/approve', {}, token)
    const approved = async () => (await call('GET', '/approvals')).body.approved_by.length
    await commitTo('main', { 'e.txt': 'e\n' }, 'On main')
    await push('main')
    await server.runJobs()
    const rebase = async () => {
      const { headSha } = await row()
      expect((await call('PUT', '/rebase')).status).toBe(202)
      const startedAt = (await row()).rebaseStartedAt ?? 0
      await runRebase(server.app, { id: request.id, userId: user.id, startedAt })
      expect((await row()).headSha).not.toBe(headSha)
    }
    await rebase()
    expect(await approved()).toBe(1)
    await server.runJobs()
    expect(await approved()).toBe(1)
    await commitTo('topic', { 'f.txt': 'f\n' }, 'Not reviewed')
    await push('--force', 'topic')
    await rebase()
    expect(await approved()).toBe(0)
  })

  it('keeps them when the target branch moves', async () => {
    const { call, commitTo, member, push } = await build()
    await call('POST', '/approve', {}, (await member()).token)
    await commitTo('main', { 'e.txt': 'e\n' }, 'On main')
    await push('main')
    await server.runJobs()
    expect((await call('GET', '/approvals')).body.approved_by).toHaveLength(1)
  })
})

describe('PUT /projects/:id/merge_requests/:merge_request_iid/merge', () => {
  it('answers 405 until it has the approvals that it needs', async () => {
    const { call, member } = await build({ approvals_before_merge: 1 })
    expect((await call('PUT', '/merge')).status).toBe(405)
    await call('POST', '/approve', {}, (await member()).token)
    expect(await call('PUT', '/merge')).toMatchObject({ status: 200, body: { state: 'merged' } })
  })
})

describe('POST /projects/:id/merge_requests', () => {
  it('takes approvals_before_merge, and adds todos for the approvers', async () => {
    const { author, commitTo, configure, member, path, push } = await build()
    await commitTo('other', { 'o.txt': 'o\n' }, 'Other')
    await push('other')
    const [approver, inGroup] = [await member(), await member()]
    const group = await server.buildGroup({ visibility: 'public' })
    await server.addMember(`groups/${group.id}`, inGroup.id, 30)
    await configure('PUT', '/approvers', {
      approver_ids: [approver.id, author.id],
      approver_group_ids: [group.id],
    })
    const { body } = await server.inject('POST', `/${path}/merge_requests`, {
      token: author.token,
      body: {
        source_branch: 'other',
        target_branch: 'main',
        title: 'Another',
        approvals_before_merge: 2,
      },
    })
    expect(body.approvals_before_merge).toBe(2)
    await server.runJobs()
    for (const [{ token }, actions] of [
      [approver, ['approval_required']],
      [inGroup, ['approval_required']],
      [author, []],
    ] as const) {
      const todos = await server.inject('GET', '/todos', { token })
      expect(todos.body.map((todo: Json) => todo.action_name)).toEqual(actions)
    }
  })
})

describe('deleting an approver', () => {
  it('removes the approval and the listing', async () => {
    const { call, configure, member } = await build({ approvals_before_merge: 1 })
    const approver = await member()
    await configure('PUT', '/approvers', { approver_ids: [approver.id], approver_group_ids: [] })
    await call('POST', '/approve', {}, approver.token)
    await server.inject('DELETE', `/users/${approver.id}`, { token: server.root.token })
    await server.runJobs()
    const { body } = await call('GET', '/approvals')
    expect([body.approved_by, body.approvers, body.approvals_left]).toEqual([[], [], 1])
  })

  it('keeps nothing that counts of a user who is blocked', async () => {
    const { call, configure, member } = await build({ approvals_before_merge: 1 })
    const approver = await member()
    await call('POST', '/approve', {}, approver.token)
    expect((await call('GET', '/approvals')).body.approvals_left).toBe(0)
    await server.inject('POST', `/users/${approver.id}/block`, { token: server.root.token })
    expect((await call('GET', '/approvals')).body.approvals_left).toBe(1)
    const lists = { approver_ids: [approver.id], approver_group_ids: [] }
    expect((await configure('PUT', '/approvers', lists)).body.approvers).toEqual([])
    expect((await call('PUT', '/merge')).status).toBe(405)
  })

  it('removes a deleted group from the lists', async () => {
    const { configure, user } = await build()
    const group = await server.buildGroup({}, user)
    const lists = { approver_ids: [], approver_group_ids: [group.id] }
    await configure('PUT', '/approvers', lists)
    await server.inject('DELETE', `/groups/${group.id}`, { token: user.token })
    expect((await configure('GET', '/approvals')).body.approver_groups).toEqual([])
    await server.runJobs()
    expect((await configure('GET', '/approvals')).body.approver_groups).toEqual([])
  })
})

describe('GET /projects/:id/merge_requests?approver_ids', () => {
  it('works as well below groups and everywhere', async () => {
    const { user } = await build()
    const group = await server.buildGroup({}, user)
    const { author, configure, member, request } = await build({ namespace_id: group.id })
    const [one, other] = [await member(), await member()]
    await configure('PUT', '/approvers', { approver_ids: [one.id], approver_group_ids: [] })
    const { token } = server.root
    const search = `source_branch=topic&author_id=${author.id}`
    for (const list of [`/groups/${group.id}/merge_requests?`, '/merge_requests?scope=all&']) {
      const ids = async (approvers: string) => {
        const { body } = await server.inject('GET', `${list}${search}&${approvers}`, { token })
        return body.map((each: Json) => each.id)
      }
      expect(await ids(`approver_ids[]=${one.id}`)).toEqual([request.id])
      expect(await ids('approver_ids=Any')).toEqual([request.id])
      expect(await ids(`approver_ids[]=${other.id}`)).toEqual([])
      expect(await ids('approver_ids=None')).toEqual([])
    }
  })

  it('filters by users who are listed themselves', async () => {
    const { call, configure, member, request } = await build()
    const [one, other] = [await member(), await member()]
    const list = async (query: string) => {
      const { body } = await configure('GET', `/merge_requests?${query}`)
      return body.map((each: Json) => each.id)
    }
    const both = `approver_ids[]=${one.id}&approver_ids[]=${other.id}`
    expect(await list('approver_ids=None')).toEqual([request.id])
    expect(await list('approver_ids=Any')).toEqual([])
    await configure('PUT', '/approvers', { approver_ids: [one.id], approver_group_ids: [] })
    expect(await list(`approver_ids=${one.id}`)).toEqual([request.id])
    expect(await list(both)).toEqual([])
    await call('POST', '/approval_rules', {
      name: 'More',
      approvals_required: 1,
      user_ids: [other.id],
    })
    expect(await list(both)).toEqual([request.id])
    await call('PUT', '/approvers', { approver_ids: [], approver_group_ids: [] })
    expect(await list(both)).toEqual([])
    expect(await list('approver_ids=Any')).toEqual([request.id])
    expect(await list('approver_ids=None')).toEqual([])
  })
})
