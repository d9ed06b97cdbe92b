import { created } from '../clients/calls.ts'
import type { TestUser } from '../factories.ts'
import { buildCommentedProject, type CommentedProject } from '../git/commented-project.ts'
import type { InjectedAnswer, Json, TestServer } from '../test-server.ts'

/** The types of noteable, as the API names them. */
export const noteableKinds = ['Issue', 'MergeRequest', 'Snippet', 'Epic', 'Commit'] as const
export type NoteableKind = (typeof noteableKinds)[number]

/** A noteable. */
export interface TestNoteable {
  kind: NoteableKind
  /** Below `/api/v4`. */
  path: string
  /** Null for a commit. */
  id: number | null
  /** Null for types without an iid. */
  iid: number | null
}

/** A group of root with a project in it, and noteables in both. */
export interface NoteableWorld {
  made: CommentedProject
  group: Json
  /**
   * Creates a noteable of a type; the commit is always the same. The merge request is from `main`
   * into `base`.
   */
  build: (kind: NoteableKind, overrides?: Record<string, unknown>) => Promise<TestNoteable>
  /** Creates a user with a level in the group, and so in the project; a non-member for 0. */
  member: (level: number) => Promise<TestUser>
  /** Sends a request, by default as root; `path` is relative to the noteable. */
  call: (
    noteable: TestNoteable,
    method: string,
    rest: string,
    body?: object,
    by?: { token: string },
  ) => Promise<InjectedAnswer>
}

/** Builds the world; `overrides` are those of its project and its group. */
export async function buildNoteableWorld(
  server: TestServer,
  overrides: Record<string, unknown> = { visibility: 'public' },
): Promise<NoteableWorld> {
  const group = await server.buildGroup(overrides)
  const made = await buildCommentedProject(server, { ...overrides, namespace_id: group.id })
  const base = `/projects/${made.project.id}`
  const { token } = server.root
  const branch = { branch: 'base', ref: made.first }
  await server.inject('POST', `${base}/repository/branches`, { token, body: branch })
  const kinds = buildersOf(server, made, group)
  return {
    made,
    group,
    build: (kind, values = {}) => kinds[kind](values),
    async member(level) {
      const user = await server.buildUser()
      if (level === 0) return user
      await server.addMember(`groups/${group.id}`, user.id, level)
      return user
    },
    call: (noteable, method, rest, body, by = server.root) =>
      server.inject(method, `${noteable.path}${rest}`, {
        token: by.token,
        ...(body === undefined ? {} : { body }),
      }),
  }
}

type Build = (values: Record<string, unknown>) => Promise<TestNoteable>

function buildersOf(
  server: TestServer,
  { project, second }: CommentedProject,
  group: Json,
): Record<NoteableKind, Build> {
  const base = `/projects/${project.id}`
  return {
    async Issue(values) {
      const { id, iid } = await create(server, `${base}/issues`, { title: 'An issue', ...values })
      return { kind: 'Issue', path: `${base}/issues/${iid}`, id, iid }
    },
    async MergeRequest(values) {
      const { id, iid } = await server.buildMergeRequest(project, 'main', 'base', values)
      return { kind: 'MergeRequest', path: `${base}/merge_requests/${iid}`, id, iid }
    },
    async Snippet(values) {
      const text = { title: 'A snippet', file_name: 'a.txt', code: 'x', visibility: 'public' }
      const { id } = await create(server, `${base}/snippets`, { ...text, ...values })
      return { kind: 'Snippet', path: `${base}/snippets/${id}`, id, iid: null }
    },
    async Epic(values) {
      const { id, iid } = await insertEpic(server, group.id, values)
      return { kind: 'Epic', path: `/groups/${group.id}/epics/${id}`, id, iid }
    },
    async Commit() {
      const path = `${base}/repository/commits/${second}`
      return { kind: 'Commit', path, id: null, iid: null }
    },
  }
}

async function create(server: TestServer, path: string, values: Record<string, unknown>) {
  const { by = server.root, ...body } = values
  return created(server, path, body, by as { token: string })
}

let epics = 0

/** Inserts an epic; no endpoint creates them. */
export async function insertEpic(
  server: TestServer,
  groupId: number,
  { authorId = 1 }: { authorId?: number },
): Promise<{ id: number; iid: number }> {
  epics += 1
  const iid = 100_000 + epics
  const args = { groupId, iid, authorId, title: 'An epic', now: server.app.now() }
  const row = await server.app.db.transaction((tx) =>
    tx.first('test.epic', args, (db, $) =>
      db
        .insertInto('epics')
        .values({
          groupId: $('groupId'),
          iid: $('iid'),
          authorId: $('authorId'),
          title: $('title'),
          createdAt: $('now'),
          updatedAt: $('now'),
        })
        .returning('id'),
    ),
  )
  if (row === undefined) throw new Error('no epic')
  return { id: row.id, iid }
}
