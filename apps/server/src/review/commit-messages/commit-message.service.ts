import { decideOnProject } from '@stithy/core'
import { type Commit, readCommit } from '@stithy/git'
import {
  findRepository,
  findUserIdByEmail,
  listMergedCommits,
  type RepositoryRow,
} from '@stithy/store'
import type { RecordedPush } from '../../code/pushes/push.changes.ts'
import { actingUser } from '../../directory/authentication/acting-user.ts'
import { loadProject, type ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { CommitItem, IssueItem } from '../../planning/items/item.ts'
import { planTextEffects } from '../../planning/mentions/text-effects.service.ts'
import { sourceOf } from '../../planning/system-notes/system-note.service.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { scanText } from '../../platform/text/scan-text.ts'
import { closeVia, issuesClosedBy, mayClose } from '../merge-requests/closing/closing.service.ts'
import { settleMergeRequests } from '../merge-requests/merge-request-refresh.service.ts'
import { findPushedCommits } from './pushed-commits.service.ts'

export const readCommitMessagesKind = 'commit-messages.read'

/** A user who may read the code of a project, with the project as they see it. */
interface CommitActor {
  caller: Caller
  project: ProjectSubject
}

/**
 * The user on whose behalf a commit message acts, and the pusher: since anyone can write any
 * author into a commit, it does nothing that either of the two may not do.
 */
interface CommitActors {
  author: CommitActor
  pusher: CommitActor
}

/**
 * Executes the messages of pushed commits: adds system notes to mentioned items and, for commits on
 * the default branch, closes issues. The push that creates the default branch is ignored. Every
 * commit is processed once, however often this runs; a commit of a merged merge request closes
 * nothing by itself.
 */
export async function readCommitMessages(
  app: App,
  push: RecordedPush,
  signal: AbortSignal,
): Promise<void> {
  const repository = await findRepository(app.db, push.projectId)
  if (repository === undefined) return
  const pushed = await findPushedCommits(app, repository, push)
  const main = await commitsWithReferences(app, repository, pushed.main)
  const others = await commitsWithReferences(app, repository, pushed.others)
  const closing = await closingCommits(app, push, main, signal)
  const findActors = actorsOf(app, push)
  for (const commit of [...main, ...others]) {
    signal.throwIfAborted()
    const actors = await findActors(commit.author.email)
    if (actors !== undefined) await applyMessage(app, actors, commit, closing.has(commit.oid))
  }
}

/** Commits that no merge request brought, by hash. */
async function closingCommits(
  app: App,
  push: RecordedPush,
  commits: readonly Commit[],
  signal: AbortSignal,
): Promise<Set<string>> {
  if (commits.length === 0) return new Set()
  // Whether a commit came with a merge request is known only after merge requests processed the
  // push.
  await settleMergeRequests(app, push, signal)
  const shas = commits.map(({ oid }) => oid)
  const merged = await listMergedCommits(app.db, { projectId: push.projectId, shas })
  return new Set(shas.filter((sha) => !merged.has(sha)))
}

/** Commits whose messages mention something. */
async function commitsWithReferences(
  app: App,
  repository: RepositoryRow,
  shas: readonly string[],
): Promise<Commit[]> {
  const commits: Commit[] = []
  for (const sha of shas) {
    const commit = await readCommit(app.git, repositoryOf(app, repository), sha)
    if (commit !== undefined && (await namesItems(app, commit.message))) commits.push(commit)
  }
  return commits
}

async function namesItems(app: App, text: string): Promise<boolean> {
  const { newItems } = await scanText('scanMentions', { text }, { webUrl: app.config.externalUrl })
  return newItems.length > 0
}

/**
 * Finds the user on whose behalf a commit acts: its author, if the address is a confirmed one of a
 * user, else the pusher. Undefined if either of them cannot read the code.
 */
function actorsOf(
  app: App,
  push: RecordedPush,
): (email: string) => Promise<CommitActors | undefined> {
  const known = new Map<number, Promise<CommitActor | undefined>>()
  const find = (userId: number) => {
    const found = known.get(userId) ?? loadActor(app, push.projectId, userId)
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

async function loadActor(
  app: App,
  projectId: number,
  userId: number,
): Promise<CommitActor | undefined> {
  const caller = await actingUser(app, userId)
  const project = caller && (await loadProject(app, String(projectId), caller))
  if (caller === undefined || project === undefined) return undefined
  return decideOnProject('read_code', caller.facts, project.facts).allowed
    ? { caller, project }
    : undefined
}

async function applyMessage(
  app: App,
  actors: CommitActors,
  commit: Commit,
  isClosing: boolean,
): Promise<void> {
  const { oid: commitId, title, message } = commit
  const { caller, project } = actors.author
  const item: CommitItem = { type: 'commit', commitId, title, project }
  const closed = new Set<number>()
  for (const issue of isClosing ? await closable(app, actors, message) : []) {
    if (await closeVia(app, caller, issue, sourceOf(item))) closed.add(issue.row.id)
  }
  const texts = await planTextEffects(app, caller, item, { text: message })
  const readable = await readableTargets(app, actors, item, message)
  // An issue that a commit closed has a system note already.
  const targets = texts.targets.filter(
    ({ type, row }) => readable(type, row.id) && !(type === 'issue' && closed.has(row.id)),
  )
  if (targets.length === 0) return
  const now = app.now()
  const by = { userId: texts.authorId, at: now, now }
  const mentions = { item, texts: { ...texts, targets } }
  await app.db.transaction((tx) =>
    recordChange(tx, { kind: 'commit.mentions_read', ...by, ...mentions }),
  )
}

/** The issues that the message closes, and that the pusher may close; as the author sees them. */
async function closable(
  app: App,
  { author, pusher }: CommitActors,
  message: string,
): Promise<IssueItem[]> {
  const issues = await issuesClosedBy(app, author.caller, author.project, [message])
  if (author === pusher || issues.length === 0) return issues
  const visible = await issuesClosedBy(app, pusher.caller, pusher.project, [message])
  const allowed = new Set(
    visible.filter((issue) => mayClose(app, pusher.caller, issue)).map(({ row }) => row.id),
  )
  return issues.filter(({ row }) => allowed.has(row.id))
}

/** Whether the pusher can read something that the message mentions. */
async function readableTargets(
  app: App,
  { author, pusher }: CommitActors,
  item: CommitItem,
  text: string,
): Promise<(type: string, id: number) => boolean> {
  if (author === pusher) return () => true
  const visible = { ...item, project: pusher.project }
  const { targets } = await planTextEffects(app, pusher.caller, visible, { text })
  const known = new Set(targets.map(({ type, row }) => `${type} ${row.id}`))
  return (type, id) => known.has(`${type} ${id}`)
}
