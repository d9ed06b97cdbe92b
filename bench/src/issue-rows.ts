import type { BenchRow, SizeRow } from './bench-row.ts'
import { busyProject, member, rareWord } from './data/measured.ts'

/** Each filter alone: its query string, by the name of the row. */
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

/** The group of the measured projects, two levels above them. */
const measuredGroup = 1

/** The paths of issue lists, to which the query is appended. */
export const issueScopes = {
  project: `/api/v4/projects/${busyProject}/issues?`,
  group: `/api/v4/groups/${measuredGroup}/issues?`,
  all: '/api/v4/issues?scope=all',
} as const

const goal = 0.85

/** Lists of issues against the baseline: the three lists, and each filter alone in a project. */
export const issueRows: readonly BenchRow[] = [
  { name: 'issues', path: issueScopes.all, goal },
  { name: 'issues-mine', path: '/api/v4/issues?', goal },
  { name: 'issues-group', path: issueScopes.group, goal },
  { name: 'issues-project', path: issueScopes.project, goal },
  ...Object.entries(issueFilters).map(([name, query]) => ({
    name: `issues-${name}`,
    path: issueScopes.project + query,
    goal,
  })),
].map((row) => ({ ...row, path: row.path.replace(/\?$/, '') }))

/** The first page of each list with each filter alone, on large and on small data. */
export const issueSizeRows: readonly SizeRow[] = Object.entries(issueScopes).flatMap(
  ([scope, path]) =>
    [['none', ''] as const, ...Object.entries(issueFilters)].map(([name, query]) => ({
      name: `${scope}|${name}`,
      path: withQuery(path, query),
      goal: 1.5,
    })),
)

/** A `scope` filter replaces the existing one. */
function withQuery(path: string, query: string): string {
  const start = query.startsWith('scope=') ? path.replace(/scope=.*$/, '') : path
  return `${start}${start.endsWith('?') || query === '' ? '' : '&'}${query}`.replace(/\?$/, '')
}
