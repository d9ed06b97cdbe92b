import type { Caller } from '../../http/call.ts'
import { requireIssue } from '../../issues/issue-found.ts'
import type { IssueItem } from '../../items/item.ts'
import { loadProject } from '../../projects/project-subject.ts'
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

/** A server with a project of a group, and a member of the group for each level. */
export interface IssueWorld extends Record<Role, TestUser> {
  server: TestServer
  group: Json
  project: Json
  /** Somebody who is a member of nothing. */
  stranger: TestUser
  /** Calls below `/projects/:id/issues` of the project, as the reporter unless told. */
  call: (
    method: string,
    path: string,
    body?: object,
    as?: Token,
    of?: Json,
  ) => Promise<InjectedAnswer>
  /** Opens an issue, as the reporter unless told, and answers it. */
  open: (body?: object, as?: Token, of?: Json) => Promise<Json>
  /** The bodies of the notes that the program wrote on an issue, the oldest first. */
  remarks: (issue: Json) => Promise<string[]>
  /** The issue as services get it, read now, and who calls them: the reporter. */
  read: (issue: Json) => Promise<{ caller: Caller; item: IssueItem }>
  /** What activity tells of the project, the oldest first: `action_name target_type target_iid`. */
  activity: (of?: Json) => Promise<string[]>
}

interface Token {
  token: string
}

/** The project and its group are public unless `visibility` says otherwise. */
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
    async remarks(issue) {
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
