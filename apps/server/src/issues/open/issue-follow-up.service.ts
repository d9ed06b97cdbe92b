import { DomainError, decideOnMergeRequest, isResolvable } from '@stithy/core'
import { type DiscussionRows, findDiscussion, listDiscussions, type NoteRow } from '@stithy/store'
import type { App } from '../../app.ts'
import { resolveDiscussion } from '../../discussions/resolving.service.ts'
import type { Caller } from '../../http/call.ts'
import { webUrl } from '../../http/urls.ts'
import { type MergeRequestItem, noteableOf } from '../../items/item.ts'
import { mergeRequestFacts, requireMergeRequest } from '../../merge-requests/merge-request-found.ts'
import type { ProjectSubject } from '../../projects/project-subject.ts'
import { userRefs } from '../../users/user-views.service.ts'

/** Which threads an issue takes over. */
export interface FollowUpRequest {
  /** `iid` of a merge request of the project. */
  mergeRequestIid: number
  /** Only this thread. */
  discussionId?: string | undefined
}

/** The threads that an issue takes over, and how it is called unless somebody says otherwise. */
export interface FollowUp {
  request: MergeRequestItem
  discussions: readonly DiscussionRows[]
  title: string
  description: string
}

/** So many threads fit into one issue. */
const mostDiscussions = 100

/**
 * The threads of a merge request that are not resolved, as the texts of an issue (catalogue: issues, 2.1);
 * undefined where the project has no such merge request that the caller can read, or nothing is open.
 */
export async function planFollowUp(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  { mergeRequestIid, discussionId }: FollowUpRequest,
): Promise<FollowUp | undefined> {
  const request = await readable(app, caller, project, mergeRequestIid)
  if (request === undefined) return undefined
  const found = await discussionsOf(app, request, discussionId)
  const discussions = found.filter(({ notes }) => notes.some(isOpen))
  if (discussions.length === 0) return undefined
  return {
    request,
    discussions,
    title: `Follow-up from "${request.row.title}"`,
    description: await describe(app, request, discussions),
  }
}

async function readable(app: App, caller: Caller, project: ProjectSubject, iid: number) {
  try {
    return await requireMergeRequest(app, caller, project, iid)
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return undefined
    throw error
  }
}

async function discussionsOf(
  app: App,
  request: MergeRequestItem,
  discussionId: string | undefined,
): Promise<DiscussionRows[]> {
  const noteable = noteableOf(request)
  if (discussionId !== undefined) {
    const found = await findDiscussion(app.db, noteable, discussionId)
    return found === undefined ? [] : [found]
  }
  const page = { page: 1, perPage: mostDiscussions }
  return (await listDiscussions(app.db, noteable, page)).items
}

function isOpen(note: NoteRow): boolean {
  return isResolvable({ ...note, system: note.system === 1 }) && note.resolvedAt === null
}

async function describe(
  app: App,
  { row }: MergeRequestItem,
  discussions: readonly DiscussionRows[],
): Promise<string> {
  const url = webUrl(app.config, `${row.projectFullPath}/merge_requests/${row.iid}`)
  const firsts = discussions.flatMap(({ notes }) => notes.find(isOpen) ?? [])
  const people = await userRefs(
    app,
    firsts.map(({ authorId }) => authorId),
  )
  const items = firsts.map((note) => {
    const author = people.get(note.authorId)
    const name = author === undefined ? '' : `@${author.username} in `
    return `- [ ] ${name}[a thread](${url}#note_${note.id}):\n\n${quoted(note.body)}`
  })
  const noun = discussions.length === 1 ? 'thread' : 'threads'
  return [`The following ${noun} of !${row.iid} should be addressed:`, ...items].join('\n\n')
}

function quoted(body: string): string {
  return body
    .split('\n')
    .map((line) => `  > ${line}`.trimEnd())
    .join('\n')
}

/** Resolves the threads that an issue has taken over, where the caller may; those that are gone do not matter. */
export async function resolveFollowedUp(
  app: App,
  caller: Caller,
  { request, discussions }: FollowUp,
): Promise<void> {
  const { project, row, assigneeIds } = request
  const facts = mergeRequestFacts(row, assigneeIds, caller.facts.userId)
  const may = decideOnMergeRequest('resolve_discussions', caller.facts, project.facts, facts)
  if (!may.allowed) return
  for (const discussion of discussions) {
    try {
      await resolveDiscussion(app, caller, request, discussion, true)
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'not_found')) throw error
    }
  }
}
