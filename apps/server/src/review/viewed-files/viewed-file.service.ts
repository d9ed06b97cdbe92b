import { maxViewedFiles, notFound, type ViewedFile } from '@stithy/core'
import type { ChangedFile } from '@stithy/git'
import {
  deleteViewedFile,
  listViewedFiles,
  saveViewedFile,
  type ViewedFileRow,
  type Viewing,
} from '@stithy/store'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import { timestampText } from '../../platform/http/timestamp.ts'
import { listChangedFilesOf } from '../merge-requests/read/merge-request-diff.service.ts'

/** Whose marks of which merge request. */
export interface Reader {
  item: MergeRequestItem
  userId: number
}

/**
 * Lists the files that a user has marked, compared with those of a version, by default the latest.
 * At most two queries.
 * @throws DomainError `not_found`, `payload_too_large`
 */
export async function listMarkedFiles(
  app: App,
  reader: Reader,
  versionId: number | undefined,
  signal: AbortSignal,
): Promise<ViewedFile[]> {
  const files = await listChangedFilesOf(app, reader.item, versionId, signal)
  const rows = await listViewedFiles(app.db, viewingOf(reader))
  const byPath = new Map(rows.length === 0 ? [] : files.map((file) => [file.path, file]))
  return rows.map((row) => present(row, byPath.get(row.path)))
}

/**
 * Marks a file of a version, by default the latest, as viewed.
 * @throws DomainError `not_found`, `payload_too_large`
 */
export async function markViewed(
  app: App,
  reader: Reader,
  { path, versionId }: { path: string; versionId: number | undefined },
  signal: AbortSignal,
): Promise<ViewedFile> {
  const files = await listChangedFilesOf(app, reader.item, versionId, signal)
  const file = files.find((each) => each.path === path)
  if (file === undefined) throw notFound('File')
  const row = { ...file, viewedAt: app.now() }
  await app.db.transaction((tx) => saveViewedFile(tx, viewingOf(reader), row, maxViewedFiles))
  return present(row, file)
}

/** Removes the mark of a file. @throws DomainError `not_found` */
export async function unmarkViewed(app: App, reader: Reader, path: string): Promise<void> {
  const viewing = viewingOf(reader)
  if (!(await app.db.transaction((tx) => deleteViewedFile(tx, viewing, path)))) {
    throw notFound('File')
  }
}

function viewingOf({ item, userId }: Reader): Viewing {
  return { mergeRequestId: item.row.id, userId }
}

function present({ path, mode, oid, viewedAt }: ViewedFileRow, now?: ChangedFile): ViewedFile {
  const outdated = now?.oid !== oid || now.mode !== mode
  return { path, viewed_at: timestampText(viewedAt), outdated }
}
