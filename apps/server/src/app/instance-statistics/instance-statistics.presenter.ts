import { type InstanceStatistics, lazy } from '@stithy/core'
import type { InstanceCounts } from '@stithy/store'

const numbers = lazy(() => new Intl.NumberFormat('en-US'))

function formatCount(count: number): string {
  return numbers().format(count)
}

/** Presents counts as text with thousands separators. */
export function presentInstanceStatistics(counts: InstanceCounts): InstanceStatistics {
  return {
    forks: formatCount(counts.forks),
    issues: formatCount(counts.issues),
    merge_requests: formatCount(counts.mergeRequests),
    notes: formatCount(counts.notes),
    snippets: formatCount(counts.snippets),
    ssh_keys: formatCount(counts.sshKeys),
    milestones: formatCount(counts.milestones),
    users: formatCount(counts.users),
    groups: formatCount(counts.groups),
    projects: formatCount(counts.projects),
    active_users: formatCount(counts.activeUsers),
  }
}
