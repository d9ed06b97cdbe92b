import { decideOnGroup, decideOnProject } from '@stithy/core'
import type { App } from '../app.ts'
import { requireCommit } from '../commits/commit.service.ts'
import { requireEpic } from '../epics/epic-found.ts'
import type { GroupSubject } from '../groups/group-subject.ts'
import { enforce } from '../http/authorize.ts'
import type { Caller } from '../http/call.ts'
import { requireIssue } from '../issues/issue-found.ts'
import type {
  CommitItem,
  EpicItem,
  IssueItem,
  Item,
  MergeRequestItem,
  SnippetItem,
} from '../items/item.ts'
import { requireMergeRequest } from '../merge-requests/merge-request-found.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { requireSnippet } from '../snippets/snippet-found.ts'

/** What the item of a call is wanted for. */
export type Purpose = 'read' | 'comment'

/** The part of a call that tells which item it is about. */
export interface ItemCall<Subject, Params> {
  app: App
  caller: Caller
  subject: Subject
  params: Params
}

/**
 * Finds the item of a call, as far as the caller may do to it what is wanted: what the handlers of one kind
 * of thing differ in. @throws DomainError `not_found` where it is hidden, `forbidden`
 */
export type FindItem<Call, Found extends Item = Item> = (
  call: Call,
  purpose: Purpose,
) => Promise<Found>

export async function issueOf(
  { app, caller, subject, params }: ItemCall<ProjectSubject, { issue_iid: number }>,
  purpose: Purpose,
): Promise<IssueItem> {
  const ability = purpose === 'read' ? 'read_issue' : 'comment_on_issue'
  return requireIssue(app, caller, subject, params.issue_iid, ability)
}

export async function mergeRequestOf(
  { app, caller, subject, params }: ItemCall<ProjectSubject, { merge_request_iid: number }>,
  purpose: Purpose,
): Promise<MergeRequestItem> {
  const ability = purpose === 'read' ? 'read_merge_request' : 'comment_on_merge_request'
  return requireMergeRequest(app, caller, subject, params.merge_request_iid, ability)
}

export async function snippetOf(
  { app, caller, subject, params }: ItemCall<ProjectSubject, { snippet_id: number }>,
  purpose: Purpose,
): Promise<SnippetItem> {
  const ability = purpose === 'read' ? 'read_snippet' : 'comment_on_snippet'
  return requireSnippet(app, caller, subject, params.snippet_id, ability)
}

export async function epicOf(
  { app, caller, subject, params }: ItemCall<GroupSubject, { epic_id: number }>,
  purpose: Purpose,
): Promise<EpicItem> {
  const item = await requireEpic(app, subject, params.epic_id)
  if (purpose === 'comment') {
    enforce(decideOnGroup('comment_on_epics', caller.facts, subject.facts), caller)
  }
  return item
}

/** A commit by its hash, branch or tag. */
export async function commitOf(
  { app, caller, subject, params }: ItemCall<ProjectSubject, { commit_id: string }>,
  purpose: Purpose,
): Promise<CommitItem> {
  if (purpose === 'comment') {
    enforce(decideOnProject('comment_on_commit', caller.facts, subject.facts), caller)
  }
  const { oid, title } = await requireCommit(app, subject.row, params.commit_id)
  return { type: 'commit', commitId: oid, title, project: subject }
}
