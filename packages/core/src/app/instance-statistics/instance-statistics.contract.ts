import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'

const count = z.string()

/** Counts of the whole instance, as text with thousands separators: `1,234`. */
export const InstanceStatistics = z.object({
  forks: count,
  issues: count,
  merge_requests: count,
  /** With system notes. */
  notes: count,
  /** Of projects and personal ones. */
  snippets: count,
  /** Without deploy keys. */
  ssh_keys: count,
  /** Of projects and groups. */
  milestones: count,
  users: count,
  groups: count,
  projects: count,
  /** Users who are not blocked. */
  active_users: count,
})
export type InstanceStatistics = z.output<typeof InstanceStatistics>

export const instanceStatisticsContract = {
  show: endpoint({
    name: 'application.statistics',
    method: 'GET',
    path: '/application/statistics',
    response: { 200: InstanceStatistics },
    auth: { on: 'instance', ability: 'administer' },
    docs: {
      summary: 'Show statistics of the instance',
      description: 'For administrators. Counts are text with thousands separators: `"1,234"`.',
    },
  }),
}
