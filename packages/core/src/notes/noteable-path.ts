import type { Auth } from '../contract/endpoint.ts'

/**
 * Where a kind of thing lies that is commented on or awarded: what the contracts of its notes,
 * discussions and awards are built from.
 */
export interface NoteablePath<Path extends string, Id extends string, Access extends Auth> {
  /** `/projects/:id/issues/:issue_iid` */
  path: Path
  /** Names in the path that are numbers, `id` not counted. */
  ids: readonly Id[]
  /** What is asked of the caller before the thing itself is looked at. */
  auth: Access
  /** The feature tier from which on the thing exists. */
  tier?: { tier: 'premium' }
  /** `an issue`, in sentences. */
  a: string
}

/** `NoteablePath` with its exact types. */
function noteable<const Path extends string, const Id extends string, const Access extends Auth>(
  path: NoteablePath<Path, Id, Access>,
): NoteablePath<Path, Id, Access> {
  return path
}

/** Catalogue: merge_requests, 6 and 7; planning, 3.1. */
export const noteablePaths = {
  issue: noteable({
    path: '/projects/:id/issues/:issue_iid',
    ids: ['issue_iid'],
    auth: { on: 'project', ability: 'read_issues' },
    a: 'an issue',
  }),
  /** Its author and assignees read a merge request with the level of a guest: only the request tells. */
  mergeRequest: noteable({
    path: '/projects/:id/merge_requests/:merge_request_iid',
    ids: ['merge_request_iid'],
    auth: { on: 'project', ability: 'read_project' },
    a: 'a merge request',
  }),
  snippet: noteable({
    path: '/projects/:id/snippets/:snippet_id',
    ids: ['snippet_id'],
    auth: { on: 'project', ability: 'read_snippets' },
    a: 'a snippet',
  }),
  epic: noteable({
    path: '/groups/:id/epics/:epic_id',
    ids: ['epic_id'],
    auth: { on: 'group', ability: 'read_epics' },
    tier: { tier: 'premium' },
    a: 'an epic',
  }),
  commit: noteable({
    path: '/projects/:id/repository/commits/:commit_id',
    ids: [],
    auth: { on: 'project', ability: 'read_code' },
    a: 'a commit',
  }),
} as const
