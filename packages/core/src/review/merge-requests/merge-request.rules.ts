import type { MergeStatus } from '../../planning/items/merge-request.schema.ts'

/** Maximum number of commits stored of a version: the newest ones. */
export const maxVersionCommits = 10_000

/** Maximum number of changed files of a version that are counted and shown. */
export const maxVersionFiles = 1000

/** What a version has of its diff; it loses its files once a newer one is merged. */
export const versionStates = ['collected', 'empty', 'overflow'] as const
export type VersionState = (typeof versionStates)[number]

/** The changed files of a version. */
export interface VersionFiles {
  fileCount: number
  state: VersionState
}

/** Counts the changed files of a version, up to `maxVersionFiles`. */
export function versionFiles(changed: number): VersionFiles {
  if (changed === 0) return { fileCount: 0, state: 'empty' }
  if (changed <= maxVersionFiles) return { fileCount: changed, state: 'collected' }
  return { fileCount: maxVersionFiles, state: 'overflow' }
}

/** The number of changed files as v4 clients expect it: `3`, or `1000+`. */
export function fileCountText({ fileCount, state }: VersionFiles): string {
  return state === 'overflow' ? `${fileCount}+` : String(fileCount)
}

const wip = /^\s*(?:\[wip\]|wip:|wip\s)/i

/** Whether a title is marked as work in progress. */
export function isWorkInProgress(title: string): boolean {
  return wip.test(title)
}

const unfinished = /^\s*(?:\[wip\]|wip:|wip(?=\s|$))|^(?:fixup!|squash!)(?=\s|$)/i

/** Whether the first line of a commit message marks it as unfinished. */
export function isUnfinishedCommit(title: string): boolean {
  return unfinished.test(title)
}

/** Adds the work-in-progress prefix to a title, unless it is there already. */
export function withWorkInProgress(title: string): string {
  return isWorkInProgress(title) ? title : `WIP: ${title}`
}

/** Removes all work-in-progress prefixes from a title. */
export function withoutWorkInProgress(title: string): string {
  let rest = title
  while (wip.test(rest)) rest = rest.replace(wip, '').trimStart()
  return rest
}

/**
 * The merge status after a branch has moved: unknown; but a conflict is reported until the next
 * check.
 */
export function outdatedMergeStatus(status: MergeStatus): MergeStatus {
  const conflicting = status === 'cannot_be_merged' || status === 'cannot_be_merged_recheck'
  return conflicting ? 'cannot_be_merged_recheck' : 'unchecked'
}

/** Whether the merge must be tried to update the status. */
export function isOutdatedMergeStatus(status: MergeStatus): boolean {
  return status === 'unchecked' || status === 'cannot_be_merged_recheck'
}

/** The ref in the target project that publishes the head of a merge request. */
export function mergeRequestHeadRef(iid: number): string {
  return `refs/merge-requests/${iid}/head`
}
