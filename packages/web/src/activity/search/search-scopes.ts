import { groupSearchScopes, projectSearchScopes, searchScopes } from '@stithy/core'
import type { PageCall } from '../../platform/pages/page-call.ts'

/** What is searched: everything, a group or a project, by path or id. */
export type Context =
  | { kind: 'everything' }
  | { kind: 'group'; group: string }
  | { kind: 'project'; project: string }

/** Everything that has results of its own. */
export type Scope =
  | (typeof searchScopes)[number]
  | (typeof groupSearchScopes)[number]
  | (typeof projectSearchScopes)[number]

/** Where an address searches: `/<project>/-/search`, or `/search?project_id=1`. */
export function contextOf({ params, query }: Pick<PageCall, 'params' | 'query'>): Context {
  const project = params.project ?? query.get('project_id') ?? ''
  if (project !== '') return { kind: 'project', project }
  const group = params.group ?? query.get('group_id') ?? ''
  return group === '' ? { kind: 'everything' } : { kind: 'group', group }
}

const scopesOf = {
  everything: searchScopes,
  group: groupSearchScopes,
  project: projectSearchScopes,
} as const

const names: Readonly<Record<Scope, string>> = {
  projects: 'Projects',
  blobs: 'Code',
  issues: 'Issues',
  merge_requests: 'Merge requests',
  commits: 'Commits',
  notes: 'Comments',
  wiki_blobs: 'Wiki',
  milestones: 'Milestones',
  snippet_titles: 'Snippets',
  snippet_blobs: 'Code of snippets',
  users: 'Users',
}

/** The scopes of a context with their names, in the order of their tabs. */
export function scopeNames({ kind }: Context): [Scope, string][] {
  const known: readonly string[] = scopesOf[kind]
  const all = Object.entries(names) as [Scope, string][]
  return all.filter(([scope]) => known.includes(scope))
}

/** The scope that an address names; the first one unless it names a known one. */
export function scopeOf(context: Context, query: URLSearchParams): Scope {
  const wanted = query.get('scope')
  const scopes = scopeNames(context).map(([scope]) => scope)
  return scopes.find((scope) => scope === wanted) ?? scopes[0] ?? 'projects'
}
