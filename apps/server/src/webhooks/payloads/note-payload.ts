import { absoluteImages, noteableTypeName, noteTypeName } from '@stithy/core'
import { type Commit, readCommit } from '@stithy/git'
import { findUser, type NoteRow, type ProjectRow } from '@stithy/store'
import type { App } from '../../app.ts'
import { presentDiff } from '../../commits/commit.presenter.ts'
import { webUrl } from '../../http/urls.ts'
import { findChangedFile } from '../../notes/commit-diff.service.ts'
import { placeOf } from '../../notes/note-place.ts'
import { repositoryOf } from '../../repositories/repository.service.ts'
import type { WebhookSources } from '../webhook-events.ts'
import { hookCommit, hookProjectWithAliases, hookRepository, hookTime, hookUser } from './shared.ts'

/** The body of `note` for a comment on a commit (catalogue: admin, 6); undefined for others. */
export async function buildNotePayload(
  app: App,
  row: ProjectRow,
  { note }: WebhookSources['note'],
  signal: AbortSignal,
) {
  const { commitId } = note
  if (commitId === null) return undefined
  const { config } = app
  const commit = await readCommit(app.git, repositoryOf(app, row), commitId)
  return {
    object_kind: 'note',
    event_type: 'note',
    user: hookUser(config, await findUser(app.db, note.authorId)),
    project_id: row.id,
    project: hookProjectWithAliases(config, row),
    repository: hookRepository(config, row),
    object_attributes: {
      ...noteAttributes(app, row, note),
      st_diff: commit === undefined ? null : await diffOf(app, row, note, commit, signal),
      url: `${webUrl(config, row.fullPath)}/commit/${commitId}#note_${note.id}`,
    },
    commit: commit === undefined ? null : hookCommit(config, row, commit),
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
  commit: Commit,
  signal: AbortSignal,
) {
  const path = placeOf(note)?.position.new_path
  const file = path && (await findChangedFile(app, row, commit, path, signal))
  if (!file) return null
  const [entry] = presentDiff([file])
  return entry ?? null
}
