import type { InstanceStatistics } from '@stithy/core'
import type { InstanceCounts } from '@stithy/store'

const format = new Intl.NumberFormat('en-US')

/** Presents counts as text with thousands separators. */
export function presentInstanceStatistics(counts: InstanceCounts): InstanceStatistics {
  return {
    forks: format.format(counts.forks),
    issues: format.format(counts.issues),
    merge_requests: format.format(counts.mergeRequests),
    notes: format.format(counts.notes),
    snippets: format.format(counts.snippets),
    ssh_keys: format.format(counts.sshKeys),
    milestones: format.format(counts.milestones),
    users: format.format(counts.users),
    groups: format.format(counts.groups),
    projects: format.format(counts.projects),
    active_users: format.format(counts.activeUsers),
  }
}
