import { anonymous, type ClosingReference, type SystemNoteSource } from '@stithy/core'
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
import { scanText } from '../../../platform/text/scan-text.ts'

export const closeMergedIssuesKind = 'merge-requests.close-issues'

/** Commits of a merge request whose messages are read: the newest. */
const maxMessages = 1000
/** Commits that are read at a time: each message may have a megabyte. */
const batch = 20
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
  const texts = textsOf(app, project.row, source, commits.slice(0, maxMessages))
  return issuesClosedBy(app, caller, project, texts)
}

/** Title and description of a merge request, and the messages of its commits, some at a time. */
async function* textsOf(
  app: App,
  project: SourceRepository,
  { title, description }: ClosingSource,
  commits: readonly string[],
): AsyncGenerator<string> {
  yield title
  yield description ?? ''
  const repository = repositoryOf(app, project)
  for (let at = 0; at < commits.length; at += batch) {
    const read = commits.slice(at, at + batch).map((sha) => readCommit(app.git, repository, sha))
    for (const commit of await Promise.all(read)) if (commit) yield commit.message
  }
}

/**
 * The issues that texts of a project close, if the caller can read them; none of the project that
 * this one was forked from.
 */
export async function issuesClosedBy(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  texts: AsyncIterable<string> | Iterable<string>,
): Promise<IssueItem[]> {
  const references = await closingReferencesOf(texts, app.config.externalUrl)
  if (references.length === 0) return []
  const source = { type: 'commit', commitId: '', title: '', project } as const
  const named = await findReferencedItems(app, caller, source, references)
  return named.filter((item): item is IssueItem => {
    return item.type === 'issue' && item.row.projectId !== project.row.forkedFromProjectId
  })
}

async function closingReferencesOf(
  texts: AsyncIterable<string> | Iterable<string>,
  webUrl: string,
): Promise<ClosingReference[]> {
  const references: ClosingReference[] = []
  for await (const text of texts) {
    references.push(...(await scanText('closingReferences', text, { webUrl })).slice(0, maxClosed))
    if (references.length >= maxClosed) return references.slice(0, maxClosed)
  }
  return references
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
