import type { TestUser } from '../factories.ts'
import { buildTestServer, type InjectedAnswer, type Json, type TestServer } from '../test-server.ts'

interface Token {
  token: string
}

/** Issues in two private projects, for tests of lists. */
export interface ListedIssues {
  server: TestServer
  /** Created the issues of `project`. */
  reporter: TestUser
  /** Cannot see the confidential one. */
  guest: TestUser
  group: Json
  /** In a subgroup. */
  project: Json
  /** In the group itself. */
  other: Json
  /** Sends a write. @throws when it is rejected */
  send: (method: string, path: string, body: object, by: Token) => Promise<Json>
  post: (path: string, body: object, by: Token) => Promise<Json>
  /** Opens an issue, a second later than the previous write. */
  add: (project: Json, body: object, by: Token) => Promise<Json>
  get: (path: string, by: Token) => Promise<InjectedAnswer>
  /** Titles in a list, by default as the reporter. */
  titles: (path: string, by?: Token) => Promise<string[]>
}

export async function buildListedIssues(): Promise<ListedIssues> {
  const server = await buildTestServer()
  const reporter = await server.buildUser()
  const guest = await server.buildUser()
  const group = await server.buildGroup({ visibility: 'private' })
  const inner = await server.buildGroup({ visibility: 'private', parent_id: group.id })
  const project = await server.buildProject({ namespace_id: inner.id, visibility: 'private' })
  const other = await server.buildProject({ namespace_id: group.id, visibility: 'private' })
  await server.addMember(`groups/${group.id}`, reporter.id, 20)
  await server.addMember(`groups/${group.id}`, guest.id, 10)
  const calls = callsOf(server, reporter)
  const world = { server, reporter, guest, group, project, other, ...calls }
  await addIssues(world)
  return world
}

function callsOf(server: TestServer, reporter: TestUser) {
  const send: ListedIssues['send'] = async (method, path, body, { token }) => {
    const answer = await server.inject(method, path, { token, body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  const post: ListedIssues['post'] = (path, body, by) => send('POST', path, body, by)
  const add: ListedIssues['add'] = (project, body, by) => {
    server.advance(1000)
    return post(`/projects/${project.id}/issues`, body, by)
  }
  const get: ListedIssues['get'] = (path, { token }) => server.inject('GET', path, { token })
  const titles: ListedIssues['titles'] = async (path, by = reporter) => {
    const { status, body, text } = await get(path, by)
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
    return body.map((issue: Json) => issue.title)
  }
  return { send, post, add, get, titles }
}

async function addIssues(world: ListedIssues): Promise<void> {
  const { server, reporter, guest, project, other, send, post, add } = world
  const milestone = await post(`/projects/${project.id}/milestones`, { title: 'v1' }, server.root)
  await add(project, { title: 'Red lamp', labels: 'bug,red', weight: 3 }, reporter)
  await add(project, { title: 'Blue lamp', labels: 'bug', milestone_id: milestone.id }, reporter)
  await add(project, { title: 'Hidden', confidential: true, description: 'of a lamp' }, reporter)
  const assignees = { assignee_ids: [guest.id, reporter.id] }
  await add(other, { title: 'Assigned', ...assignees }, server.root)
  await add(other, { title: 'Closed' }, guest)
  await send('PUT', `/projects/${other.id}/issues/2`, { state_event: 'close' }, server.root)
}
