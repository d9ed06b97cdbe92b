import { insertSystemNote } from '@stithy/store'
import { insertRow } from '@stithy/store/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let here: Json

beforeAll(async () => {
  server = await buildTestServer()
  here = await server.buildProject({ visibility: 'public' })
})
afterAll(() => server.close())

async function send(method: string, to: string, body?: object): Promise<Json> {
  const answer = await server.inject(method, to, { token: server.root.token, body })
  if (answer.status >= 300) throw new Error(`${method} ${to}: ${answer.status} ${answer.text}`)
  return answer.body
}

const open = (project: Json, values: object = {}) =>
  send('POST', `/projects/${project.id}/issues`, { title: 'Some', ...values })

/**
 * Opens an issue that an issue of the project mentions and is related to; returns a reader of its
 * system notes and comments.
 */
async function issueNamedBy(project: Json): Promise<() => Promise<string[]>> {
  const issue = await open(here)
  const full = `${here.path_with_namespace}#${issue.iid}`
  const other = await open(project, { description: `see ${full}` })
  const path = `/projects/${here.id}/issues/${issue.iid}`
  const values = { target_project_id: project.id, target_issue_iid: other.iid }
  await send('POST', `${path}/links`, values)
  await send('POST', `${path}/notes`, { body: `said ${project.path_with_namespace}#1` })
  return async () => {
    const notes: Json[] = await send('GET', `${path}/notes?sort=asc`)
    return notes.map((note) => note.body)
  }
}

/** Mentions the issue in an epic of the group, which adds a system note to the issue. */
async function mentionInEpic(issue: Json, group: Json): Promise<void> {
  const { db } = server.app
  const times = { createdAt: server.app.now(), updatedAt: server.app.now() }
  const epic = { groupId: group.id, iid: 3, authorId: 1, title: 'Epic', ...times }
  const { id } = await insertRow(db, 'epics', epic)
  const noteable = { type: 'issue', id: issue.id, projectId: here.id } as const
  const source = { type: 'epic', key: String(id), projectId: null } as const
  const note = { action: 'mentioned_in', source } as const
  const written = { authorId: 1, discussionId: 'd'.repeat(40), createdAt: times.createdAt }
  await db.transaction((tx) => insertSystemNote(tx, { noteable, note, ...written }))
}

const texts = (path: string, commented: string) => [
  `mentioned in issue ${path}#1`,
  `marked this issue as related to ${path}#1`,
  `said ${commented}#1`,
]

describe('system notes in other projects', () => {
  it('use the new path of a project, and comments do not', async () => {
    const project = await server.buildProject({ visibility: 'public' })
    const read = await issueNamedBy(project)
    const old = project.path_with_namespace
    expect(await read()).toEqual(texts(old, old))
    await send('PUT', `/projects/${project.id}`, { name: 'Only a name' })
    expect(await read()).toEqual(texts(old, old))
    const moved = await send('PUT', `/projects/${project.id}`, { path: 'another-path' })
    expect(moved.path_with_namespace).toMatch(/another-path$/)
    expect(await read()).toEqual(texts(moved.path_with_namespace, old))
  })

  it('use the new path for the milestone of a moved issue', async () => {
    const project = await server.buildProject({ visibility: 'public' })
    const { id } = await send('POST', `/projects/${project.id}/milestones`, { title: 'M' })
    const issue = await open(project, { milestone_id: id })
    const path = `/projects/${project.id}/issues/${issue.iid}/move`
    const copy = await send('POST', path, { to_project_id: here.id })
    const moved = await send('PUT', `/projects/${project.id}`, { path: 'left-behind' })
    const notes = await send('GET', `/projects/${here.id}/issues/${copy.iid}/notes?sort=asc`)
    const full = moved.path_with_namespace
    const bodies = [`changed milestone to ${full}%1`, `moved from ${full}#1`]
    expect(notes.map((note: Json) => note.body)).toEqual(bodies)
  })

  it('use the new path after a transfer, and those of other projects stay unchanged', async () => {
    const project = await server.buildProject({ visibility: 'public' })
    const neighbour = await server.buildProject({ visibility: 'public' })
    const group = await server.buildGroup({ visibility: 'public' })
    const read = await issueNamedBy(project)
    const readOther = await issueNamedBy(neighbour)
    const old = project.path_with_namespace
    await send('PUT', `/projects/${project.id}/transfer`, { namespace: group.id })
    expect(await read()).toEqual(texts(`${group.full_path}/${project.path}`, old))
    const other = neighbour.path_with_namespace
    expect(await readOther()).toEqual(texts(other, other))
  })

  it('use the new path of an ancestor group', async () => {
    const top = await server.buildGroup({ visibility: 'public', path: 'up' })
    const values = { visibility: 'public', path: 'group-up', parent_id: top.id }
    const below = await server.buildGroup(values)
    const project = await server.buildProject({ visibility: 'public', namespace_id: below.id })
    const read = await issueNamedBy(project)
    await send('PUT', `/groups/${top.id}`, { path: 'risen' })
    const [old, now] = [project.path_with_namespace, `risen/group-up/${project.path}`]
    expect(old).toBe(`up/group-up/${project.path}`)
    expect(await read()).toEqual(texts(now, old))
  })

  it('use the new path for epics of such a group', async () => {
    const top = await server.buildGroup({ visibility: 'public', path: 'epical' })
    const issue = await open(here)
    await mentionInEpic(issue, top)
    const path = `/projects/${here.id}/issues/${issue.iid}/notes`
    expect((await send('GET', path))[0].body).toBe('mentioned in epic epical&3')
    await send('PUT', `/groups/${top.id}`, { path: 'lyrical' })
    expect((await send('GET', path))[0].body).toBe('mentioned in epic lyrical&3')
  })

  it('use the new name of the user of a personal namespace', async () => {
    const user = await server.buildUser()
    const project = await server.buildProject({ visibility: 'public' }, user)
    const read = await issueNamedBy(project)
    await send('PUT', `/users/${user.id}`, { username: 'renamed-one' })
    expect(await read()).toEqual(texts(`renamed-one/${project.path}`, project.path_with_namespace))
  })
})
