import type { BodiesQuery, Commit, ItemsQuery, Todo } from '@stithy/core'
import { readCommit } from '@stithy/git'
import {
  listEpicsById,
  listIssuesById,
  listMergeRequestsById,
  listNotesById,
  type TodoRow,
} from '@stithy/store'
import { presentCommit } from '../../code/commits/commit.presenter.ts'
import { userRefs } from '../../directory/users/user-views.service.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { viewEpics } from '../epics/epic-views.service.ts'
import { viewIssues } from '../issues/issue-views.service.ts'
import { withBodies } from '../notes/note-bodies.ts'
import { presentTodos, type TodoTargets } from './todo.presenter.ts'

/**
 * A page of the caller's todos with their targets embedded. A constant number of queries.
 * @param lengths what descriptions, and texts of comments, are cut to, in characters
 */
export async function viewTodos(
  app: App,
  caller: Caller,
  rows: readonly TodoRow[],
  lengths: ItemsQuery & BodiesQuery = {},
): Promise<Todo[]> {
  if (rows.length === 0) return []
  const targets = await targetsOf(app, caller, rows, lengths.max_description_length)
  const noteIds = rows.flatMap(({ noteId }) => noteId ?? [])
  const notes = noteIds.length === 0 ? [] : await listNotesById(app.db, noteIds)
  const authors = await userRefs(
    app,
    rows.map((row) => row.authorId),
  )
  const shown = withBodies(app, notes, lengths.max_body_length)
  const bodies = new Map(shown.map((note) => [note.id, note.body]))
  return presentTodos(app.config, rows, { ...targets, authors, notes: bodies })
}

async function targetsOf(
  app: App,
  caller: Caller,
  rows: readonly TodoRow[],
  maxDescriptionLength: number | undefined,
): Promise<TodoTargets> {
  const options = { maxDescriptionLength }
  const idsOf = (type: TodoRow['targetType']) =>
    rows.flatMap((row) => (row.targetType === type && row.targetId !== null ? row.targetId : []))
  const load = async <Row, View extends { id: number }>(
    type: TodoRow['targetType'],
    find: (db: App['db'], ids: readonly number[]) => Promise<Row[]>,
    view: (found: Row[]) => Promise<View[]>,
  ) => {
    const targetIds = idsOf(type)
    const targets = targetIds.length === 0 ? [] : await view(await find(app.db, targetIds))
    return new Map(targets.map((target) => [target.id, target]))
  }
  return {
    issues: await load('issue', listIssuesById, (found) => viewIssues(app, caller, found, options)),
    mergeRequests: await load('merge_request', listMergeRequestsById, (found) =>
      app.mergeRequests.view(app, caller, found, options),
    ),
    epics: await load('epic', listEpicsById, (found) =>
      viewEpics(app, caller, found, maxDescriptionLength),
    ),
    commits: await commitsOf(app, rows),
  }
}

/** The commits that todos are about, by todo id; deleted commits are left out. */
async function commitsOf(app: App, rows: readonly TodoRow[]): Promise<Map<number, Commit>> {
  const found = new Map<number, Commit>()
  for (const { id, commitId, repositoryStorage, repositoryPath } of rows) {
    if (commitId === null || repositoryStorage === null || repositoryPath === null) continue
    const repository = repositoryOf(app, { repositoryStorage, repositoryPath })
    const commit = await readCommit(app.git, repository, commitId)
    if (commit !== undefined) found.set(id, presentCommit(commit))
  }
  return found
}
