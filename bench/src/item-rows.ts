import type { BenchRow, SizeRow } from './bench-row.ts'
import { busyProject, member, rareWord } from './data/measured.ts'

/** Query strings of filters, each alone, by the name of the row. */
export type Filters = Readonly<Record<string, string>>

/** The filters that lists of issues and of merge requests have in common. */
export const commonFilters: Filters = {
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
  assignee: `assignee_id=${member.id}`,
  'no-assignee': 'assignee_id=None',
  'any-assignee': 'assignee_id=Any',
  reaction: 'my_reaction_emoji=tada',
  'no-reaction': 'my_reaction_emoji=None',
  oldest: 'sort=asc',
  'last-changed': 'order_by=updated_at',
  'rare-word': `search=${rareWord}`,
  word: 'search=server',
  'word-in-title': 'search=server&in=title',
  'created-after': 'created_after=2025-06-01',
  'created-before': 'created_before=2025-06-01',
  'updated-after': 'updated_after=2025-06-01',
  'updated-before': 'updated_before=2025-06-01',
}

/** The group of the measured projects, two levels above them. */
export const measuredGroup = 1

/** The lists of one kind of items. */
export interface ItemRows {
  /** The names of the scopes. */
  scopes: readonly string[]
  filters: Filters
  /** Against the baseline: the three lists, those of the caller, and each filter in a project. */
  rows: readonly BenchRow[]
  /**
   * The first page of each list with each filter alone, on large and on small data, by
   * `scope|filter`.
   */
  sizeRows: readonly SizeRow[]
}

/** The rows of `issues` or `merge_requests`. */
export function itemRows(kind: 'issues' | 'merge_requests', filters: Filters): ItemRows {
  const name = kind.replaceAll('_', '-')
  const goal = 0.85
  const scopes = {
    project: `/api/v4/projects/${busyProject}/${kind}?`,
    group: `/api/v4/groups/${measuredGroup}/${kind}?`,
    all: `/api/v4/${kind}?scope=all`,
  }
  const rows = [
    { name, path: scopes.all, goal },
    { name: `${name}-mine`, path: `/api/v4/${kind}?`, goal },
    { name: `${name}-group`, path: scopes.group, goal },
    { name: `${name}-project`, path: scopes.project, goal },
    ...Object.entries(filters).map(([filter, query]) => ({
      name: `${name}-${filter}`,
      path: scopes.project + query,
      goal,
    })),
  ].map((row) => ({ ...row, path: row.path.replace(/\?$/, '') }))
  const sizeRows = Object.entries(scopes).flatMap(([scope, path]) =>
    Object.entries({ none: '', ...filters }).map(([filter, query]) => ({
      name: `${scope}|${filter}`,
      path: withQuery(path, query),
      goal: 1.5,
    })),
  )
  return { scopes: Object.keys(scopes), filters, rows, sizeRows }
}

/** A `scope` filter replaces the existing one. */
function withQuery(path: string, query: string): string {
  const start = query.startsWith('scope=') ? path.replace(/scope=.*$/, '') : path
  return `${start}${start.endsWith('?') || query === '' ? '' : '&'}${query}`.replace(/\?$/, '')
}
