import { anonymous, closingReferences, type SystemNoteSource } from '@stithy/core'
import { readCommit } from '@stithy/git'
import {
  countClosingRequests,
  findMergeRequestById,
  hasIssueSystemNote,
  listVersionCommits,
} from '@stithy/store'
import type { SourceRepository } from '../../../code/revisions/revision.service.ts'
import { actingUser } from '../../../directory/authentication/acting-user.ts'
import { loadProject, type ProjectSubject } from '../../../directory/projects/project-subject.ts'
import { closeIssue } from '../../../planning/issues/issue-close.service.ts'
import type { IssueItem } from '../../../planning/items/item.ts'
import { findReferencedItems } from '../../../planning/mentions/referenced-items.service.ts'
import type { App } from '../../../platform/app.ts'
import { dayOf } from '../../../platform/calendar/day.ts'
import { decideOn } from '../../../platform/http/authorize.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { repositoryOf } from '../../../platform/repositories/repository-location.ts'

export const closeMergedIssuesKind = 'merge-requests.close-issues'

/** Commits of a merge request whose messages are read: the newest. */
const maxMessages = 1000
/** Maximum number of references that are resolved. */
const maxClosed = 200

/** What determines which issues a merge request closes, besides its commit messages. */
export interface ClosingSource {
  /** The target project. */
  projectId: number
  targetBranch: string
  authorId: number
  title: string
  description: string | null
}

/**
 * The issues that a merge request closes when it is merged, by id: those that its author can read.
 * None if its target is not the default branch. @param commits of its newest version, in full
 */
export async function planClosings(
  app: App,
  source: ClosingSource,
  commits: readonly string[],
): Promise<number[]> {
  const author = await actingUser(app, source.authorId)
  const caller: Caller = author ?? { facts: anonymous, user: null, scopes: [] }
  const issues = await closedIssues(app, caller, source, commits)
  return issues.map(({ row }) => row.id)
}

/**
 * Closes the issues of a merged merge request on behalf of the user who merged it, if they may.
 * Issues that it closed before stay as they are, so the call can be repeated.
 */
export async function closeMergedIssues(app: App, id: number): Promise<void> {
  const request = await findMergeRequestById(app.db, id)
  if (request?.state !== 'merged' || request.mergedById === null) return
  const caller = await actingUser(app, request.mergedById)
  if (caller === undefined) return
  const commits = await listVersionCommits(app.db, request.latestVersionId)
  const source = { type: 'merge_request', key: String(id), projectId: request.projectId } as const
  for (const issue of await closedIssues(app, caller, request, commits)) {
    await closeVia(app, caller, issue, source)
  }
}

/**
 * Closes an issue if the caller may; returns whether this merge request closes it, or did before.
 */
export async function closeVia(
  app: App,
  caller: Caller,
  issue: IssueItem,
  via: SystemNoteSource,
): Promise<boolean> {
  const { row } = issue
  const known = { issueId: row.id, action: 'closed', source: via } as const
  if (await hasIssueSystemNote(app.db, known)) return true
  if (!mayClose(app, caller, issue) || row.state !== 'opened') return false
  await closeIssue(app, caller, issue, via)
  return true
}

/** Whether a user may close an issue, given as they see it. */
export function mayClose(app: App, caller: Caller, issue: IssueItem): boolean {
  return decideOn(app, 'issue', 'update_issue', issue, caller).allowed
}

/**
 * The issues that a merge request closes and the caller can read; none if its target is not the
 * default branch. @param commits of its newest version
 */
export async function closedIssues(
  app: App,
  caller: Caller,
  source: ClosingSource,
  commits: readonly string[],
): Promise<IssueItem[]> {
  const project = await loadProject(app, String(source.projectId), caller)
  if (project === undefined || project.row.defaultBranch !== source.targetBranch) return []
  const messages = await readMessages(app, project.row, commits.slice(0, maxMessages))
  const texts = [source.title, source.description ?? '', ...messages.values()]
  return issuesClosedBy(app, caller, project, texts)
}

/**
 * The issues that texts of a project close, if the caller can read them; none of the project that
 * this one was forked from.
 */
export async function issuesClosedBy(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  texts: readonly string[],
): Promise<IssueItem[]> {
  const webUrl = app.config.externalUrl
  const references = texts.flatMap((text) => closingReferences(text, { webUrl }))
  if (references.length === 0) return []
  const source = { type: 'commit', commitId: '', title: '', project } as const
  const named = await findReferencedItems(app, caller, source, references.slice(0, maxClosed))
  return named.filter((item): item is IssueItem => {
    return item.type === 'issue' && item.row.projectId !== project.row.forkedFromProjectId
  })
}

const batch = 100

/** Loads commit messages by hash; omits missing commits. */
async function readMessages(
  app: App,
  project: SourceRepository,
  shas: readonly string[],
): Promise<Map<string, string>> {
  const repository = repositoryOf(app, project)
  const messages = new Map<string, string>()
  for (let at = 0; at < shas.length; at += batch) {
    const part = shas.slice(at, at + batch)
    const commits = await Promise.all(part.map((sha) => readCommit(app.git, repository, sha)))
    for (const commit of commits) if (commit) messages.set(commit.oid, commit.message)
  }
  return messages
}

/** Counts by issue the open merge requests that close it and the caller may see. One query. */
export async function countClosing(
  app: App,
  caller: Caller,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const viewer = { caller: caller.facts, today: dayOf(app.now()) }
  const counted = await countClosingRequests(app.db, { issueIds, ...viewer })
  return new Map(counted.map(({ issueId, total }) => [issueId, total]))
}
