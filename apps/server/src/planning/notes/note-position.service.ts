import {
  type DiffRefs,
  notFound,
  positionNote,
  type RequestedPosition,
  requirePositionPath,
} from '@stithy/core'
import { readCommit } from '@stithy/git'
import type { StoredNotePosition } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import type { CommitItem, MergeRequestItem } from '../items/item.ts'
import { diffRefsOf, findChangedFile } from './diff-file.service.ts'
import { hasSameDiff, tracePositions } from './position-trace.service.ts'
import { toStoredPosition } from './stored-position.ts'

/** An item with diffs that notes can be positioned in. */
export type PositionedItem = CommitItem | MergeRequestItem

/**
 * Resolves a requested position in the diff of a commit or of a version of a merge request.
 * @throws DomainError `bad_request` if the position is incomplete, belongs to another diff, or
 *   matches no line of it.
 */
export async function resolvePosition(
  app: App,
  item: PositionedItem,
  requested: RequestedPosition,
  signal: AbortSignal,
): Promise<StoredNotePosition> {
  const { row } = item.project
  const refs =
    item.type === 'commit'
      ? await refsOfCommit(app, item)
      : await refsOfVersion(app, item, requested)
  const path = requirePositionPath(requested, refs)
  const placed = positionNote(requested, await findChangedFile(app, row, refs, path, signal))
  const stored = toStoredPosition(placed)
  return item.type === 'commit' ? stored : inLatestVersion(app, item, stored, signal)
}

/**
 * The same line in the latest version of a merge request. A position in an earlier version whose
 * line was changed since stays there.
 */
async function inLatestVersion(
  app: App,
  { row: { baseSha, startSha, headSha }, project }: MergeRequestItem,
  stored: StoredNotePosition,
  signal: AbortSignal,
): Promise<StoredNotePosition> {
  if (baseSha === null) return stored
  const refs = { baseSha, startSha, headSha }
  const { position } = stored
  if (hasSameDiff(position, refs)) {
    return { ...stored, position: { ...position, start_sha: startSha } }
  }
  const [trace] = await tracePositions(app, project.row, [position], refs, signal)
  if (trace === undefined) return stored
  return trace.outdated
    ? { ...stored, position: { ...position, outdated: true } }
    : toStoredPosition(trace)
}

async function refsOfCommit(app: App, { project, commitId }: CommitItem): Promise<DiffRefs> {
  const commit = await readCommit(app.git, repositoryOf(app, project.row), commitId)
  if (commit === undefined) throw notFound('Commit')
  return diffRefsOf(commit)
}

/** The refs of the version in the position; of the latest version if there is no such version. */
async function refsOfVersion(
  app: App,
  item: MergeRequestItem,
  requested: RequestedPosition,
): Promise<DiffRefs> {
  const named = {
    baseSha: requested.base_sha,
    startSha: requested.start_sha,
    headSha: requested.head_sha,
  }
  if (await app.mergeRequests.hasVersion(app, item, named)) return named
  const { baseSha, startSha, headSha } = item.row
  return { baseSha: baseSha ?? '', startSha, headSha }
}
