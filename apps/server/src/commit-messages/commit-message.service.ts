import { decideOnProject, scanReferences } from '@stithy/core'
import { type Commit, readCommit } from '@stithy/git'
import {
  findRepository,
  findUserIdByEmail,
  listMergedCommits,
  type RepositoryRow,
} from '@stithy/store'
import type { App } from '../app.ts'
import { actingUser } from '../authentication/acting-user.ts'
import type { Caller } from '../http/call.ts'
import type { CommitItem, IssueItem } from '../items/item.ts'
import { isItemReference } from '../mentions/named-items.service.ts'
import { applyTextEffects, planTextEffects } from '../mentions/text-effects.service.ts'
import { closeVia, issuesClosedBy, mayClose } from '../merge-requests/closing/closing.service.ts'
import { refreshMergeRequests } from '../merge-requests/merge-request-refresh.service.ts'
import { loadProject, type ProjectSubject } from '../projects/project-subject.ts'
import type { RecordedPush } from '../pushes/push-effects.ts'
import { repositoryOf } from '../repositories/repository.service.ts'
import { sourceOf } from '../system-notes/system-note.service.ts'
import { findPushedCommits } from './pushed-commits.service.ts'

export const readCommitMessagesKind = 'commit-messages.read'

/** Who says something in a project. */
interface Speaker {
  caller: Caller
  project: ProjectSubject
}

/**
 * In whose name a commit speaks, and who brought it: anybody can write any author into a commit, so it does
 * nothing that one of the two may not do.
 */
interface Speaking {
  author: Speaker
  pusher: Speaker
}

/**
 * Does what the messages of pushed commits say (catalogue: issues, 7): remarks on what they name and, of those
 * on the default branch, closes issues. Nothing follows from the push that made the default branch. Every
 * commit counts once, however often this runs; what came with a merge request that is merged closes nothing by
 * itself.
 */
export async function readCommitMessages(
  app: App,
  push: RecordedPush,
  signal: AbortSignal,
): Promise<void> {
  const repository = await findRepository(app.db, push.projectId)
  if (repository === undefined) return
  const pushed = await findPushedCommits(app, repository, push)
  const main = await speakingCommits(app, repository, pushed.main)
  const others = await speakingCommits(app, repository, pushed.others)
  const closing = await closingCommits(app, push, main, signal)
  const speakers = speakersOf(app, push)
  for (const commit of [...main, ...others]) {
    signal.throwIfAborted()
    const speaking = await speakers(commit.author.email)
    if (speaking !== undefined) await follow(app, speaking, commit, closing.has(commit.oid))
  }
}

/** Those that did not come with a merge request, by hash. */
async function closingCommits(
  app: App,
  push: RecordedPush,
  commits: readonly Commit[],
  signal: AbortSignal,
): Promise<Set<string>> {
  if (commits.length === 0) return new Set()
  // Whether a commit came with a merge request is only known once those have seen the push.
  await refreshMergeRequests(app, push, signal)
  const shas = commits.map(({ oid }) => oid)
  const merged = await listMergedCommits(app.db, { projectId: push.projectId, shas })
  return new Set(shas.filter((sha) => !merged.has(sha)))
}

/** Those that name something. */
async function speakingCommits(
  app: App,
  repository: RepositoryRow,
  shas: readonly string[],
): Promise<Commit[]> {
  const speaking: Commit[] = []
  for (const sha of shas) {
    const commit = await readCommit(app.git, repositoryOf(app, repository), sha)
    if (commit !== undefined && namesItems(app, commit.message)) speaking.push(commit)
  }
  return speaking
}

function namesItems(app: App, message: string): boolean {
  return scanReferences(message, { webUrl: app.config.externalUrl }).some(isItemReference)
}

/**
 * Finds in whose name a commit speaks: that of its author, where the address is one that somebody here has
 * confirmed, else of who pushed it. Undefined where the one or the other cannot read the code.
 */
function speakersOf(
  app: App,
  push: RecordedPush,
): (email: string) => Promise<Speaking | undefined> {
  const known = new Map<number, Promise<Speaker | undefined>>()
  const find = (userId: number) => {
    const found = known.get(userId) ?? loadSpeaker(app, push.projectId, userId)
    known.set(userId, found)
    return found
  }
  return async (email) => {
    const userId = email === '' ? undefined : await findUserIdByEmail(app.db, email)
    const author = await find(userId ?? push.userId)
    const pusher = await find(push.userId)
    return author && pusher && { author, pusher }
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
  speaking: Speaking,
  commit: Commit,
  isClosing: boolean,
): Promise<void> {
  const { oid: commitId, title, message } = commit
  const { caller, project } = speaking.author
  const item: CommitItem = { type: 'commit', commitId, title, project }
  const closed = new Set<number>()
  for (const issue of isClosing ? await closable(app, speaking, message) : []) {
    const path = issue.row.projectId === project.row.id ? '' : `${project.row.fullPath}@`
    const via = { text: `commit ${path}${commitId}`, source: sourceOf(item) }
    if (await closeVia(app, caller, issue, via)) closed.add(issue.row.id)
  }
  const effects = await planTextEffects(app, caller, item, { text: message })
  const readable = await readableTargets(app, speaking, item, message)
  // What a commit has closed is told so already.
  const targets = effects.targets.filter(
    ({ type, row }) => readable(type, row.id) && !(type === 'issue' && closed.has(row.id)),
  )
  if (targets.length === 0) return
  await app.db.transaction((tx) => applyTextEffects(tx, { ...effects, targets }, { at: app.now() }))
}

/** The issues that the message says it closes, and that the pusher may close; as the author sees them. */
async function closable(
  app: App,
  { author, pusher }: Speaking,
  message: string,
): Promise<IssueItem[]> {
  const issues = await issuesClosedBy(app, author.caller, author.project, [message])
  if (author === pusher || issues.length === 0) return issues
  const seen = await issuesClosedBy(app, pusher.caller, pusher.project, [message])
  const allowed = new Set(
    seen.filter((issue) => mayClose(pusher.caller, issue)).map(({ row }) => row.id),
  )
  return issues.filter(({ row }) => allowed.has(row.id))
}

/** Tells what the pusher can read of what the message names. */
async function readableTargets(
  app: App,
  { author, pusher }: Speaking,
  item: CommitItem,
  text: string,
): Promise<(type: string, id: number) => boolean> {
  if (author === pusher) return () => true
  const place = { ...item, project: pusher.project }
  const { targets } = await planTextEffects(app, pusher.caller, place, { text })
  const known = new Set(targets.map(({ type, row }) => `${type} ${row.id}`))
  return (type, id) => known.has(`${type} ${id}`)
}
