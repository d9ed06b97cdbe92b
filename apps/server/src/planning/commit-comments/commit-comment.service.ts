import {
  type BodiesQuery,
  type CallerFacts,
  type CommentAuthor,
  type CommitComment,
  findLineOnSide,
  normalizePath,
  noteTextProblem,
  notFound,
  numbersOf,
  validationFailed,
} from '@stithy/core'
import type { Commit } from '@stithy/git'
import {
  type ListedNoteRow,
  listCommentAuthors,
  listComments,
  type Page,
  type PageRequest,
  type StoredNotePosition,
} from '@stithy/store'
import { requireCommit } from '../../code/commits/commit.service.ts'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { diffRefsOf, findChangedFile } from '../notes/diff-file.service.ts'
import { writeNote } from '../notes/note.service.ts'
import { withBodies } from '../notes/note-bodies.ts'
import { toStoredPosition } from '../notes/stored-position.ts'
import { presentCommentAuthor, presentComments } from './commit-comment.presenter.ts'

/** Lists a page of the comments on a commit, oldest first. @throws DomainError `not_found` */
export async function commentsOfCommit(
  app: App,
  { row }: ProjectSubject,
  caller: CallerFacts,
  sha: string,
  { max_body_length: maxLength }: BodiesQuery,
  request: PageRequest,
): Promise<Page<CommitComment>> {
  const { oid } = await requireCommit(app, row, sha)
  const noteable = { type: 'commit', projectId: row.id, commitId: oid } as const
  const page = await listComments(app.db, noteable, request)
  return { ...page, items: await viewComments(app, caller, page.items, maxLength) }
}

async function viewComments(
  app: App,
  caller: CallerFacts,
  notes: readonly ListedNoteRow[],
  maxLength?: number,
): Promise<CommitComment[]> {
  const ids = [...new Set(notes.map((note) => note.authorId))]
  const rows = ids.length === 0 ? [] : await listCommentAuthors(app.db, ids)
  const authors = rows.map((row): [number, CommentAuthor] => [
    row.id,
    presentCommentAuthor(app.config, row, caller),
  ])
  return presentComments(withBodies(app, notes, maxLength), new Map(authors))
}

/** The body of `POST /projects/:id/repository/commits/:sha/comments`. */
export interface CommentRequest {
  note: string
  path?: string | undefined
  line?: number | undefined
  line_type: 'new' | 'old'
}

/**
 * Comments on a line of the commit's diff, or on the whole commit if the diff has no such line.
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
  const commit = await requireCommit(app, project.row, sha)
  const position = await positionAtLine(app, project.row, commit, request, signal)
  const item = { type: 'commit', commitId: commit.oid, title: commit.title, project } as const
  const note = await writeNote(app, caller, item, {
    type: position === undefined ? null : 'diff_note',
    body: request.note,
    position,
  })
  const [comment] = await viewComments(app, caller.facts, [note])
  if (comment === undefined) throw notFound('Note')
  return comment
}

/** The position of a comment in the diff; undefined if the diff has no such file or line. */
async function positionAtLine(
  app: App,
  project: ProjectSubject['row'],
  commit: Commit,
  { path = '', line: number, line_type: side }: CommentRequest,
  signal: AbortSignal,
): Promise<StoredNotePosition | undefined> {
  const normalizedPath = normalizePath(path)
  if (normalizedPath === undefined || number === undefined) return undefined
  const refs = diffRefsOf(commit)
  const file = await findChangedFile(app, project, refs, normalizedPath, signal)
  const line = file && findLineOnSide(file.diff, side, number)
  if (file === undefined || line === undefined) return undefined
  const { oldLine, newLine } = numbersOf(line)
  const stored = toStoredPosition({
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
  if (side === 'new' || newLine === null) return stored
  return { ...stored, position: { ...stored.position, side } }
}
