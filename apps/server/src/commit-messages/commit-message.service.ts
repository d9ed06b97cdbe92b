import { decideOnProject, scanReferences } from '@stithy/core'
import { type Commit, GitError, listRange, readCommit } from '@stithy/git'
import {
  findRepository,
  findUserIdByEmail,
  listMergedCommits,
  type RepositoryRow,
} from '@stithy/store'
import type { App } from '../app.ts'
import { actingUser } from '../authentication/acting-user.ts'
import type { Caller } from '../http/call.ts'
import type { CommitItem } from '../items/item.ts'
import { isItemReference } from '../mentions/named-items.service.ts'
import { applyTextEffects, planTextEffects } from '../mentions/text-effects.service.ts'
import { closeVia, issuesClosedBy } from '../merge-requests/closing/closing.service.ts'
import { refreshMergeRequests } from '../merge-requests/merge-request-refresh.service.ts'
import { loadProject, type ProjectSubject } from '../projects/project-subject.ts'
import type { RecordedPush } from '../pushes/push-effects.ts'
import { repositoryOf } from '../repositories/repository.service.ts'

export const readCommitMessagesKind = 'commit-messages.read'

/** New commits of one push whose messages are read: the newest. */
const maxCommits = 1000

/** Who says something in a project. */
interface Speaker {
  caller: Caller
  project: ProjectSubject
}

/**
 * Does what the messages of new commits on the default branch say (catalogue: issues, 7): closes issues, and
 * remarks on what else they name. Nothing follows from the push that made the branch. Every commit counts
 * once, however often this runs; what came with a merge request that is merged closes nothing by itself.
 */
export async function readCommitMessages(
  app: App,
  push: RecordedPush,
  signal: AbortSignal,
): Promise<void> {
  const repository = await findRepository(app.db, push.projectId)
  if (repository === undefined || push.defaultBranch === null) return
  const ref = `refs/heads/${push.defaultBranch}`
  const update = push.updates.find((one) => one.ref === ref)
  if (!update || update.before === null || update.after === null) return
  const moved = { before: update.before, after: update.after }
  const commits = await speakingCommits(app, repository, moved)
  if (commits.length === 0) return
  // Whether a commit came with a merge request is only known once those have seen the push.
  await refreshMergeRequests(app, push, signal)
  const shas = commits.map(({ oid }) => oid)
  const merged = await listMergedCommits(app.db, { projectId: push.projectId, shas })
  const speakers = speakersOf(app, push)
  for (const commit of commits) {
    signal.throwIfAborted()
    const speaker = await speakers(commit.author.email)
    if (speaker !== undefined) await follow(app, speaker, commit, !merged.has(commit.oid))
  }
}

/** The new commits that name something, the oldest first. */
async function speakingCommits(
  app: App,
  repository: RepositoryRow,
  moved: { before: string; after: string },
): Promise<Commit[]> {
  const speaking: Commit[] = []
  for (const sha of await newCommits(app, repository, moved)) {
    const commit = await readCommit(app.git, repositoryOf(app, repository), sha)
    if (commit !== undefined && namesItems(app, commit.message)) speaking.push(commit)
  }
  return speaking
}

/** The oldest first; none where they are gone again. */
async function newCommits(
  app: App,
  repository: RepositoryRow,
  { before, after }: { before: string; after: string },
): Promise<string[]> {
  try {
    const range = { tip: after, notReachableFrom: before, limit: maxCommits }
    const commits = await listRange(app.git, repositoryOf(app, repository), range)
    return commits.map(({ oid }) => oid).toReversed()
  } catch (error) {
    if (error instanceof GitError && error.code === 'not_found') return []
    throw error
  }
}

function namesItems(app: App, message: string): boolean {
  return scanReferences(message, { webUrl: app.config.externalUrl }).some(isItemReference)
}

/**
 * Finds in whose name a commit speaks: that of its author, where the address is one that somebody here has
 * confirmed, else of who pushed it. Undefined where neither can read the code.
 */
function speakersOf(app: App, push: RecordedPush): (email: string) => Promise<Speaker | undefined> {
  const known = new Map<number, Promise<Speaker | undefined>>()
  const find = (userId: number) => {
    const found = known.get(userId) ?? loadSpeaker(app, push.projectId, userId)
    known.set(userId, found)
    return found
  }
  return async (email) => {
    const userId = email === '' ? undefined : await findUserIdByEmail(app.db, email)
    return find(userId ?? push.userId)
  }
}

async function loadSpeaker(
  app: App,
  projectId: number,
  userId: number,
): Promise<Speaker | undefined> {
  const caller = await actingUser(app, userId)
  const project = caller && (await loadProject(app, String(projectId), caller))
  if (caller === undefined || project === undefined) return undefined
  return decideOnProject('read_code', caller.facts, project.facts).allowed
    ? { caller, project }
    : undefined
}

async function follow(
  app: App,
  { caller, project }: Speaker,
  commit: Commit,
  mayClose: boolean,
): Promise<void> {
  const { oid: commitId, title, message } = commit
  const closed = new Set<number>()
  for (const issue of mayClose ? await issuesClosedBy(app, caller, project, [message]) : []) {
    const path = issue.row.projectId === project.row.id ? '' : `${project.row.fullPath}@`
    if (await closeVia(app, caller, issue, `commit ${path}${commitId}`)) closed.add(issue.row.id)
  }
  const item: CommitItem = { type: 'commit', commitId, title, project }
  const effects = await planTextEffects(app, caller, item, { text: message })
  // What a commit has closed is told so already.
  const targets = effects.targets.filter(({ type, row }) => type !== 'issue' || !closed.has(row.id))
  if (targets.length === 0) return
  await app.db.transaction((tx) => applyTextEffects(tx, { ...effects, targets }, { at: app.now() }))
}
