import type { MergeStatus } from './merge-request.schema.ts'

/** The most commits that a version keeps: the newest. */
export const maxVersionCommits = 10_000

const wip = /^\s*(?:\[wip\]|wip:|wip\s)/i

/** Whether a title marks work in progress (catalogue: merge requests, 3.1). */
export function isWorkInProgress(title: string): boolean {
  return wip.test(title)
}

const unfinished = /^\s*(?:\[wip\]|wip:|wip(?=\s|$))|^(?:fixup!|squash!)(?=\s|$)/i

/** Whether a commit says by its first line that it is not to stay as it is. */
export function isUnfinishedCommit(title: string): boolean {
  return unfinished.test(title)
}

/** The title with the mark of work in progress, which it has once at the most. */
export function withWorkInProgress(title: string): string {
  return isWorkInProgress(title) ? title : `WIP: ${title}`
}

/** The title without any mark of work in progress. */
export function withoutWorkInProgress(title: string): string {
  let rest = title
  while (wip.test(rest)) rest = rest.replace(wip, '').trimStart()
  return rest
}

/**
 * What is known of a merge after a branch has moved (catalogue: merge requests, 3.2): nothing; but where
 * there was a conflict, that is said until somebody looks again.
 */
export function outdatedMergeStatus(status: MergeStatus): MergeStatus {
  const conflicting = status === 'cannot_be_merged' || status === 'cannot_be_merged_recheck'
  return conflicting ? 'cannot_be_merged_recheck' : 'unchecked'
}

/** Whether a merge has to be tried to know more. */
export function isOutdatedMergeStatus(status: MergeStatus): boolean {
  return status === 'unchecked' || status === 'cannot_be_merged_recheck'
}

/** The ref under which the head of a merge request is published in the target project. */
export function mergeRequestHeadRef(iid: number): string {
  return `refs/merge-requests/${iid}/head`
}
