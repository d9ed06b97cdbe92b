import { badRequest, conflict, isBranchOrTagName, notFound, type RefUpdate } from '@stithy/core'
import {
  createCommit,
  GitError,
  type Repository,
  removeRepository,
  repositoryExists,
  type TreeChange,
  updateRefs,
  zeroOid,
} from '@stithy/git'
import { findRepository } from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { createKeyedMutex } from '../../platform/threads/keyed-mutex.ts'
import { callerIdentity } from '../commits/writes/commit-author.ts'
import { journalPush } from '../pushes/push-journal.ts'
import type { WikiPageChange } from './wiki.changes.ts'
import { recordWikiPush } from './wiki-record.service.ts'
import { ensureWikiRepository, openWiki, type Wiki } from './wiki-repository.ts'

/** Who writes to the wiki of which project. */
export interface WikiWriter {
  subject: ProjectSubject
  caller: Caller
}

/** A commit to create on the branch of the wiki. */
export interface WikiCommit<T> {
  changes: TreeChange[]
  message: string
  /** The page that it changes, besides the ids of the commits. */
  page?: Pick<WikiPageChange, 'action' | 'path'>
  /** What the caller of `writeWiki` gets. */
  result: T
}

/** How to commit: decided again if another commit was faster. */
export interface WikiWrite<T> {
  /** The branch, by default that of the pages. */
  branch?: string | undefined
  plan: (wiki: Wiki) => Promise<WikiCommit<T>>
}

/** Writers of one process take turns, so only those of other servers and pushes are in the way. */
const inTurn = createKeyedMutex<number>()

/** How often a write is planned again because the branch moved. */
const maxTries = 20

/**
 * Writes one commit to the wiki of a project, whose repository is created with the first one.
 * @throws DomainError `conflict` when others write all the time, TreeChangeError, and what the plan
 * throws
 */
export function writeWiki<T>(app: App, writer: WikiWriter, write: WikiWrite<T>): Promise<T> {
  const project = writer.subject.row
  return inTurn(project.id, async () => {
    for (let tries = maxTries; tries > 0; tries -= 1) {
      const wiki = await wikiToPlan(app, writer, write.branch)
      const commit = await write.plan(wiki)
      if (commit.changes.length === 0) return commit.result
      await ensureWikiRepository(app, project)
      if (await tryToCommit(app, writer, wiki, commit)) return commit.result
    }
    throw conflict('The wiki was changed by others all the time. Please try again.')
  })
}

/** The wiki, at the branch that is written to. A refused first write leaves no repository. */
async function wikiToPlan(
  app: App,
  { subject }: WikiWriter,
  branch: string | undefined,
): Promise<Wiki> {
  if (branch !== undefined && !isBranchOrTagName(branch)) {
    throw badRequest('The branch name is invalid.')
  }
  const wiki = await openWiki(app, subject.row, branch)
  if (branch !== undefined && wiki.head === undefined && !wiki.isEmpty) {
    throw badRequest(`The branch '${branch}' does not exist.`)
  }
  return wiki
}

/** Whether the branch was still where the plan found it. */
async function tryToCommit<T>(
  app: App,
  { subject, caller }: WikiWriter,
  { repository, branch, head }: Wiki,
  { changes, message, page }: WikiCommit<T>,
): Promise<boolean> {
  const author = callerIdentity(app, caller)
  const parents = head === undefined ? [] : [head]
  const after = await createCommit(app.git, repository, {
    base: head,
    parents,
    changes,
    message,
    author,
  })
  const projectId = subject.row.id
  const userId = caller.user?.id ?? 0
  const update = { ref: `refs/heads/${branch}`, before: head ?? null, after }
  const push = { projectId, userId, updates: [update], isWiki: true }
  const pending = await journalPush(app, push)
  try {
    if (!(await moveBranch(app, repository, update))) {
      await pending.discard()
      return false
    }
    const commit = page?.action === 'delete' ? (head ?? after) : after
    const pages = page === undefined ? [] : [{ ...page, commit, changedBy: after }]
    await recordWikiPush(app, { ...push, journalId: pending.id, pages })
  } catch (error) {
    await removeOrphan(app, projectId, repository)
    throw error
  } finally {
    pending.release()
  }
  return true
}

/** Compares and swaps. @throws GitError if git was killed: then the job of the push looks */
async function moveBranch(
  app: App,
  repository: Repository,
  { ref, before, after }: RefUpdate,
): Promise<boolean> {
  try {
    const move = { ref, newOid: after ?? zeroOid, oldOid: before ?? zeroOid }
    await updateRefs(app.git, repository, [move])
    return true
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== 'conflict') throw error
    // Without a repository there is nothing to try again.
    if (!(await repositoryExists(repository))) throw notFound('Project')
    return false
  }
}

/** Git makes the folder of a ref again when the project was deleted meanwhile. */
async function removeOrphan(app: App, projectId: number, repository: Repository): Promise<void> {
  const project = await findRepository(app.db, projectId)
  if (project === undefined) await removeRepository(app.git, repository)
}
