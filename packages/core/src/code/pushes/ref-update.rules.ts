import { AccessLevel } from '../../platform/access/level.ts'
import {
  allowsDevelopers,
  type ProtectionFinder,
  passesAny,
  type RefActor,
} from '../protected-refs/ref-protection.rules.ts'
import { isBranchOrTagName, parseRef } from '../repositories/ref-name.rules.ts'
import type { RefUpdate } from './push.rules.ts'

/** What the rules need to know of a project. */
export interface RefRules {
  defaultBranch: string | null
  /** The repository is empty, and only maintainers may push its first branch. */
  protectsFirstBranch: boolean
  branches: ProtectionFinder
  tags: ProtectionFinder
}

/** How a ref is updated. */
export interface RefUpdateContext {
  /** Some rules are stricter for git clients. */
  via: 'git' | 'api'
  /** The result of an accepted merge request: merge rights suffice. */
  merging: boolean
}

/**
 * The decision about one ref update. `forward` allows it only as a fast-forward; `from_protected` when
 * the commit is contained in a protected branch. `cause` is `rights` when the actor lacks them, or
 * `request` when nobody may do it.
 */
export type RefDecision =
  | { kind: 'allowed' }
  | { kind: 'forward' }
  | { kind: 'from_protected' }
  | { kind: 'refused'; reason: string; cause: 'rights' | 'request' }

/** Messages to the pushing user; git shows them in `remote:` lines. */
export const refReasons = {
  namespace: 'Only branches and tags can be pushed.',
  push: 'You are not allowed to push code to this project.',
  firstBranch:
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

const allowed: RefDecision = { kind: 'allowed' }

function refused(reason: string, cause: 'rights' | 'request' = 'rights'): RefDecision {
  return { kind: 'refused', reason, cause }
}

/** Checks whether an actor may update a ref. */
export function checkRefUpdate(
  update: RefUpdate,
  rules: RefRules,
  actor: RefActor,
  context: RefUpdateContext,
): RefDecision {
  const named = parseRef(update.ref)
  if (named === undefined) return refused(refReasons.namespace, 'request')
  // Existing refs with such a name may still be deleted.
  if (update.after !== null && !isBranchOrTagName(named.name)) {
    return refused(`No ${named.type} may have this name.`, 'request')
  }
  if (!(actor.mayPush || isCollaboration(update, actor))) return refused(refReasons.push)
  return named.type === 'branch'
    ? checkBranch(named.name, update, rules, actor, context)
    : checkTag(named.name, update, rules, actor)
}

/** Collaborators may neither create branches nor delete them. */
function isCollaboration({ ref, before, after }: RefUpdate, actor: RefActor): boolean {
  const named = parseRef(ref)
  if (named?.type !== 'branch' || before === null || after === null) return false
  return actor.collaborationBranches?.has(named.name) === true
}

function checkBranch(
  name: string,
  { before, after }: RefUpdate,
  rules: RefRules,
  actor: RefActor,
  { via, merging }: RefUpdateContext,
): RefDecision {
  if (after === null && name === rules.defaultBranch) {
    return refused(refReasons.deleteDefault, 'request')
  }
  const protections = rules.branches(name)
  if (protections.length === 0) return rules.protectsFirstBranch ? checkFirstBranch(actor) : allowed
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

function checkFirstBranch(actor: RefActor): RefDecision {
  return isMaintainer(actor) || actor.deployKey ? allowed : refused(refReasons.firstBranch)
}

function checkTag(
  name: string,
  { before, after }: RefUpdate,
  rules: RefRules,
  actor: RefActor,
): RefDecision {
  const protections = rules.tags(name)
  const exists = before !== null || after === null
  if (protections.length > 0) {
    if (after === null) return refused(refReasons.deleteTag)
    if (exists) return refused(refReasons.updateTag)
    return passesAny(protections, 'create', actor) ? allowed : refused(refReasons.createTag)
  }
  // The right to push to a merge request's source branch does not extend to existing tags.
  if (exists && !isDeveloper(actor)) return refused(refReasons.existingTag)
  return allowed
}

function isMaintainer({ admin, level }: RefActor): boolean {
  return admin || level >= AccessLevel.maintainer
}

function isDeveloper({ admin, level, deployKey }: RefActor): boolean {
  return admin || deployKey || level >= AccessLevel.developer
}

/** What a caller may do with a branch. */
export interface BranchRights {
  protected: boolean
  developersCanPush: boolean
  developersCanMerge: boolean
  canPush: boolean
  /** Whether merge requests into it may be accepted; the right to push includes that. */
  canMerge: boolean
}

/** Computes what an actor may do with an existing branch. */
export function branchRights(name: string, rules: RefRules, actor: RefActor): BranchRights {
  const protections = rules.branches(name)
  const isProtected = protections.length > 0
  const mayPush = actor.mayPush || actor.collaborationBranches?.has(name) === true
  const canPush = mayPush && (!isProtected || passesAny(protections, 'push', actor))
  return {
    protected: isProtected,
    developersCanPush: allowsDevelopers(protections, 'push'),
    developersCanMerge: allowsDevelopers(protections, 'merge'),
    canPush,
    canMerge: canPush || (actor.mayPush && passesAny(protections, 'merge', actor)),
  }
}
