import { setImmediate } from 'node:timers/promises'
import { findWrongCounts } from '@stithy/store/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let maintainer: TestUser
let group: Json
let below: Json
let projects: Json[]

beforeAll(async () => {
  server = await buildTestServer()
  maintainer = await server.buildUser()
})
afterAll(() => server.close())

beforeEach(async () => {
  group = await server.buildGroup()
  below = await server.buildGroup({ parent_id: group.id })
  await server.addMember(`groups/${group.id}`, maintainer.id, 40)
  projects = []
  for (const parent of [group, group, below]) {
    projects.push(await server.buildProject({ namespace_id: parent.id }))
  }
})

const call = (method: string, path: string, body?: unknown, who: { token: string } = maintainer) =>
  callAs(server, method, path, who.token, body)

const made = (path: string, body: object) => created(server, path, body)

const at = (index: number) => `/projects/${projects[index]?.id}`
const build = (index: number, name: string, more = {}) =>
  made(`${at(index)}/labels`, { name, color: '#112233', ...more })
const promote = (index: number, name: string, who: { token: string } = maintainer) =>
  call('PUT', `${at(index)}/labels/${encodeURIComponent(name)}/promote`, undefined, who)

/** Many closed issues with a label, directly in the database. */
async function buildLabelledIssues(index: number, labelId: number, length: number) {
  const { db } = server.app
  for (let iid = 1; iid <= length; iid += 1) {
    await setImmediate()
    const args = { projectId: projects[index]?.id ?? 0, iid, labelId }
    const issue = await db.first('test.labelled-issue', args, (kysely, $) =>
      kysely
        .insertInto('issues')
        .values({
          projectId: $('projectId'),
          iid: $('iid'),
          authorId: 1,
          title: 'one of many',
          state: 'closed',
          labelCount: 1,
          createdAt: $('iid'),
          updatedAt: $('iid'),
        })
        .returning('id'),
    )
    await db.run('test.link', { ...args, targetId: issue?.id ?? 0 }, (kysely, $) =>
      kysely.insertInto('labelLinks').values({
        targetType: 'issue',
        targetId: $('targetId'),
        labelId: $('labelId'),
        projectId: $('projectId'),
        createdAt: $('iid'),
      }),
    )
  }
}

describe('PUT /projects/:id/labels/:label_id/promote', () => {
  it('merges the labels of the projects into one group label', async () => {
    const labels = [
      await build(0, 'a/b', { priority: 3 }),
      await build(1, 'a/b'),
      await build(2, 'a/b'),
    ]
    const answer = await promote(0, 'a/b')
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toMatchObject({ name: 'a/b', color: '#112233' })
    expect(answer.body).not.toHaveProperty('is_project_label')
    for (const index of [0, 1, 2]) {
      const [label, ...others] = (await call('GET', `${at(index)}/labels`)).body
      expect(others).toEqual([])
      expect(label).toMatchObject({ id: answer.body.id, is_project_label: false })
      expect(label.priority).toBe(index === 0 ? 3 : null)
      expect((await call('GET', `${at(index)}/labels/${labels[index].id}`)).status).toBe(404)
    }
  })

  it('moves issues, events, subscriptions and board lists to the group label, each once', async () => {
    await build(0, 'bug')
    await build(1, 'bug')
    const issues = [
      await made(`${at(0)}/issues`, { title: 'a', labels: 'bug' }),
      await made(`${at(1)}/issues`, { title: 'b', labels: 'bug,other' }),
    ]
    await call('POST', `${at(0)}/labels/bug/subscribe`)
    await call('POST', `${at(1)}/labels/bug/subscribe`)
    const board = await made(`${at(0)}/boards`, { name: 'Development' })
    const { id: labelId } = (await call('GET', `${at(0)}/labels/bug`)).body
    await made(`${at(0)}/boards/${board.id}/lists`, { label_id: labelId })
    const { id } = (await promote(1, 'bug')).body
    for (const [index, issue] of issues.entries()) {
      const path = `${at(index)}/issues/${issue.iid}`
      expect((await call('GET', path)).body.labels).toEqual(issue.labels)
      const events = (await call('GET', `${path}/resource_label_events`)).body
      expect(events.map((event: Json) => event.label.id)).toContain(id)
      expect(events).toHaveLength(issue.labels.length)
    }
    const label = (await call('GET', `/groups/${group.id}/labels/bug`)).body
    expect(label).toMatchObject({ id, open_issues_count: 2, subscribed: true })
    const [column] = (await call('GET', `${at(0)}/boards/${board.id}/lists`)).body
    expect(column.label).toMatchObject({ id, name: 'bug' })
    // Removing the label afterwards decrements the count to 0.
    const cleared = await call('PUT', `${at(0)}/issues/${issues[0].iid}`, { labels: '' })
    expect(cleared.body.labels).toEqual([])
  })

  it('merges labels of many issues in a job', async () => {
    const labels = [await build(0, 'bug'), await build(1, 'bug')]
    for (const index of [0, 1]) await buildLabelledIssues(index, labels[index].id, 250)
    const { body } = await promote(0, 'bug')
    expect((await call('GET', `${at(0)}/labels/${labels[0].id}`)).status).toBe(200)
    await server.runJobs()
    for (const index of [0, 1]) {
      expect((await call('GET', `${at(index)}/labels/${labels[index].id}`)).status).toBe(404)
      const issues = await call('GET', `${at(index)}/issues?labels=bug&with_labels_details=true`)
      expect(issues.headers['x-total']).toBe('250')
      expect(issues.body[0].labels.map((label: Json) => label.id)).toEqual([body.id])
    }
    expect((await call('GET', `/groups/${group.id}/labels/bug`)).body.closed_issues_count).toBe(500)
    expect(await findWrongCounts(server.app.db)).toEqual([])
  })

  it('merges into an existing label of the group', async () => {
    const own = await build(0, 'bug')
    const issue = await made(`${at(0)}/issues`, { title: 'a', labels: 'bug' })
    const known = await made(`/groups/${group.id}/labels`, { name: 'bug', color: '#ffffff' })
    expect((await call('GET', `${at(0)}/labels/bug`)).body.id).toBe(own.id)
    const answer = await promote(0, 'bug')
    expect(answer.body).toMatchObject({ id: known.id, color: '#ffffff', open_issues_count: 1 })
    const moved = (await call('GET', `${at(0)}/issues/${issue.iid}`)).body
    expect(moved.labels).toEqual(['bug'])
  })

  it('returns 404 for a group label and an unknown label', async () => {
    await made(`/groups/${group.id}/labels`, { name: 'shared', color: '#fff' })
    for (const name of ['shared', 'none']) expect((await promote(0, name)).status).toBe(404)
  })

  it('returns 400 outside of groups, 403 to callers below Maintainer in the group and in an archived project', async () => {
    const personal = await server.buildProject({}, maintainer)
    const path = `/projects/${personal.id}/labels`
    await call('POST', path, { name: 'bug', color: '#fff' })
    const answer = await call('PUT', `${path}/bug/promote`)
    expect([answer.status, answer.body.message]).toEqual([
      400,
      'Failed to promote project label to group label: the project is in no group',
    ])
    await build(0, 'bug')
    const inProject = await server.buildUser()
    await server.addMember(`projects/${projects[0].id}`, inProject.id, 40)
    const developer = await server.buildUser()
    await server.addMember(`groups/${group.id}`, developer.id, 30)
    for (const who of [inProject, developer])
      expect((await promote(0, 'bug', who)).status).toBe(403)
    await call('POST', `${at(0)}/archive`, undefined, server.root)
    expect((await promote(0, 'bug', server.root)).status).toBe(403)
  })
})
