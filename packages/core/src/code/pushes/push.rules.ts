import { type NamedRef, parseRef } from '../repositories/ref-name.rules.ts'
import type { PushData } from './push-data.schema.ts'

/** The update, creation or deletion of a ref. */
export interface RefUpdate {
  /** Full name: `refs/heads/master`. */
  ref: string
  /** Null when the ref is created. */
  before: string | null
  /** Null when the ref is deleted. */
  after: string | null
}

/** Maximum length of a commit title in `push_data`, in characters. */
const maxTitleLength = 70

/** Summary of the commits of one pushed ref. */
export interface PushedCommits {
  count: number
  /** First line of the newest one; null without commits. */
  title: string | null
}

/** Builds the `push_data` of one branch or tag. */
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

/** Common names of default branches, for pushes without the configured one. */
const commonNames = ['main', 'master']

/**
 * Picks the default branch from the first push to an empty repository: the first match of the
 * preferred names, else a common name, else the first that was sent. Null without branches.
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
  const names = [...preferred, ...commonNames]
  return names.find((name) => pushed.includes(name)) ?? pushed[0] ?? null
}

/**
 * Whether an interrupted push moved a ref without being recorded. `current` is where the ref points
 * now, `recorded` its recorded moves since the push began, `attempted` the moves that others
 * requested: one that starts from the target of this push has read the ref there.
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

/** Old and new target of a ref; null for absent. */
export interface RefMove {
  from: string | null
  to: string | null
}
