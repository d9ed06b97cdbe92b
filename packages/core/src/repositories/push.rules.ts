import type { PushData } from '../events/event.schema.ts'
import { type NamedRef, parseRef } from './ref-name.rules.ts'

/** A ref that moves: from one object to another, from nothing, or to nothing. */
export interface RefUpdate {
  /** In full: `refs/heads/master`. */
  ref: string
  /** Null where the ref is new. */
  before: string | null
  /** Null where the ref is removed. */
  after: string | null
}

/** Longest title of a commit in `push_data`, in characters (catalogue: repository, 14). */
const maxTitleLength = 70

/** What is known of the commits of one pushed ref. */
export interface PushedCommits {
  count: number
  /** The first line of the newest one; null where there is none. */
  title: string | null
}

/** The `push_data` of one moved branch or tag (catalogue: repository, 14). */
export function pushDataOf(update: RefUpdate, named: NamedRef, commits: PushedCommits): PushData {
  return {
    commit_count: commits.count,
    action: pushAction(update),
    ref_type: named.type,
    commit_from: update.before,
    commit_to: update.after,
    ref: named.name,
    commit_title: commits.title === null ? null : shorten(commits.title),
  }
}

function pushAction(update: RefUpdate): PushData['action'] {
  if (update.before === null) return 'created'
  return update.after === null ? 'removed' : 'pushed'
}

function shorten(title: string): string {
  const characters = Array.from(title)
  if (characters.length <= maxTitleLength) return title
  return `${characters.slice(0, maxTitleLength - 1).join('')}…`
}

/** Names that default branches usually have, for pushes that bring none that is configured. */
const usualNames = ['main', 'master']

/**
 * The default branch that a push gives to an empty repository (decisions: the first branch pushed). Of
 * several at once it is the first of the preferred names, then a usual one, then the first that was
 * sent. Null when no branch came.
 */
export function firstDefaultBranch(
  updates: readonly RefUpdate[],
  preferred: readonly string[],
): string | null {
  const pushed = updates
    .filter((update) => update.after !== null)
    .map((update) => parseRef(update.ref))
    .filter((named) => named?.type === 'branch')
    .map((named) => named?.name ?? '')
  const names = [...preferred, ...usualNames]
  return names.find((name) => pushed.includes(name)) ?? pushed[0] ?? null
}

/**
 * Whether a push that was cut off moved a ref without anybody recording it. `current` is where the ref
 * is now, `recorded` its moves that are recorded since the push began, `attempted` those that others
 * have asked for: whoever moves a ref from where the push wanted it has seen it there.
 */
export function movedUnrecorded(
  update: RefUpdate,
  current: string | null,
  moves: { recorded: readonly RefMove[]; attempted: readonly RefMove[] },
): boolean {
  const { before, after } = update
  if (moves.recorded.some(({ from, to }) => from === before && to === after)) return false
  if (current === after) return true
  if (current === before) return false
  return [...moves.recorded, ...moves.attempted].some(({ from }) => from === after)
}

/** From where a ref moved to where; null for absent. */
export interface RefMove {
  from: string | null
  to: string | null
}
