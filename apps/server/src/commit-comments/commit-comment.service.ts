import {
  type CallerFacts,
  type CommentAuthor,
  type CommitComment,
  findLineOnSide,
  invalidParameter,
  normalizePath,
  noteTextProblem,
  notFound,
  numbersOf,
  validationFailed,
} from '@stithy/core'
import type { Commit } from '@stithy/git'
import {
  listCommentAuthors,
  listComments,
  type NotePlace,
  type NoteRow,
  type Page,
  type PageRequest,
} from '@stithy/store'
import type { App } from '../app.ts'
import { requireCommit } from '../commits/commit.service.ts'
import type { Caller } from '../http/call.ts'
import { diffRefsOf, findChangedFile } from '../notes/diff-file.service.ts'
import { writeNote } from '../notes/note.service.ts'
import { toPlace } from '../notes/note-place.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { presentCommentAuthor, presentComments } from './commit-comment.presenter.ts'

/** One page of the comments on a commit, oldest first. @throws DomainError `not_found` */
export async function commentsOfCommit(
  app: App,
  { row }: ProjectSubject,
  caller: CallerFacts,
  sha: string,
  request: PageRequest,
): Promise<Page<CommitComment>> {
  const { oid } = await requireCommit(app, row, sha)
  const noteable = { type: 'commit', projectId: row.id, commitId: oid } as const
  const page = await listComments(app.db, noteable, request)
  return { ...page, items: await present(app, caller, page.items) }
}

async function present(
  app: App,
  caller: CallerFacts,
  notes: readonly NoteRow[],
): Promise<CommitComment[]> {
  const ids = [...new Set(notes.map((note) => note.authorId))]
  const rows = ids.length === 0 ? [] : await listCommentAuthors(app.db, ids)
  const authors = rows.map((row): [number, CommentAuthor] => [
    row.id,
    presentCommentAuthor(app.config, row, caller),
  ])
  return presentComments(notes, new Map(authors))
}

/** A comment as callers ask for it (document 2, POST comments). */
export interface CommentRequest {
  note: string
  path?: string | undefined
  line?: number | undefined
  line_type: 'new' | 'old'
}

/**
 * Comments on a commit: on a line that its diff shows, or else on the commit as a whole.
 * @throws DomainError `not_found`, `invalid_parameter`, `validation_failed`
 */
export async function commentOnCommit(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  sha: string,
  request: CommentRequest,
  signal: AbortSignal,
): Promise<CommitComment> {
  const problem = noteTextProblem(request.note)
  if (problem !== undefined) throw validationFailed({ note: [problem] })
  const { path = '', line } = request
  if (path !== '' && line === undefined) throw invalidParameter('line is missing')
  const commit = await requireCommit(app, project.row, sha)
  const place = await placeAtLine(app, project.row, commit, request, signal)
  const item = { type: 'commit', commitId: commit.oid, title: commit.title, project } as const
  const note = await writeNote(app, caller, item, {
    type: place === undefined ? null : 'diff_note',
    body: request.note,
    place,
  })
  const [comment] = await present(app, caller.facts, [note])
  if (comment === undefined) throw notFound('Note')
  return comment
}

/** Where the comment stands; undefined where the diff has no such file or line. */
async function placeAtLine(
  app: App,
  project: ProjectSubject['row'],
  commit: Commit,
  { path = '', line: number, line_type: side }: CommentRequest,
  signal: AbortSignal,
): Promise<NotePlace | undefined> {
  const normal = normalizePath(path)
  if (normal === undefined || number === undefined) return undefined
  const refs = diffRefsOf(commit)
  const file = await findChangedFile(app, project, refs, normal, signal)
  const line = file && findLineOnSide(file.diff, side, number)
  if (file === undefined || line === undefined) return undefined
  const { oldLine, newLine } = numbersOf(line)
  const place = toPlace({
    line,
    position: {
      base_sha: refs.baseSha,
      start_sha: refs.startSha,
      head_sha: refs.headSha,
      old_path: file.oldPath,
      new_path: file.newPath,
      position_type: 'text',
      old_line: oldLine,
      new_line: newLine,
    },
  })
  if (side === 'new' || newLine === null) return place
  return { ...place, position: { ...place.position, side } }
}
