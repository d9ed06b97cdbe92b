import { judgeRefUpdate, type RefUpdate, type RefVerdict, refReasons } from '@stithy/core'
import {
  findMergeBase,
  maxForwardOnlyBytes,
  type Repository,
  readCommit,
  refsContaining,
} from '@stithy/git'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { repositoryOf } from '../repositories/repository.service.ts'
import { loadRefAccess, type RefAccess } from './ref-access.service.ts'

/** A ref that may not move, and why, as a sentence for whoever pushes. */
export interface RefRefusal {
  ref: string
  reason: string
  /** Whether other rights would do, or nobody could. */
  fault: 'rights' | 'request'
}

/** Refs that somebody wants to move. */
export interface RefChange {
  subject: ProjectSubject
  caller: Caller
  updates: readonly RefUpdate[]
  /** The way it comes in: some of the rules are stricter for git (catalogue: repository, 13). */
  via: 'git' | 'api'
  /** The result of a merge request that was accepted: rights to merge into the branch are enough. */
  merging?: boolean
  /**
   * Branches lose commits by this, as the caller knows before the new ones are written. Once they are
   * written it is seen without being told.
   */
  forced?: boolean
  /** A machine's key that may write, in the name of the caller. */
  deployKey?: boolean
}

/** What is known of a push before its objects have come. */
export interface PushCheck {
  refusals: RefRefusal[]
  /** Branches that may move forward only, in full, for `receivePack` to hold them to. */
  forwardOnly: string[]
}

/**
 * Decides which refs a push over git may move, as far as that can be told before its objects are there.
 * One refusal refuses the whole push.
 */
export async function checkPush(app: App, change: Omit<RefChange, 'via'>): Promise<PushCheck> {
  const verdicts = await judge(app, { ...change, via: 'git' })
  const forwardOnly = verdicts.filter(isForward).map(({ update }) => update.ref)
  const refusals = verdicts.flatMap(refusalOf)
  if (Buffer.byteLength(forwardOnly.join('\n')) <= maxForwardOnlyBytes) {
    return { refusals, forwardOnly }
  }
  const reason = 'These are too many protected branches for one push. Push some of them first.'
  const tooMany = forwardOnly.map((ref): RefRefusal => ({ ref, reason, fault: 'request' }))
  return { refusals: [...refusals, ...tooMany], forwardOnly: [] }
}

/**
 * The one place that decides which refs may move (catalogue: repository, 13): for the API here, for git
 * through `checkPush` by the same rules. One refusal refuses the whole change. Where the new commits are
 * not written yet, `forced` stands for what cannot be seen.
 */
export async function checkRefUpdates(app: App, change: RefChange): Promise<RefRefusal[]> {
  const judged = await judge(app, change)
  const refusals: RefRefusal[] = []
  for (const entry of judged) {
    const { update, verdict } = entry
    if (verdict.kind === 'forward' && (await losesHistory(app, change, update))) {
      refusals.push({ ref: update.ref, reason: refReasons.forceBranch, fault: 'rights' })
    }
    if (verdict.kind === 'from_protected' && !(await isInProtected(app, change, entry))) {
      refusals.push({ ref: update.ref, reason: refReasons.createBranch, fault: 'rights' })
    }
    refusals.push(...refusalOf(entry))
  }
  return refusals
}

interface Judged {
  update: RefUpdate
  verdict: RefVerdict
  access: RefAccess
}

async function judge(app: App, change: RefChange): Promise<Judged[]> {
  const { via, merging = false } = change
  const access = await loadRefAccess(app, change)
  return change.updates.map((update) => {
    const verdict = judgeRefUpdate(update, access.rules, access.actor, { via, merging })
    return { update, verdict, access }
  })
}

function isForward({ verdict }: Judged): boolean {
  return verdict.kind === 'forward'
}

function refusalOf({ update, verdict }: Judged): RefRefusal[] {
  if (verdict.kind !== 'refused') return []
  const { reason, fault } = verdict
  return [{ ref: update.ref, reason, fault }]
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
  // The common case costs no process: a new commit on top of the old one.
  if (commit === undefined || commit.parents.includes(before)) return false
  return (await findMergeBase(app.git, repository, before, after)) !== before
}

async function isInProtected(
  app: App,
  { subject }: RefChange,
  { update: { after }, access }: Judged,
): Promise<boolean> {
  const repository: Repository = repositoryOf(app, subject.row)
  if (after === null || !(await readCommit(app.git, repository, after))) return false
  const branches = await refsContaining(app.git, repository, after, 'branch')
  return branches.some(({ name }) => access.rules.branches(name).length > 0)
}
