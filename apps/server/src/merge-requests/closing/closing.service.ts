import { anonymous, closedRemark, closingReferences, decideOnIssue } from '@stithy/core'
import { readCommit } from '@stithy/git'
import { findMergeRequestById, hasIssueRemark, listVersionCommits } from '@stithy/store'
import type { App } from '../../app.ts'
import { actingUser } from '../../authentication/acting-user.ts'
import type { Caller } from '../../http/call.ts'
import { issueFacts } from '../../issues/issue-found.ts'
import { type ClosingMeans, closeIssue } from '../../issues/issue-state.service.ts'
import type { IssueItem } from '../../items/item.ts'
import { findNamedItems } from '../../mentions/named-items.service.ts'
import { loadProject, type ProjectSubject } from '../../projects/project-subject.ts'
import { type CodePlace, repositoryOf } from '../../repositories/repository.service.ts'

export const closeMergedIssuesKind = 'merge-requests.close-issues'

/** Commits of a merge request whose messages are looked at: the newest. */
const maxMessages = 1000
/** References that are followed. */
const maxClosed = 200

/** What tells which issues a merge request closes, beside the messages of its commits. */
export interface ClosingSource {
  /** The target. */
  projectId: number
  targetBranch: string
  authorId: number
  title: string
  description: string | null
}

/**
 * The issues that a merge request closes when it is merged, by id (catalogue: issues, 7): those that its author
 * can read. None where it does not lead to the default branch. @param commits of its newest version, in full
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
 * Closes what a merged merge request closes, in the name of who merged it, as far as they may; what was closed
 * by it before stays as it is, so that it may be done again.
 */
export async function closeMergedIssues(app: App, id: number): Promise<void> {
  const request = await findMergeRequestById(app.db, id)
  if (request?.state !== 'merged' || request.mergedById === null) return
  const caller = await actingUser(app, request.mergedById)
  if (caller === undefined) return
  const commits = await listVersionCommits(app.db, request.latestVersionId)
  const source = { type: 'merge_request', key: String(id), projectId: request.projectId } as const
  for (const issue of await closedIssues(app, caller, request, commits)) {
    const path = issue.row.projectId === request.projectId ? '' : request.projectFullPath
    const text = `merge request ${path}!${request.iid}`
    await closeVia(app, caller, issue, { text, source })
  }
}

/** Closes an issue where the caller may; answers whether this is, or was before, what closed it. */
export async function closeVia(
  app: App,
  caller: Caller,
  issue: IssueItem,
  via: ClosingMeans,
): Promise<boolean> {
  const { row } = issue
  const body = closedRemark(via.text)
  if (await hasIssueRemark(app.db, { issueId: row.id, body })) return true
  if (!mayClose(caller, issue) || row.state !== 'opened') return false
  await closeIssue(app, caller, issue, { via })
  return true
}

/** Whether somebody may close an issue, which is as they see it. */
export function mayClose({ facts }: Caller, { row, project, assigneeIds }: IssueItem): boolean {
  const issue = issueFacts(row, assigneeIds, facts.userId)
  return decideOnIssue('update_issue', facts, project.facts, issue).allowed
}

async function closedIssues(
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
 * The issues that texts of a project say they close, as far as the caller can read them; none of the project
 * that this one was forked from.
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
  const place = { type: 'commit', commitId: '', title: '', project } as const
  const named = await findNamedItems(app, caller, place, references.slice(0, maxClosed))
  return named.filter((item): item is IssueItem => {
    return item.type === 'issue' && item.row.projectId !== project.row.forkedFromProjectId
  })
}

const batch = 100

/** The messages of commits, by hash; of commits that are there. */
async function readMessages(
  app: App,
  place: CodePlace,
  shas: readonly string[],
): Promise<Map<string, string>> {
  const repository = repositoryOf(app, place)
  const messages = new Map<string, string>()
  for (let at = 0; at < shas.length; at += batch) {
    const part = shas.slice(at, at + batch)
    const commits = await Promise.all(part.map((sha) => readCommit(app.git, repository, sha)))
    for (const commit of commits) if (commit) messages.set(commit.oid, commit.message)
  }
  return messages
}
