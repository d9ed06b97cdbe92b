import type { CommitStatus, UserRef } from '@stithy/core'
import type { CommitStatusRow } from '@stithy/store'
import { timestampOrNull, timestampText } from '../../platform/http/timestamp.ts'

/** Presents statuses; `authors` holds all of their authors. */
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
    created_at: timestampText(row.createdAt),
    started_at: timestampOrNull(row.startedAt),
    finished_at: timestampOrNull(row.finishedAt),
    allow_failure: row.allowFailure === 1,
    coverage: row.coverage,
    author: (row.userId === null ? undefined : authors.get(row.userId)) ?? null,
  }))
}
