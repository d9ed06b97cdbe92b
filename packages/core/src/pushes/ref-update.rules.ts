import { AccessLevel } from '../access/level.ts'
import type { RefUpdate } from '../repositories/push.rules.ts'
import { isBranchOrTagName, parseRef } from '../repositories/ref-name.rules.ts'
import {
  letsDevelopers,
  type ProtectionFinder,
  passesAny,
  type RefActor,
} from './ref-protection.rules.ts'

/** What the rules for refs need to know of a project. */
export interface RefRules {
  defaultBranch: string | null
  /** The repository is empty, and only maintainers may push its first branch. */
  guarded: boolean
  branches: ProtectionFinder
  tags: ProtectionFinder
}

/** How a ref is to be changed. */
export interface RefWay {
  /** Some rules are stricter for git. */
  via: 'git' | 'api'
  /** The result of a merge request that was accepted: rights to merge are enough. */
  merging: boolean
}

/**
 * What the rules say to one change of a ref. `forward` allows it where the new place has the old one in
 * its history; `from_protected` where the commit is in a protected branch already. `fault` says whose a
 * refusal is: `rights` of who asks, or `request`, which nobody's rights would make right.
 */
export type RefVerdict =
  | { kind: 'allowed' }
  | { kind: 'forward' }
  | { kind: 'from_protected' }
  | { kind: 'refused'; reason: string; fault: 'rights' | 'request' }

/** What is said to who pushes; git shows it in `remote:` lines. */
export const refReasons = {
  namespace: 'Only branches and tags can be pushed.',
  push: 'You are not allowed to push code to this project.',
  guarded:
    'You are not allowed to push the first branch of this project. Ask a maintainer to do it.',
  deleteDefault: 'The default branch of a project cannot be deleted.',
  createBranch: 'You are not allowed to create protected branches on this project.',
  updateBranch: 'You are not allowed to push code to protected branches on this project.',
  forceBranch: 'You are not allowed to force push code to a protected branch on this project.',
  deleteBranch:
    'You are not allowed to delete protected branches from this project. Only a maintainer can.',
  deleteBranchByGit: 'Protected branches cannot be deleted with git, only through the API.',
  createTag: 'You are not allowed to create this tag as it is protected.',
  updateTag: 'Protected tags cannot be updated.',
  deleteTag: 'Protected tags cannot be deleted.',
  existingTag: 'You are not allowed to change existing tags on this project.',
} as const

const allowed: RefVerdict = { kind: 'allowed' }

function refused(reason: string, fault: 'rights' | 'request' = 'rights'): RefVerdict {
  return { kind: 'refused', reason, fault }
}

/** Whether a ref may move (catalogue: repository, 13, Checks on each ref update, and 15). */
export function judgeRefUpdate(
  update: RefUpdate,
  rules: RefRules,
  actor: RefActor,
  way: RefWay,
): RefVerdict {
  const named = parseRef(update.ref)
  if (named === undefined) return refused(refReasons.namespace, 'request')
  // What has such a name already may still go.
  if (update.after !== null && !isBranchOrTagName(named.name)) {
    return refused(`No ${named.type} may have this name.`, 'request')
  }
  if (!actor.mayPush) return refused(refReasons.push)
  return named.type === 'branch'
    ? judgeBranch(named.name, update, rules, actor, way)
    : judgeTag(named.name, update, rules, actor)
}

function judgeBranch(
  name: string,
  { before, after }: RefUpdate,
  rules: RefRules,
  actor: RefActor,
  { via, merging }: RefWay,
): RefVerdict {
  if (after === null && name === rules.defaultBranch) {
    return refused(refReasons.deleteDefault, 'request')
  }
  const protections = rules.branches(name)
  if (protections.length === 0) return rules.guarded ? judgeGuarded(actor) : allowed
  if (after === null) {
    if (via === 'git') return refused(refReasons.deleteBranchByGit, 'request')
    return isMaintainer(actor) ? allowed : refused(refReasons.deleteBranch)
  }
  const pushes = passesAny(protections, 'push', actor)
  const merges = via === 'api' && passesAny(protections, 'merge', actor)
  if (before === null) {
    if (pushes) return allowed
    return merges ? { kind: 'from_protected' } : refused(refReasons.createBranch)
  }
  if (pushes || (merging && merges)) return { kind: 'forward' }
  return refused(refReasons.updateBranch)
}

function judgeGuarded(actor: RefActor): RefVerdict {
  return isMaintainer(actor) || actor.deployKey ? allowed : refused(refReasons.guarded)
}

function judgeTag(
  name: string,
  { before, after }: RefUpdate,
  rules: RefRules,
  actor: RefActor,
): RefVerdict {
  const protections = rules.tags(name)
  const exists = before !== null || after === null
  if (protections.length > 0) {
    if (after === null) return refused(refReasons.deleteTag)
    if (exists) return refused(refReasons.updateTag)
    return passesAny(protections, 'create', actor) ? allowed : refused(refReasons.createTag)
  }
  // Whoever may push by a merge request's leave alone still leaves the tags of others alone.
  if (exists && !isDeveloper(actor)) return refused(refReasons.existingTag)
  return allowed
}

function isMaintainer({ admin, level }: RefActor): boolean {
  return admin || level >= AccessLevel.maintainer
}

function isDeveloper({ admin, level, deployKey }: RefActor): boolean {
  return admin || deployKey || level >= AccessLevel.developer
}

/** What one caller may do with one branch. */
export interface BranchRights {
  protected: boolean
  developersCanPush: boolean
  developersCanMerge: boolean
  canPush: boolean
  /** Whether merge requests into it may be accepted: pushing rights include that. */
  canMerge: boolean
}

/** What an actor may do with a branch that is there (document 1, Branch). */
export function branchRights(name: string, rules: RefRules, actor: RefActor): BranchRights {
  const protections = rules.branches(name)
  const isProtected = protections.length > 0
  const canPush = actor.mayPush && (!isProtected || passesAny(protections, 'push', actor))
  return {
    protected: isProtected,
    developersCanPush: letsDevelopers(protections, 'push'),
    developersCanMerge: letsDevelopers(protections, 'merge'),
    canPush,
    canMerge: canPush || (actor.mayPush && passesAny(protections, 'merge', actor)),
  }
}
