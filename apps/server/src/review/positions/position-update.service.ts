import type { ChangedPlace, DiffRefs, SystemNote } from '@stithy/core'
import { lineCode } from '@stithy/core'
import {
  countVersions,
  findMergeRequestById,
  listThreadPositions,
  lockItemRow,
  type MergeRequestRow,
  type ThreadPosition,
} from '@stithy/store'
import { existingActor } from '../../directory/users/ghost.service.ts'
import {
  type PositionedThread,
  type ThreadUpdate,
  updateThreads,
} from '../../planning/discussions/thread-position.service.ts'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import {
  hasSameDiff,
  type Trace,
  tracePositions,
} from '../../planning/notes/position-trace.service.ts'
import { pathHash, storedPosition, toStoredPosition } from '../../planning/notes/stored-position.ts'
import { updateSuggestions } from '../../planning/suggestions/suggestion-update.service.ts'
import { sourceOf } from '../../planning/system-notes/system-note.service.ts'
import type { App } from '../../platform/app.ts'
import { inBatches } from '../../platform/jobs/in-batches.ts'
import { loadItemForJob } from '../merge-requests/merge-request-for-job.ts'

/** A merge request that got a new version. */
export interface Renewed {
  id: number
  /** Who made the new version; null for the server itself. */
  userId: number | null
}

/** Threads whose positions are read, and looked for in the diff, at a time. */
const pageSize = 1000

/** Who moved the positions, and when. */
interface UpdatedBy {
  actorId: number | null
  now: number
}

/** The latest version of a merge request, as the end of a position's way. */
interface Target {
  item: MergeRequestItem
  refs: DiffRefs
  /** Its number among the versions. */
  version: number
}

/**
 * Brings the threads on the diff of a merge request to its latest version: their positions move
 * with their lines, and threads and suggestions whose lines were changed become outdated. Threads that are at the
 * latest version, or outdated already, stay as they are, so it may run twice, late, or
 * concurrently; every new version runs it again.
 */
export async function updatePositions(
  app: App,
  { id, userId }: Renewed,
  signal: AbortSignal,
): Promise<void> {
  const target = await findTarget(app, id)
  if (target === undefined) return
  const by = { actorId: userId, now: app.now() }
  for (let after = ''; ; ) {
    const rows = await listThreadPositions(app.db, { mergeRequestId: id, after, limit: pageSize })
    const updates = await planUpdates(app, target, rows.flatMap(toMovable(target.refs)), signal)
    if (!(await applyAll(app, target, updates, by, signal))) return
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) break
    after = last.discussionId
  }
  await updateSuggestions(app, target.item.project.row, id, signal)
}

/** Undefined for a deleted merge request, and for branches without a common history. */
async function findTarget(app: App, id: number): Promise<Target | undefined> {
  const row = await findMergeRequestById(app.db, id)
  const item = row && (await loadItemForJob(app, row))
  if (item === undefined) return undefined
  const { baseSha, startSha, headSha, latestVersionId: versionId } = item.row
  if (baseSha === null) return undefined
  const version = await countVersions(app.db, { mergeRequestId: id, versionId })
  return { item, refs: { baseSha, startSha, headSha }, version }
}

/** A thread with its position, if that may have to change. */
function toMovable({ baseSha, startSha, headSha }: DiffRefs) {
  return ({ discussionId, ...row }: ThreadPosition): PositionedThread[] => {
    const stored = storedPosition(row)
    if (stored === undefined || stored.position.outdated) return []
    const { base_sha: base, start_sha: start, head_sha: head } = stored.position
    if (base === baseSha && start === startSha && head === headSha) return []
    return [{ discussionId, ...stored }]
  }
}

async function planUpdates(
  app: App,
  { item, refs, version }: Target,
  threads: readonly PositionedThread[],
  signal: AbortSignal,
): Promise<ThreadUpdate[]> {
  const isSame = ({ position }: PositionedThread) => hasSameDiff(position, refs)
  const same = threads.filter(isSame).map(({ discussionId, ...thread }): ThreadUpdate => {
    const position = { ...thread.position, start_sha: refs.startSha }
    return { thread: { discussionId, ...thread }, moved: { ...thread, position } }
  })
  const others = threads.filter((thread) => !isSame(thread))
  const positions = others.map(({ position }) => position)
  const traces = await tracePositions(app, item.project.row, positions, refs, signal)
  const traced = others.flatMap((thread, at) => toUpdate(item, version, thread, traces[at]) ?? [])
  return [...same, ...traced]
}

function toUpdate(
  item: MergeRequestItem,
  version: number,
  thread: PositionedThread,
  trace: Trace,
): ThreadUpdate | undefined {
  if (trace === undefined) return undefined
  if (!trace.outdated) return { thread, moved: toStoredPosition(trace) }
  const { row } = item
  const { position_type: type, head_sha: head } = thread.position
  const outdatedBy: SystemNote = {
    action: 'diff_line_changed',
    source: sourceOf(item),
    of: type === 'image' ? 'file' : 'line',
    version,
    versionId: row.latestVersionId,
    startSha: head === row.headSha ? undefined : head,
    anchor: trace.changedBy && anchorOf(trace.changedBy),
  }
  return { thread, outdatedBy }
}

function anchorOf({ path, line }: ChangedPlace): string {
  const hash = pathHash(path)
  return line === null ? hash : lineCode(hash, line)
}

/** False if the merge request has another version meanwhile: the rest is up to the job of that. */
async function applyAll(
  app: App,
  target: Target,
  updates: readonly ThreadUpdate[],
  by: UpdatedBy,
  signal: AbortSignal,
): Promise<boolean> {
  let done = 0
  let isCurrent = true
  await inBatches(async (limit) => {
    signal.throwIfAborted()
    const batch = updates.slice(done, done + limit)
    if (batch.length > 0) isCurrent = await apply(app, target, batch, by)
    done += batch.length
    return isCurrent ? batch.length : 0
  })
  return isCurrent
}

/** False, with nothing written, if the merge request has another version meanwhile. */
async function apply(
  app: App,
  { item }: Target,
  updates: readonly ThreadUpdate[],
  { actorId, now }: UpdatedBy,
): Promise<boolean> {
  const { id, latestVersionId } = item.row
  return app.db.transaction(async (tx) => {
    await lockItemRow(tx, { type: 'merge_request', id })
    const row: MergeRequestRow | undefined = await findMergeRequestById(tx, id)
    if (row?.latestVersionId !== latestVersionId) return false
    const userId = await existingActor(tx, actorId, now)
    await updateThreads(tx, { ...item, row }, updates, { userId, now })
    return true
  })
}
