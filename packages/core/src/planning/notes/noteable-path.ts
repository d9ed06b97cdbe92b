/** The path of a type of item, which the contracts of notes, discussions and award emoji extend. */
export interface NoteablePath<Path extends string, Id extends string, On extends string> {
  /** `/projects/:id/issues/:issue_iid` */
  path: Path
  /** Names in the path that are numbers, except `id`. */
  ids: readonly Id[]
  /** The type of subject. */
  on: On
  /** The feature tier that the type requires. */
  tier?: { tier: 'premium' }
  /** `an issue`, in summaries. */
  a: string
}

/** `NoteablePath` with its exact types. */
function noteable<const Path extends string, const Id extends string, const On extends string>(
  path: NoteablePath<Path, Id, On>,
): NoteablePath<Path, Id, On> {
  return path
}

/** The items that have notes, discussions and award emoji. */
export const noteablePaths = {
  issue: noteable({
    path: '/projects/:id/issues/:issue_iid',
    ids: ['issue_iid'],
    on: 'issue',
    a: 'an issue',
  }),
  mergeRequest: noteable({
    path: '/projects/:id/merge_requests/:merge_request_iid',
    ids: ['merge_request_iid'],
    on: 'merge_request',
    a: 'a merge request',
  }),
  snippet: noteable({
    path: '/projects/:id/snippets/:snippet_id',
    ids: ['snippet_id'],
    on: 'snippet',
    a: 'a snippet',
  }),
  epic: noteable({
    path: '/groups/:id/epics/:epic_id',
    ids: ['epic_id'],
    on: 'epic',
    tier: { tier: 'premium' },
    a: 'an epic',
  }),
  commit: noteable({
    path: '/projects/:id/repository/commits/:sha',
    ids: [],
    on: 'commit',
    a: 'a commit',
  }),
} as const

/** `auth` of endpoints that read an item and its notes. */
export function readAuth<const On extends string>(on: On) {
  return { on, ability: `read_${on}` } as const
}

/** `auth` of endpoints that comment on an item. */
export function commentAuth<const On extends string>(on: On) {
  return { on, ability: `comment_on_${on}` } as const
}

/** `auth` of endpoints that do `ability` to a note or discussion of an item. */
export function nestedAuth<
  const Item extends string,
  const On extends string,
  const Ability extends string,
>(item: Item, on: On, ability: Ability) {
  return { on, within: [item], ability } as const
}
