import { loadProject } from '../../directory/projects/project-subject.ts'
import { requireIssue } from '../../planning/issues/issue-subject.ts'
import type { IssueItem } from '../../planning/items/item.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { TestUser } from '../factories.ts'
import { buildTestServer, type InjectedAnswer, type Json, type TestServer } from '../test-server.ts'

type Role = 'guest' | 'reporter' | 'developer' | 'maintainer' | 'owner'

const levels: Record<Role, number> = {
  guest: 10,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
}

/** A server with a project in a group, and a group member of each level. */
export interface IssueWorld extends Record<Role, TestUser> {
  server: TestServer
  group: Json
  project: Json
  /** A user without any membership. */
  stranger: TestUser
  /** Sends a request below `/projects/:id/issues`, by default as the reporter. */
  call: (
    method: string,
    path: string,
    body?: object,
    as?: Token,
    of?: Json,
  ) => Promise<InjectedAnswer>
  /** Opens an issue, by default as the reporter, and returns it. */
  open: (body?: object, as?: Token, of?: Json) => Promise<Json>
  /** The bodies of an issue's system notes, oldest first. */
  systemNotes: (issue: Json) => Promise<string[]>
  /** Loads the issue as services get it, with the reporter as caller. */
  read: (issue: Json) => Promise<{ caller: Caller; item: IssueItem }>
  /** The project's activity, oldest first: `action_name target_type target_iid`. */
  activity: (of?: Json) => Promise<string[]>
}

interface Token {
  token: string
}

/** The project and its group are public, unless `visibility` is given. */
export async function buildIssueWorld(visibility = 'public'): Promise<IssueWorld> {
  const server = await buildTestServer()
  const group = await server.buildGroup({ visibility })
  const project = await server.buildProject({ namespace_id: group.id, visibility })
  const people = {} as Record<Role, TestUser>
  for (const [role, level] of Object.entries(levels) as [Role, number][]) {
    people[role] = await server.buildUser()
    await server.addMember(`groups/${group.id}`, people[role].id, level)
  }
  const stranger = await server.buildUser()
  const call: IssueWorld['call'] = (method, path, body, as = people.reporter, of = project) =>
    server.inject(method, `/projects/${of.id}/issues${path}`, {
      token: as.token,
      ...(body === undefined ? {} : { body }),
    })
  const open: IssueWorld['open'] = async (body = {}, as, of) => {
    const answer = await call('POST', '', { title: 'An issue', ...body }, as, of)
    if (answer.status !== 201) throw new Error(`POST issues: ${answer.status} ${answer.text}`)
    return answer.body
  }
  const get = async (path: string) => {
    const answer = await server.inject('GET', path, { token: server.root.token })
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  return {
    server,
    group,
    project,
    ...people,
    stranger,
    call,
    open,
    async systemNotes(issue) {
      const path = `/projects/${issue.project_id}/issues/${issue.iid}/notes`
      const notes = await get(`${path}?sort=asc&order_by=created_at&per_page=100`)
      return notes.filter((note: Json) => note.system).map((note: Json) => note.body)
    },
    async read(issue) {
      const { reporter } = people
      const facts = { userId: reporter.id, admin: false, external: false }
      const rights = { canCreateGroup: true, projectsLimit: 0, mustChangePassword: false }
      const caller: Caller = { facts, user: { ...reporter, ...facts, ...rights }, scopes: [] }
      const subject = await loadProject(server.app, String(issue.project_id), caller)
      if (subject === undefined) throw new Error(`no project ${issue.project_id}`)
      return { caller, item: await requireIssue(server.app, caller, subject, issue.iid) }
    },
    async activity(of = project) {
      const events = await get(`/projects/${of.id}/events?sort=asc&per_page=100`)
      return events.map((event: Json) =>
        [event.action_name, event.target_type, event.target_iid].join(' '),
      )
    },
  }
}
