import { checkRefUpdate, type RefDecision, type RefUpdate, refReasons } from '@stithy/core'
import { findMergeBase, type Repository, readCommit, refsContaining } from '@stithy/git'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { loadRefAccess, type RefAccess } from '../protected-refs/ref-access.service.ts'

/** A ref that may not move, with the reason as a sentence for the user. */
export interface RefRefusal {
  ref: string
  reason: string
  /** `rights` if other users may; `request` if nobody may. */
  cause: 'rights' | 'request'
}

/** Ref updates to check. */
export interface RefChange {
  subject: ProjectSubject
  caller: Caller
  updates: readonly RefUpdate[]
  /** Where they come from: some of the rules are stricter for git. */
  via: 'git' | 'api'
  /** The result of accepting a merge request: the right to merge into the branch is enough. */
  merging?: boolean
  /**
   * Branches lose commits, as the caller knows before the new ones are written. Once they are
   * written, it is detected.
   */
  forced?: boolean
  /** A deploy key with write access, on behalf of the caller. */
  deployKey?: boolean
}

/** A git process each. */
const maxForwardOnly = 100

/** What can be decided about a push before its objects have arrived. */
export interface PushCheck {
  refusals: RefRefusal[]
  /** Full names of branches that may only be fast-forwarded, which is checked on arrival. */
  forwardOnly: string[]
}

/**
 * Decides which refs a git push may move, as far as possible before its objects have arrived. One
 * refusal refuses the whole push.
 */
export async function checkPush(app: App, change: Omit<RefChange, 'via'>): Promise<PushCheck> {
  const checkedUpdates = await checkUpdates(app, { ...change, via: 'git' })
  const forwardOnly = checkedUpdates.filter(isForward).map(({ update }) => update.ref)
  const refusals = checkedUpdates.flatMap(refusalOf)
  if (forwardOnly.length <= maxForwardOnly) {
    return { refusals, forwardOnly }
  }
  const reason = 'Too many protected branches for one push. Push some of them first.'
  const tooMany = forwardOnly.map((ref): RefRefusal => ({ ref, reason, cause: 'request' }))
  return { refusals: [...refusals, ...tooMany], forwardOnly: [] }
}

/**
 * The only function that decides which refs may move: for the API here, for git through `checkPush`
 * by the same rules. One refusal refuses the whole change. While the new commits are not written
 * yet, `forced` replaces what cannot be detected.
 */
export async function checkRefUpdates(app: App, change: RefChange): Promise<RefRefusal[]> {
  const checkedUpdates = await checkUpdates(app, change)
  const refusals: RefRefusal[] = []
  for (const entry of checkedUpdates) {
    const { update, decision } = entry
    if (decision.kind === 'forward' && (await losesHistory(app, change, update))) {
      refusals.push({ ref: update.ref, reason: refReasons.forceBranch, cause: 'rights' })
    }
    if (decision.kind === 'from_protected' && !(await isInProtected(app, change, entry))) {
      refusals.push({ ref: update.ref, reason: refReasons.createBranch, cause: 'rights' })
    }
    refusals.push(...refusalOf(entry))
  }
  return refusals
}

interface CheckedUpdate {
  update: RefUpdate
  decision: RefDecision
  access: RefAccess
}

async function checkUpdates(app: App, change: RefChange): Promise<CheckedUpdate[]> {
  const { via, merging = false } = change
  const access = await loadRefAccess(app, change)
  return change.updates.map((update) => {
    const decision = checkRefUpdate(update, access.rules, access.actor, { via, merging })
    return { update, decision, access }
  })
}

function isForward({ decision }: CheckedUpdate): boolean {
  return decision.kind === 'forward'
}

function refusalOf({ update, decision }: CheckedUpdate): RefRefusal[] {
  if (decision.kind !== 'refused') return []
  const { reason, cause } = decision
  return [{ ref: update.ref, reason, cause }]
}

async function losesHistory(
  app: App,
  { subject, forced }: RefChange,
  { before, after }: RefUpdate,
): Promise<boolean> {
  if (forced === true) return true
  if (before === null || after === null || before === after) return false
  const repository = repositoryOf(app, subject.row)
  const commit = await readCommit(app.git, repository, after)
  // The common case needs no process: a new commit on top of the old one.
  if (commit === undefined || commit.parents.includes(before)) return false
  return (await findMergeBase(app.git, repository, before, after)) !== before
}

async function isInProtected(
  app: App,
  { subject }: RefChange,
  { update: { after }, access }: CheckedUpdate,
): Promise<boolean> {
  const repository: Repository = repositoryOf(app, subject.row)
  if (after === null || !(await readCommit(app.git, repository, after))) return false
  const branches = await refsContaining(app.git, repository, after, 'branch')
  return branches.some(({ name }) => access.rules.branches(name).length > 0)
}
