import { type CallerKind, callerKinds, type Visibility } from '@stithy/core'
import { created } from '../clients/calls.ts'
import type { TestUser } from '../factories.ts'
import { buildCommentedProject } from '../git/commented-project.ts'
import type { Json, TestServer } from '../test-server.ts'
import { insertEpic } from './noteables.ts'

/** A token for each kind of caller; undefined for anonymous ones. */
export type CallerTokens = Record<CallerKind, string | undefined>

/** Ids and names for path parameters, by the type of subject and the name of the parameter. */
export interface PermissionWorld {
  project: string
  group: string
  /** Values of path parameters that don't depend on the item. */
  params: Record<string, string>
  /** `note_id`, `discussion_id` and `award_id` by the path of the item: `issues`, `snippets`, … */
  below: Record<string, Record<string, string>>
}

const levels = { guest: 10, author: 10, assignee: 10, reporter: 20, developer: 30 } as const
const memberLevels = { ...levels, maintainer: 40, owner: 50 }

/** Creates every kind of caller; `joinAll` makes them members of a world. */
export async function buildCallers(server: TestServer) {
  const users = {} as Record<Exclude<CallerKind, 'anonymous' | 'administrator'>, TestUser>
  for (const kind of callerKinds) {
    if (kind === 'anonymous' || kind === 'administrator') continue
    users[kind] = await server.buildUser({ external: kind === 'external' })
  }
  return { users, tokens: tokensOf(server, users) }
}

export type Callers = Awaited<ReturnType<typeof buildCallers>>

function tokensOf(server: TestServer, users: Record<string, TestUser>): CallerTokens {
  const entries = callerKinds.map((kind) => [
    kind,
    kind === 'administrator' ? server.root.token : users[kind]?.token,
  ])
  return Object.fromEntries(entries)
}

function snippetText(visibility: Visibility) {
  return { title: 'A snippet', file_name: 'a.txt', code: 'x', visibility }
}

/**
 * Builds a group and a project in it, of one visibility, with one noteable of each type: created by
 * the author, who is a reporter at that time and a guest afterwards, and assigned to the assignee
 * where the type supports it.
 */
export async function buildPermissionWorld(
  server: TestServer,
  { users }: Callers,
  visibility: Visibility,
): Promise<PermissionWorld> {
  const { author, assignee } = users
  const group = await server.buildGroup({ visibility })
  for (const [kind, level] of Object.entries(memberLevels)) {
    const { id } = users[kind as keyof typeof memberLevels]
    await server.addMember(`groups/${group.id}`, id, kind === 'author' ? 20 : level)
  }
  const made = await buildCommentedProject(server, { visibility, namespace_id: group.id })
  const { id } = made.project
  const base = `/projects/${id}`
  const branch = { branch: 'base', ref: made.first }
  await created(server, `${base}/repository/branches`, branch)
  const text = { title: 'An issue' }
  const issue = await created(server, `${base}/issues`, text, author)
  const people = { assignee_ids: [assignee.id] }
  const { token } = server.root
  await server.inject('PUT', `${base}/issues/${issue.iid}`, { token, body: people })
  const request = await server.buildMergeRequest(made.project, 'main', 'base', {
    authorId: author.id,
    assigneeIds: [assignee.id],
  })
  const snippet = await created(server, `${base}/snippets`, snippetText(visibility), author)
  const personal = await created(server, '/snippets', snippetText(visibility), author)
  const epic = await insertEpic(server, group.id, { authorId: author.id })
  const todo = await created(server, `${base}/issues/${issue.iid}/todo`, {}, author)
  const paths = {
    issues: `${base}/issues/${issue.iid}`,
    merge_requests: `${base}/merge_requests/${request.iid}`,
    snippets: `${base}/snippets/${snippet.id}`,
    epics: `/groups/${group.id}/epics/${epic.id}`,
    commits: `${base}/repository/commits/${made.second}`,
  }
  const below: PermissionWorld['below'] = {}
  for (const [name, path] of Object.entries(paths)) {
    below[name] = await commentOn(server, path, author)
  }
  const terms = { access_level: memberLevels.author }
  await server.inject('PUT', `/groups/${group.id}/members/${author.id}`, { token, body: terms })
  return {
    project: String(id),
    group: String(group.id),
    params: texts({
      issue_iid: issue.iid,
      merge_request_iid: request.iid,
      snippet_id: snippet.id,
      epic_id: epic.id,
      epic_iid: epic.iid,
      sha: made.second,
      todo_id: todo.id,
      personal_snippet_id: personal.id,
    }),
    below,
  }
}

/**
 * Adds a discussion with a note, and awards on the item and the note where the type supports them.
 */
async function commentOn(
  server: TestServer,
  path: string,
  author: TestUser,
): Promise<Record<string, string>> {
  const discussion = await created(server, `${path}/discussions`, { body: 'Why?' }, author)
  const [note] = discussion.notes
  const ids = { discussion_id: discussion.id, note_id: note.id }
  if (/\/(epics|commits)\//.test(path)) return texts(ids)
  const award = { name: 'heart' }
  const onItem = await created(server, `${path}/award_emoji`, award, author)
  const onNote = await created(server, `${path}/notes/${note.id}/award_emoji`, award, author)
  return texts({ ...ids, award_id: onItem.id, note_award_id: onNote.id })
}

function texts(values: Record<string, Json>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}
