import { absoluteImages, type DiffEntry, noteableTypeName, noteTypeName } from '@stithy/core'
import { readCommit } from '@stithy/git'
import { findUser, type NoteRow, type ProjectRow, type Row } from '@stithy/store'
import { presentDiff } from '../../../code/commits/commit.presenter.ts'
import { findChangedFile } from '../../../planning/notes/diff-file.service.ts'
import { positionOf } from '../../../planning/notes/stored-position.ts'
import type { App } from '../../../platform/app.ts'
import { webUrl } from '../../../platform/http/urls.ts'
import { repositoryOf } from '../../../platform/repositories/repository-location.ts'
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

/** What the body contains about a noteable. */
interface NoteTarget {
  /** The path of the noteable, relative to the site. */
  path: string
  /** The noteable itself, by its key in the body. */
  parts: object
}

/**
 * Builds the body of `note` and `confidential_note` hooks; undefined if the noteable was deleted
 * before its state could be stored.
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
    // Snippets have no closed state.
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
    position: positionOf(note) ?? null,
    discussion_id: note.discussionId,
  }
}

/** The diff of the file that a note on a line belongs to. */
async function diffOf(
  app: App,
  row: ProjectRow,
  note: NoteRow,
  signal: AbortSignal,
): Promise<DiffEntry | null> {
  const position = positionOf(note)
  if (position === undefined) return null
  const { base_sha: baseSha, start_sha: startSha, head_sha: headSha, new_path: path } = position
  const file = await findChangedFile(app, row, { baseSha, startSha, headSha }, path, signal)
  const [entry] = file === undefined ? [] : presentDiff([file])
  return entry ?? null
}
