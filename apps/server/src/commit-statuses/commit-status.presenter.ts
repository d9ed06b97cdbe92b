import type { CommitStatus, UserRef } from '@stithy/core'
import type { CommitStatusRow } from '@stithy/store'
import { instantOrNull, instantText } from '../http/instant.ts'

/** Statuses as they go over the wire; `authors` holds all of theirs. */
export function presentStatuses(
  rows: readonly CommitStatusRow[],
  authors: ReadonlyMap<number, UserRef>,
): CommitStatus[] {
  return rows.map((row) => ({
    id: row.id,
    sha: row.sha,
    ref: row.ref,
    status: row.status,
    name: row.name,
    target_url: row.targetUrl,
    description: row.description,
    created_at: instantText(row.createdAt),
    started_at: instantOrNull(row.startedAt),
    finished_at: instantOrNull(row.finishedAt),
    allow_failure: row.allowFailure === 1,
    coverage: row.coverage,
    author: (row.userId === null ? undefined : authors.get(row.userId)) ?? null,
  }))
}
