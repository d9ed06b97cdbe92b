import { busyProject, member, rareWord } from './data/measured.ts'
import type { BenchRow, SizeRow } from './rows.ts'

/** Each filter alone: what stands behind the `?`, by what the row is called. */
export const issueFilters: Readonly<Record<string, string>> = {
  opened: 'state=opened',
  closed: 'state=closed',
  label: 'labels=bug',
  'no-label': 'labels=None',
  'any-label': 'labels=Any',
  'label-details': 'with_labels_details=true',
  milestone: 'milestone=v1',
  'no-milestone': 'milestone=None',
  'any-milestone': 'milestone=Any',
  'created-by-me': 'scope=created_by_me',
  'assigned-to-me': 'scope=assigned_to_me',
  author: `author_id=${member.id}`,
  'author-name': `author_username=${member.username}`,
  assignee: `assignee_id=${member.id}`,
  'assignee-name': `assignee_username=${member.username}`,
  'no-assignee': 'assignee_id=None',
  'any-assignee': 'assignee_id=Any',
  reaction: 'my_reaction_emoji=tada',
  'no-reaction': 'my_reaction_emoji=None',
  weight: 'weight=3',
  'no-weight': 'weight=None',
  'any-weight': 'weight=Any',
  iids: `iids=${Array.from({ length: 20 }, (_, index) => index + 1).join()}`,
  oldest: 'sort=asc',
  'last-changed': 'order_by=updated_at',
  'rare-word': `search=${rareWord}`,
  word: 'search=server',
  'word-in-title': 'search=server&in=title',
  'created-after': 'created_after=2025-06-01',
  'created-before': 'created_before=2025-06-01',
  'updated-after': 'updated_after=2025-06-01',
  'updated-before': 'updated_before=2025-06-01',
  confidential: 'confidential=true',
  open: 'confidential=false',
}

/** The group that holds the measured projects, two levels above them. */
const measuredGroup = 1

/** Where lists of issues are asked for; the query begins behind each. */
export const issuePlaces = {
  project: `/api/v4/projects/${busyProject}/issues?`,
  group: `/api/v4/groups/${measuredGroup}/issues?`,
  all: '/api/v4/issues?scope=all',
} as const

const goal = 0.85

/** Lists of issues against the baseline: the three of them, and each filter alone in a project. */
export const issueRows: readonly BenchRow[] = [
  { name: 'issues', path: issuePlaces.all, goal },
  { name: 'issues-mine', path: '/api/v4/issues?', goal },
  { name: 'issues-group', path: issuePlaces.group, goal },
  { name: 'issues-project', path: issuePlaces.project, goal },
  ...Object.entries(issueFilters).map(([name, query]) => ({
    name: `issues-${name}`,
    path: issuePlaces.project + query,
    goal,
  })),
].map((row) => ({ ...row, path: row.path.replace(/\?$/, '') }))

/** The first page of each list with each filter alone, on large and on small data. */
export const issueSizeRows: readonly SizeRow[] = Object.entries(issuePlaces).flatMap(
  ([place, path]) =>
    [['none', ''] as const, ...Object.entries(issueFilters)].map(([name, query]) => ({
      name: `${place}|${name}`,
      path: withQuery(path, query),
      goal: 1.5,
    })),
)

/** A filter by scope takes the place of the one that is there. */
function withQuery(path: string, query: string): string {
  const start = query.startsWith('scope=') ? path.replace(/scope=.*$/, '') : path
  return `${start}${start.endsWith('?') || query === '' ? '' : '&'}${query}`.replace(/\?$/, '')
}
