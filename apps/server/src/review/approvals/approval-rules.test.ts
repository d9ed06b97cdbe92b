import { maxApprovalRules } from '@stithy/core'
import { buildMember, buildUser } from '@stithy/store/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApprovalFixture } from '../../testing/fixtures/approvals.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const build = (project: object = {}) => buildApprovalFixture(server, project)
const ids = (resources: Json[]): number[] => resources.map(({ id }) => id)
const unauthorized = { status: 401, body: { message: '401 Unauthorized' } }
const taken = { status: 400, body: { message: { name: ['has already been taken'] } } }

describe('POST /projects/:id/approval_rules', () => {
  it('creates a rule with users and groups, and GET lists it', async () => {
    const { configure, member, user } = await build()
    const [one, inGroup, reporter] = [await member(), await member(), await member(20)]
    const group = await server.buildGroup({}, user)
    await server.addMember(`groups/${group.id}`, inGroup.id, 30)
    const { status, body } = await configure('POST', '/approval_rules', {
      name: ' Security ',
      approvals_required: 2,
      user_ids: [one.id, reporter.id, 999_999],
      group_ids: [group.id, 999_999],
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'Security',
      rule_type: 'regular',
      approvals_required: 2,
      contains_hidden_groups: false,
    })
    expect([ids(body.users), ids(body.groups)]).toEqual([[one.id], [group.id]])
    const approvers = [one.id, inGroup.id, user.id].toSorted((a, b) => a - b)
    expect(ids(body.approvers).toSorted((a, b) => a - b)).toEqual(approvers)
    expect(body.eligible_approvers).toEqual(body.approvers)
    expect((await configure('GET', '/approval_rules')).body).toEqual([body])
  })

  it('takes the older names of the lists', async () => {
    const { configure, member } = await build()
    const { id } = await member()
    const { body } = await configure('POST', '/approval_rules', {
      name: 'Old',
      approvals_required: 1,
      users: [id],
    })
    expect(ids(body.users)).toEqual([id])
  })

  it('answers 400 to a taken or bad name, a bad number, and to more rules than there may be', async () => {
    const { configure } = await build()
    const create = (name: string, number: unknown = 1) =>
      configure('POST', '/approval_rules', { name, approvals_required: number })
    expect((await create('One')).status).toBe(201)
    expect(await create('One')).toMatchObject(taken)
    expect((await create(' ')).body).toEqual({ message: { name: ["can't be blank"] } })
    expect((await create('x'.repeat(256))).status).toBe(400)
    expect((await create('Many', 101)).status).toBe(400)
    for (let index = 1; index < maxApprovalRules; index += 1) await create(`Rule ${index}`)
    expect(await create('One more')).toMatchObject({
      status: 400,
      body: { message: 'There may be at most 100 approval rules' },
    })
  })

  it('gives a name to one of several concurrent calls', async () => {
    const { configure } = await build()
    const rule = { name: 'Same', approvals_required: 1 }
    const calls = Array.from({ length: 4 }, () => configure('POST', '/approval_rules', rule))
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, 400, 400, 400])
  })

  it('answers 403 to a Developer, who may list the rules', async () => {
    const { member, path } = await build()
    const { token } = await member()
    const body = { name: 'x', approvals_required: 1 }
    const at = `/${path}/approval_rules`
    expect((await server.inject('POST', at, { token, body })).status).toBe(403)
    expect((await server.inject('GET', at, { token })).status).toBe(200)
  })
})

describe('PUT /projects/:id/approval_rules/:approval_rule_id', () => {
  it('replaces name, number and approvers; those not listed are removed', async () => {
    const { configure, member } = await build()
    const [one, other] = [await member(), await member()]
    const rule = { name: 'A', approvals_required: 1 }
    const made = await configure('POST', '/approval_rules', { ...rule, user_ids: [one.id] })
    const at = `/approval_rules/${made.body.id}`
    const change = { name: 'B', approvals_required: 3, user_ids: [other.id] }
    const { status, body } = await configure('PUT', at, change)
    expect([status, body.name, body.approvals_required]).toEqual([200, 'B', 3])
    expect(ids(body.users)).toEqual([other.id])
    const cleared = await configure('PUT', at, { user_ids: [] })
    expect(cleared.body.users).toEqual([])
  })

  it('keeps what is left out', async () => {
    const { configure, member, user } = await build()
    const [one, other] = [await member(), await member()]
    const group = await server.buildGroup({}, user)
    const rule = { name: 'A', approvals_required: 1 }
    const people = { user_ids: [one.id, other.id], group_ids: [group.id] }
    const { id } = (await configure('POST', '/approval_rules', { ...rule, ...people })).body
    const change = async (body: object) => {
      const answer = await configure('PUT', `/approval_rules/${id}`, body)
      expect(answer.status).toBe(200)
      expect((await configure('GET', '/approval_rules')).body).toEqual([answer.body])
      const { name, approvals_required: number, users, groups } = answer.body
      return [name, number, ids(users), ids(groups)]
    }
    const [users, groups] = [people.user_ids, people.group_ids]
    expect(await change({ name: 'B' })).toEqual(['B', 1, users, groups])
    expect(await change({ approvals_required: 2 })).toEqual(['B', 2, users, groups])
    expect(await change({ groups: [] })).toEqual(['B', 2, users, []])
    expect(await change({ users: [one.id] })).toEqual(['B', 2, [one.id], []])
    expect(await change({})).toEqual(['B', 2, [one.id], []])
    const blank = await configure('PUT', `/approval_rules/${id}`, { name: ' ' })
    expect(blank.body).toEqual({ message: { name: ["can't be blank"] } })
  })

  it('keeps both of two concurrent changes of different fields', async () => {
    const { configure, member } = await build()
    const [one, other] = [await member(), await member()]
    const rule = { name: 'A', approvals_required: 1, user_ids: [one.id] }
    const { id } = (await configure('POST', '/approval_rules', rule)).body
    const changes = [{ name: 'B' }, { approvals_required: 2 }, { user_ids: [other.id] }]
    await Promise.all(changes.map((body) => configure('PUT', `/approval_rules/${id}`, body)))
    const { body } = await configure('GET', `/approval_rules/${id}`)
    expect([body.name, body.approvals_required, ids(body.users)]).toEqual(['B', 2, [other.id]])
  })

  it('answers 400 to a taken name, and 404 to the rule of another project', async () => {
    const { configure } = await build()
    const other = await build()
    const rule = { name: 'A', approvals_required: 1 }
    await configure('POST', '/approval_rules', rule)
    const { body } = await configure('POST', '/approval_rules', { ...rule, name: 'B' })
    expect(await configure('PUT', `/approval_rules/${body.id}`, rule)).toMatchObject(taken)
    expect(await other.configure('PUT', `/approval_rules/${body.id}`, rule)).toMatchObject({
      status: 404,
      body: { message: '404 Approval Rule Not Found' },
    })
    expect((await other.call('DELETE', `/approval_rules/${body.id}`)).status).toBe(404)
  })

  it('keeps groups that are hidden from the caller, without their members, until told to', async () => {
    const { configure, call, member, path } = await build()
    const inside = await member()
    const hidden = await server.buildGroup({ visibility: 'private' })
    await server.addMember(`groups/${hidden.id}`, inside.id, 30)
    const { token } = server.root
    const rule = { name: 'A', approvals_required: 1 }
    const { body: made } = await server.inject('POST', `/${path}/approval_rules`, {
      token,
      body: { ...rule, group_ids: [hidden.id] },
    })
    const shown = { groups: [], approvers: [], contains_hidden_groups: true }
    expect((await configure('GET', '/approval_rules')).body).toMatchObject([shown])
    const at = `/approval_rules/${made.id}`
    expect((await configure('PUT', at, rule)).body).toMatchObject(shown)
    const state = await call('GET', '/approval_state')
    expect(state.body.rules).toMatchObject([{ ...shown, approved: false }])
    expect((await call('GET', '/approvals')).body.suggested_approvers).toEqual([])
    expect((await call('POST', '/approve', {}, inside.token)).body.approvals_left).toBe(0)
    const approved = (await call('GET', '/approval_state')).body
    expect(approved.rules).toMatchObject([{ ...shown, approved: true }])
    const removed = await configure('PUT', at, { ...rule, remove_hidden_groups: true })
    expect(removed.body.contains_hidden_groups).toBe(false)
  })
})

describe('GET /projects/:id/approval_rules/:approval_rule_id', () => {
  it('shows the rule of the project to who may list them, and 404 for any other', async () => {
    const { call, configure, member, path } = await build()
    const rule = { name: 'A', approvals_required: 1, user_ids: [(await member()).id] }
    const { body } = await configure('POST', '/approval_rules', rule)
    const own = (await call('POST', '/approval_rules', { ...rule, name: 'Own' })).body
    const { token } = await member(20)
    const show = (id: number) => server.inject('GET', `/${path}/approval_rules/${id}`, { token })
    expect(await show(body.id)).toMatchObject({ status: 200, body })
    for (const id of [own.id, 999_999]) {
      expect(await show(id)).toMatchObject({
        status: 404,
        body: { message: '404 Approval Rule Not Found' },
      })
    }
  })
})

describe('DELETE /projects/:id/approval_rules/:approval_rule_id', () => {
  it('deletes it; a rule of a merge request that replaced it stays', async () => {
    const { call, configure } = await build()
    const rule = { name: 'A', approvals_required: 1 }
    const { body } = await configure('POST', '/approval_rules', rule)
    await call('POST', '/approval_rules', {
      approval_project_rule_id: body.id,
      approvals_required: 2,
    })
    expect((await configure('DELETE', `/approval_rules/${body.id}`)).status).toBe(204)
    expect((await configure('GET', '/approval_rules')).body).toEqual([])
    expect((await call('GET', '/approval_state')).body.rules).toMatchObject([
      { name: 'A', approvals_required: 2, source_rule: null },
    ])
    expect((await configure('DELETE', `/approval_rules/${body.id}`)).status).toBe(404)
  })
})

describe('approval rules of a merge request', () => {
  it('are added to those of the project, and an approval counts for each that lists it', async () => {
    const { call, configure, member } = await build()
    const [both, one, none] = [await member(), await member(), await member()]
    await configure('POST', '/approval_rules', {
      name: 'Project',
      approvals_required: 2,
      user_ids: [both.id, one.id],
    })
    const own = { name: 'Own', approvals_required: 1, user_ids: [both.id] }
    expect((await call('POST', '/approval_rules', own)).status).toBe(201)
    expect((await call('GET', '/approval_rules')).body).toMatchObject([{ name: 'Own' }])
    expect(await call('POST', '/approve', {}, none.token)).toMatchObject(unauthorized)
    const { body } = await call('POST', '/approve', {}, both.token)
    expect([body.approvals_required, body.approvals_left]).toEqual([3, 1])
    const state = await call('GET', '/approval_state')
    expect(state.body).toMatchObject({
      approval_rules_overwritten: true,
      rules: [
        { name: 'Project', approved: false, approved_by: [{ id: both.id }], source_rule: null },
        { name: 'Own', approved: true, approved_by: [{ id: both.id }] },
      ],
    })
    expect((await call('PUT', '/merge')).status).toBe(405)
    await call('POST', '/approve', {}, one.token)
    expect((await call('PUT', '/merge')).status).toBe(200)
  })

  it('ignore approvals_before_merge where there are rules', async () => {
    const { call, configure } = await build({ approvals_before_merge: 3 })
    await configure('POST', '/approval_rules', { name: 'A', approvals_required: 1 })
    expect((await call('GET', '/approvals')).body.approvals_required).toBe(1)
  })

  it('copy name and approvers of a rule of the project, whose number they may only raise', async () => {
    const { call, configure, member } = await build()
    const [one, other] = [await member(), await member()]
    const rule = { name: 'A', approvals_required: 2, user_ids: [one.id] }
    const source = (await configure('POST', '/approval_rules', rule)).body
    const replace = (number: number) =>
      call('POST', '/approval_rules', {
        approval_project_rule_id: source.id,
        approvals_required: number,
      })
    expect((await replace(1)).body.message).toHaveProperty('approvals_required')
    const { status, body } = await replace(3)
    expect([status, body.name, ids(body.users)]).toEqual([201, 'A', [one.id]])
    expect(await replace(3)).toMatchObject(taken)
    const lower = { name: 'A', approvals_required: 1, user_ids: [other.id] }
    expect((await call('PUT', `/approval_rules/${body.id}`, lower)).status).toBe(400)
    const changed = { ...lower, approvals_required: 2 }
    expect((await call('PUT', `/approval_rules/${body.id}`, changed)).status).toBe(200)
    const { rules } = (await call('GET', '/approval_state')).body
    expect(rules).toMatchObject([{ id: body.id, source_rule: { id: source.id } }])
    await configure('PUT', `/approval_rules/${source.id}`, { ...rule, approvals_required: 5 })
    expect((await call('GET', '/approval_state')).body.rules[0].approvals_required).toBe(5)
    expect((await call('DELETE', `/approval_rules/${body.id}`)).status).toBe(204)
    expect((await call('GET', '/approval_state')).body).toMatchObject({
      approval_rules_overwritten: false,
      rules: [{ id: source.id, source_rule: null }],
    })
  })

  it('are shown one by one, and keep what a change leaves out', async () => {
    const { call, configure, member } = await build()
    const rule = { name: 'Own', approvals_required: 1, user_ids: [(await member()).id] }
    const { body } = await call('POST', '/approval_rules', rule)
    const at = `/approval_rules/${body.id}`
    expect(await call('GET', at)).toMatchObject({ status: 200, body })
    const changed = await call('PUT', at, { approvals_required: 3 })
    expect(changed).toMatchObject({ status: 200, body: { ...body, approvals_required: 3 } })
    const ofProject = { ...rule, name: 'Project' }
    const other = (await configure('POST', '/approval_rules', ofProject)).body
    expect((await call('GET', `/approval_rules/${other.id}`)).status).toBe(404)
  })

  it('answer 404 to an unknown rule of the project, and 400 without a name', async () => {
    const { call } = await build()
    const number = { approvals_required: 1 }
    const unknown = { ...number, approval_project_rule_id: 999_999 }
    expect((await call('POST', '/approval_rules', unknown)).status).toBe(404)
    expect((await call('POST', '/approval_rules', number)).status).toBe(400)
  })

  it('answer 403 and have no effect where the project does not allow them', async () => {
    const { call, configure } = await build()
    const rule = { name: 'Own', approvals_required: 1 }
    const { id } = (await call('POST', '/approval_rules', rule)).body
    const set = { disable_overriding_approvers_per_merge_request: true }
    await configure('POST', '/approvals', set)
    expect((await call('POST', '/approval_rules', { ...rule, name: 'B' })).status).toBe(403)
    expect((await call('PUT', `/approval_rules/${id}`, rule)).status).toBe(403)
    expect((await call('DELETE', `/approval_rules/${id}`)).status).toBe(403)
    const state = { approval_rules_overwritten: false, rules: [] }
    expect((await call('GET', '/approval_state')).body).toEqual(state)
  })

  it('count Developers where fewer are listed than required, and never the author', async () => {
    const { author, call, member } = await build()
    const developer = await member()
    const rule = { name: 'Own', approvals_required: 2, user_ids: [author.id] }
    const { body } = await call('POST', '/approval_rules', rule)
    expect([ids(body.users), body.approvers]).toEqual([[author.id], []])
    expect((await call('POST', '/approve', {}, developer.token)).status).toBe(201)
    expect(await call('POST', '/approve', {}, author.token)).toMatchObject(unauthorized)
  })

  it('add todos for the approvers that they gain, except who adds them', async () => {
    const { call, member, user } = await build()
    const [one, other] = [await member(), await member()]
    const todosOf = async ({ token }: { token: string }) =>
      (await server.inject('GET', '/todos', { token })).body.map((todo: Json) => todo.action_name)
    const rule = { name: 'Own', approvals_required: 1, user_ids: [one.id, user.id] }
    const { body } = await call('POST', '/approval_rules', rule)
    await server.runJobs()
    expect([await todosOf(one), await todosOf(user)]).toEqual([['approval_required'], []])
    await server.inject('POST', '/todos/mark_as_done', { token: one.token })
    const more = { ...rule, user_ids: [one.id, other.id] }
    await call('PUT', `/approval_rules/${body.id}`, more)
    await server.runJobs()
    expect([await todosOf(one), await todosOf(other)]).toEqual([[], ['approval_required']])
  })
})

describe('POST /projects/:id/merge_requests/:merge_request_iid/approval_rules', () => {
  it('adds to the number of the project, which it does not replace', async () => {
    const { author, call, member } = await build({ approvals_before_merge: 2 })
    const [one, other] = [await member(), await member()]
    const rule = { name: 'Mine', approvals_required: 0, user_ids: [one.id] }
    expect((await call('POST', '/approval_rules', rule, author.token)).status).toBe(201)
    const shown = async () => (await call('GET', '/approvals')).body
    expect(await shown()).toMatchObject({ approvals_required: 2, approvals_left: 2 })
    expect((await call('PUT', '/merge')).status).toBe(405)
    for (const { token } of [one, other]) await call('POST', '/approve', {}, token)
    expect(await shown()).toMatchObject({ approvals_left: 0 })
    expect((await call('PUT', '/merge')).status).toBe(200)
  })
})

describe('GET /projects/:id/approval_rules', () => {
  it('shows as many approvers of each of many rules as its answer may have', async () => {
    const { db } = server.app
    const group = await server.buildGroup()
    const project = await server.buildProject({ namespace_id: group.id })
    for (let count = 0; count < 105; count += 1) {
      const member = await buildUser(db, { username: `approver${count}` })
      await buildMember(db, member, { kind: 'group', id: group.id }, 30)
    }
    const path = `/projects/${project.id}/approval_rules`
    const { token } = server.root
    const body = { name: 'Everyone', approvals_required: 1, group_ids: [group.id] }
    const { id } = (await server.inject('POST', path, { token, body })).body
    const [alone] = (await server.inject('GET', path, { token })).body
    expect(alone.eligible_approvers).toHaveLength(106)
    await db.transaction(async (tx) => {
      for (let count = 1; count < maxApprovalRules; count += 1) {
        const name = `Rule ${count}`
        await tx.run('test.copy-rule', { id, name }, (q, $) =>
          q
            .insertInto('approvalRules')
            .columns(['projectId', 'kind', 'name', 'approvalsRequired', 'createdAt'])
            .expression((eb) =>
              eb
                .selectFrom('approvalRules')
                .where('id', '=', $('id'))
                .select((of) => [
                  'projectId',
                  'kind',
                  of.cast<string>(of.val($('name')), 'text').as('name'),
                  'approvalsRequired',
                  'createdAt',
                ]),
            ),
        )
      }
      await tx.run('test.list-group', { id, groupId: group.id }, (q, $) =>
        q
          .insertInto('approvalRuleGroups')
          .columns(['ruleId', 'groupId'])
          .expression((eb) =>
            eb
              .selectFrom('approvalRules as rule')
              .innerJoin('approvalRules as first', 'first.projectId', 'rule.projectId')
              .innerJoin('namespaces', (join) => join.onTrue())
              .where('first.id', '=', $('id'))
              .where('rule.id', '<>', $('id'))
              .where('namespaces.id', '=', $('groupId'))
              .select(['rule.id', 'namespaces.id as groupId']),
          ),
      )
    })
    const rules: Json[] = (await server.inject('GET', path, { token })).body
    expect(rules.map((rule) => rule.eligible_approvers.length)).toEqual(Array(100).fill(100))
    expect(rules.map((rule) => rule.groups.length)).toEqual(Array(100).fill(1))
  })
})

describe('the number of queries', () => {
  it('does not grow with rules and approvers', async () => {
    const { call, configure, member } = await build()
    const queriesOf = async (path: string) => {
      const before = server.app.db.stats.queries
      expect((await call('GET', path)).status).toBe(200)
      return server.app.db.stats.queries - before
    }
    const paths = ['/approvals', '/approval_state', '/approval_rules']
    const fill = async (name: string) => {
      const users = [await member(), await member()].map(({ id }) => id)
      const group = await server.buildGroup({ visibility: 'public' })
      const rule = { name, approvals_required: 1, user_ids: users, group_ids: [group.id] }
      await configure('POST', '/approval_rules', rule)
      await call('POST', '/approval_rules', { ...rule, name: `Own ${name}` })
    }
    await fill('A')
    const counts: number[] = []
    for (const path of paths) counts.push(await queriesOf(path))
    await fill('B')
    await fill('C')
    for (const [index, path] of paths.entries()) {
      expect(await queriesOf(path)).toBeLessThanOrEqual(counts[index] ?? 0)
    }
    expect(Math.max(...counts)).toBeLessThanOrEqual(25)
  })
})
