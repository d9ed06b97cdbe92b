import {
  type DiffRefs,
  type DiffUpdate,
  type FileChange,
  type FileChanges,
  type NotePosition,
  type TracedPosition,
  tracePosition,
} from '@stithy/core'
import { isLimit, isNotFound, type LineChanges, readLineChanges } from '@stithy/git'
import type { StoredPosition } from '@stithy/store'
import type { SourceRepository } from '../../code/revisions/revision.service.ts'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'

/** A position in a later diff; undefined if git could not compare the two. */
export type Trace = TracedPosition | undefined

/**
 * Finds positions in a later diff, in their order: for all that have the same base and head, each
 * of the three diffs is read once, and none that has no files with positions.
 */
export async function tracePositions(
  app: App,
  source: SourceRepository,
  positions: readonly StoredPosition[],
  refs: DiffRefs,
  signal: AbortSignal,
): Promise<Trace[]> {
  const groups = Map.groupBy(positions, (from) => `${from.base_sha} ${from.head_sha}`)
  const traces = new Map<StoredPosition, Trace>()
  for (const group of groups.values()) {
    const update = await readUpdate(app, source, group, refs, signal)
    for (const position of group) {
      const { outdated: _, ...placed } = position
      traces.set(position, update && tracePosition(placed as NotePosition, refs, update))
    }
  }
  return positions.map((position) => traces.get(position))
}

/** Whether a diff has the same files as the one of a position: only the target branch moved. */
export function hasSameDiff(position: StoredPosition, { baseSha, headSha }: DiffRefs): boolean {
  return position.base_sha === baseSha && position.head_sha === headSha
}

/** How the diff of some positions, which have the same base and head, changed. */
async function readUpdate(
  app: App,
  source: SourceRepository,
  positions: readonly StoredPosition[],
  refs: DiffRefs,
  signal: AbortSignal,
): Promise<DiffUpdate | undefined> {
  const [first] = positions
  if (first === undefined) return undefined
  const read = async (from: string, to: string, paths: Iterable<string>) => {
    const options = { paths: [...new Set(paths)], signal }
    return toFileChanges(
      await readLineChanges(app.git, repositoryOf(app, source), from, to, options),
    )
  }
  try {
    const newPaths = positions.map((position) => position.new_path)
    const oldPaths = positions.map((position) => position.old_path)
    const head = await read(first.head_sha, refs.headSha, newPaths)
    const base = await read(first.base_sha, refs.baseSha, oldPaths)
    const paths = [
      ...newPaths.map((path) => head.byOldPath(path)?.newPath ?? path),
      ...oldPaths.map((path) => base.byOldPath(path)?.newPath ?? path),
    ]
    return { head, base, diff: await read(refs.baseSha, refs.headSha, paths) }
  } catch (error) {
    if (!isLimit(error) && !isNotFound(error)) throw error
    app.log.warn({ err: error, ...refs }, 'positions of notes could not be updated')
    return undefined
  }
}

/** A file that is missing because there are too many counts as changed in a way that is unknown. */
function toFileChanges({ files, overflow }: LineChanges): FileChanges {
  const byOldPath = new Map(files.map((file): [string, FileChange] => [file.oldPath, file]))
  const byNewPath = new Map(files.map((file): [string, FileChange] => [file.newPath, file]))
  const missing = (path: string) =>
    overflow ? { oldPath: path, newPath: path, hunks: undefined } : undefined
  return {
    byOldPath: (path) => byOldPath.get(path) ?? missing(path),
    byNewPath: (path) => byNewPath.get(path) ?? missing(path),
  }
}
