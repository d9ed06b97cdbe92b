import {
  type AskedPosition,
  type DiffRefs,
  notFound,
  placeNote,
  requirePositionPath,
} from '@stithy/core'
import { readCommit } from '@stithy/git'
import { findVersionBetween, type NotePlace } from '@stithy/store'
import type { App } from '../app.ts'
import type { CommitItem, MergeRequestItem } from '../items/item.ts'
import { repositoryOf } from '../repositories/repository.service.ts'
import { diffRefsOf, findChangedFile } from './diff-file.service.ts'
import { toPlace } from './note-place.ts'

/** What has diffs in which notes stand. */
export type PlacedItem = CommitItem | MergeRequestItem

/**
 * The place in the diff of a commit, or of a version of a merge request, that a position names (catalogue:
 * merge_requests, 6.1).
 * @throws DomainError `bad_request` for one that is incomplete, of another diff, or at no line of it.
 */
export async function findPlace(
  app: App,
  item: PlacedItem,
  asked: AskedPosition,
  signal: AbortSignal,
): Promise<NotePlace> {
  const { row } = item.project
  const refs =
    item.type === 'commit' ? await refsOfCommit(app, item) : await refsOfVersion(app, item, asked)
  const path = requirePositionPath(asked, refs)
  return toPlace(placeNote(asked, await findChangedFile(app, row, refs, path, signal)))
}

async function refsOfCommit(app: App, { project, commitId }: CommitItem): Promise<DiffRefs> {
  const commit = await readCommit(app.git, repositoryOf(app, project.row), commitId)
  if (commit === undefined) throw notFound('Commit')
  return diffRefsOf(commit)
}

/** Those of the version that the position names; where there is none, of the newest one. */
async function refsOfVersion(
  app: App,
  { row }: MergeRequestItem,
  { base_sha: baseSha, start_sha: startSha, head_sha: headSha }: AskedPosition,
): Promise<DiffRefs> {
  const named = { baseSha, startSha, headSha }
  const known = await findVersionBetween(app.db, { mergeRequestId: row.id, ...named })
  if (known) return named
  return { baseSha: row.baseSha ?? '', startSha: row.startSha, headSha: row.headSha }
}
