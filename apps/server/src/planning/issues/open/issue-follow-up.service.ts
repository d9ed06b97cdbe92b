import { DomainError, isResolvable, mayResolve } from '@stithy/core'
import {
  type DiscussionRows,
  findDiscussion,
  findNoteBody,
  type ListedNoteRow,
  listDiscussions,
} from '@stithy/store'
import type { ProjectSubject } from '../../../directory/projects/project-subject.ts'
import { userRefs } from '../../../directory/users/user-views.service.ts'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { webUrl } from '../../../platform/http/urls.ts'
import { resolveDiscussion } from '../../discussions/resolving.service.ts'
import { type MergeRequestItem, noteableOf } from '../../items/item.ts'
import { findMergeRequestItem } from '../../items/item-access.ts'
import { noteableFacts } from '../../notes/note-subject.ts'

/** The threads that a follow-up issue takes over. */
export interface FollowUpRequest {
  /** `iid` of a merge request of the project. */
  mergeRequestIid: number
  /** Only this thread. */
  discussionId?: string | undefined
}

/** The open threads that a follow-up issue takes over, with its default title and description. */
export interface FollowUp {
  request: MergeRequestItem
  discussions: readonly DiscussionRows[]
  title: string
  description: string
}

/** The maximum number of threads that one issue takes over. */
const maxDiscussions = 100

/**
 * Plans a follow-up issue for the open threads of a merge request
 * (`merge_request_to_resolve_discussions_of`); undefined if the caller can read no such merge
 * request in the project, or it has no open thread.
 */
export async function planFollowUp(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  { mergeRequestIid, discussionId }: FollowUpRequest,
): Promise<FollowUp | undefined> {
  const request = await findMergeRequestItem(app, caller, project, mergeRequestIid)
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
  const page = { page: 1, perPage: maxDiscussions }
  return (await listDiscussions(app.db, noteable, page)).items
}

function isOpen(note: ListedNoteRow): boolean {
  return isResolvable({ ...note, system: note.system === 1 }) && note.resolvedAt === null
}

async function describe(
  app: App,
  { row }: MergeRequestItem,
  discussions: readonly DiscussionRows[],
): Promise<string> {
  const url = webUrl(app.config, `${row.projectFullPath}/merge_requests/${row.iid}`)
  const openNotes = discussions.flatMap(({ notes }) => notes.find(isOpen) ?? [])
  const users = await userRefs(
    app,
    openNotes.map(({ authorId }) => authorId),
  )
  const items: string[] = []
  for (const note of openNotes) {
    const author = users.get(note.authorId)
    const name = author === undefined ? '' : `@${author.username} in `
    const body = note.body ?? (await findNoteBody(app.db, note.id)) ?? ''
    items.push(`- [ ] ${name}[a thread](${url}#note_${note.id}):\n\n${quoted(body)}`)
  }
  const noun = discussions.length === 1 ? 'thread' : 'threads'
  return [`The following ${noun} of !${row.iid} should be addressed:`, ...items].join('\n\n')
}

function quoted(body: string): string {
  return body
    .split('\n')
    .map((line) => `  > ${line}`.trimEnd())
    .join('\n')
}

/** Resolves the threads that an issue takes over, if the caller may; ignores deleted ones. */
export async function resolveFollowUpThreads(
  app: App,
  caller: Caller,
  { request, discussions }: FollowUp,
): Promise<void> {
  if (!mayResolve(caller.facts, noteableFacts(request))) return
  for (const discussion of discussions) {
    try {
      await resolveDiscussion(app, caller, request, discussion, true)
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'not_found')) throw error
    }
  }
}
