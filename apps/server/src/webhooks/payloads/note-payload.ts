import { absoluteImages, type DiffEntry, noteableTypeName, noteTypeName } from '@stithy/core'
import { readCommit } from '@stithy/git'
import { findUser, type NoteRow, type ProjectRow, type Row } from '@stithy/store'
import type { App } from '../../app.ts'
import { presentDiff } from '../../commits/commit.presenter.ts'
import { webUrl } from '../../http/urls.ts'
import { findChangedFile } from '../../notes/diff-file.service.ts'
import { placeOf } from '../../notes/note-place.ts'
import { repositoryOf } from '../../repositories/repository.service.ts'
import type { NoteSource } from '../webhook-events.ts'
import { hookIssue } from './issue-payload.ts'
import { hookMergeRequest } from './merge-request-payload.ts'
import {
  hookCommit,
  hookLabels,
  hookProjectWithAliases,
  hookRepository,
  hookTime,
  hookUser,
  visibilityLevels,
} from './shared.ts'

/** What the body tells of the thing that a note is on. */
interface NoteTarget {
  /** Where the thing is found, below the site. */
  path: string
  /** The thing itself, by its name in the body. */
  parts: object
}

/**
 * The body of `note` and `confidential_note` (catalogue: admin, 6); undefined where what the note is on was
 * gone before anything could be kept of it.
 */
export async function buildNotePayload(
  app: App,
  row: ProjectRow,
  { event, source }: { event: 'note' | 'confidential_note'; source: NoteSource },
  signal: AbortSignal,
) {
  const { note } = source
  const target = await targetOf(app, row, source)
  if (target === undefined) return undefined
  const { config } = app
  return {
    object_kind: 'note',
    event_type: event,
    user: hookUser(config, await findUser(app.db, note.authorId)),
    project_id: row.id,
    project: hookProjectWithAliases(config, row),
    repository: hookRepository(config, row),
    object_attributes: {
      ...noteAttributes(app, row, note),
      st_diff: await diffOf(app, row, note, signal),
      url: `${webUrl(config, row.fullPath)}/${target.path}#note_${note.id}`,
    },
    ...target.parts,
  }
}

async function targetOf(
  app: App,
  row: ProjectRow,
  source: NoteSource,
): Promise<NoteTarget | undefined> {
  const { note, issue, mergeRequest, snippet } = source
  if (note.commitId !== null) return commitTarget(app, row, note.commitId)
  if (issue !== undefined) {
    const parts = { ...hookIssue(app, row, issue), labels: hookLabels(issue.labels) }
    return { path: `issues/${issue.row.iid}`, parts: { issue: parts } }
  }
  if (mergeRequest !== undefined) {
    const parts = { merge_request: await hookMergeRequest(app, row, mergeRequest) }
    return { path: `merge_requests/${mergeRequest.row.iid}`, parts }
  }
  if (snippet === undefined) return undefined
  return { path: `snippets/${snippet.id}`, parts: { snippet: hookSnippet(snippet) } }
}

async function commitTarget(app: App, row: ProjectRow, commitId: string): Promise<NoteTarget> {
  const commit = await readCommit(app.git, repositoryOf(app, row), commitId)
  const parts = { commit: commit === undefined ? null : hookCommit(app.config, row, commit) }
  return { path: `commit/${commitId}`, parts }
}

function hookSnippet(snippet: Row<'snippets'>) {
  return {
    id: snippet.id,
    title: snippet.title,
    content: snippet.content,
    author_id: snippet.authorId,
    project_id: snippet.projectId,
    created_at: hookTime(snippet.createdAt),
    updated_at: hookTime(snippet.updatedAt),
    file_name: snippet.fileName,
    // Snippets do not end.
    expires_at: null,
    type: 'ProjectSnippet',
    visibility_level: visibilityLevels[snippet.visibility],
  }
}

function noteAttributes({ config }: App, row: ProjectRow, note: NoteRow) {
  const urls = { projectUrl: webUrl(config, row.fullPath), siteUrl: config.externalUrl }
  return {
    id: note.id,
    note: note.body,
    description: absoluteImages(note.body, urls),
    noteable_type: noteableTypeName(note.noteableType),
    noteable_id: note.noteableId,
    author_id: note.authorId,
    created_at: hookTime(note.createdAt),
    updated_at: hookTime(note.updatedAt),
    project_id: row.id,
    attachment: null,
    line_code: note.lineCode,
    commit_id: note.commitId,
    system: note.system === 1,
    type: noteTypeName(note.type),
    position: placeOf(note)?.position ?? null,
    discussion_id: note.discussionId,
  }
}

/** The diff of the file that a note at a line is on. */
async function diffOf(
  app: App,
  row: ProjectRow,
  note: NoteRow,
  signal: AbortSignal,
): Promise<DiffEntry | null> {
  const position = placeOf(note)?.position
  if (position === undefined) return null
  const { base_sha: baseSha, start_sha: startSha, head_sha: headSha, new_path: path } = position
  const file = await findChangedFile(app, row, { baseSha, startSha, headSha }, path, signal)
  const [entry] = file === undefined ? [] : presentDiff([file])
  return entry ?? null
}
