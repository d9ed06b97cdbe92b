import type { Client, PagePromise } from '@stithy/client'
import type { Award, AwardCount, Discussion, LabelEvent, Note } from '@stithy/core'
import type { LiveSubject } from '../../platform/pages/reply.ts'
import { apiPath, withQuery } from '../../platform/text/addresses.ts'

interface PageOf {
  page?: number
  per_page?: number
}

/** Comments may be long: what their texts are cut to. */
interface CutBodies {
  max_body_length?: number
}

/** The calls of discussions on one thing. */
export interface DiscussionApi {
  list: (query: PageOf & CutBodies & { note_id?: number }) => PagePromise<Discussion>
  /** Starts a thread. */
  start: (body: string) => Promise<Discussion>
  /** Writes a single comment. */
  comment: (body: string) => Promise<unknown>
  notes: (discussionId: string, query: PageOf & CutBodies) => PagePromise<Note>
  reply: (discussionId: string, body: string) => Promise<Note>
  show: (discussionId: string, noteId: number, query?: CutBodies) => Promise<Note>
  update: (discussionId: string, noteId: number, body: string) => Promise<Note>
  remove: (discussionId: string, noteId: number) => Promise<unknown>
}

/** The calls of award emoji on one thing and on its notes. */
export interface AwardApi {
  count: (noteIds: readonly number[]) => Promise<AwardCount[]>
  /** @param noteId undefined for the thing itself */
  give: (noteId: number | undefined, name: string) => Promise<Award>
  take: (noteId: number | undefined, awardId: number) => Promise<unknown>
}

/** A period; both bounds are included. */
export interface Period {
  created_after?: string
  created_before?: string
}

/** What can be discussed: an issue, a merge request, an epic, a snippet or a commit. */
export interface Noteable {
  /** What it is called in sentences: `issue`. */
  noun: string
  /** The address of its page; those of the actions begin with it. */
  address: string
  /** The address of its events in the API, which tell of changes; absent for commits and snippets. */
  stream?: string
  /** Full path of the project whose `#1` the texts mean. */
  project?: string
  discussions: DiscussionApi
  /** The comment that was written last, of any discussion; absent where its page is not live. */
  newestComment?: () => Promise<Note | undefined>
  /** Absent for commits. */
  awards?: AwardApi
  /** Absent for commits and snippets. */
  labelEvents?: (query: Period & PageOf) => PagePromise<LabelEvent>
  /** Only threads of merge requests can be resolved. */
  resolve?: (discussionId: string, resolved: boolean) => Promise<unknown>
}

interface DiscussionMethods<Ids> {
  list(input: Ids & PageOf & CutBodies & { note_id?: number }): PagePromise<Discussion>
  create(input: Ids & { body: string }): Promise<Discussion>
  notes: {
    list(input: Ids & PageOf & CutBodies & { discussionId: string }): PagePromise<Note>
    show(input: Ids & CutBodies & { discussionId: string; noteId: number }): Promise<Note>
    create(input: Ids & { discussionId: string; body: string }): Promise<Note>
    update(input: Ids & { discussionId: string; noteId: number; body: string }): Promise<Note>
    delete(input: Ids & { discussionId: string; noteId: number }): Promise<unknown>
  }
}

interface AwardMethods<Ids> {
  create(input: Ids & { name: string }): Promise<Award>
  delete(input: Ids & { awardId: number }): Promise<unknown>
}

interface CountedAwardMethods<Ids> extends AwardMethods<Ids> {
  statistics(input: Ids & { note_ids?: number[] }): Promise<AwardCount[]>
}

function discussionsOf<Ids>(
  methods: DiscussionMethods<Ids>,
  ids: Ids,
  comment: DiscussionApi['comment'],
): DiscussionApi {
  const { notes } = methods
  return {
    comment,
    list: (query) => methods.list({ ...ids, ...query }),
    start: (body) => methods.create({ ...ids, body }),
    notes: (discussionId, query) => notes.list({ ...ids, discussionId, ...query }),
    reply: (discussionId, body) => notes.create({ ...ids, discussionId, body }),
    show: (discussionId, noteId, query) => notes.show({ ...ids, discussionId, noteId, ...query }),
    update: (discussionId, noteId, body) => notes.update({ ...ids, discussionId, noteId, body }),
    remove: (discussionId, noteId) => notes.delete({ ...ids, discussionId, noteId }),
  }
}

function awardsOf<Ids>(
  own: CountedAwardMethods<Ids>,
  ofNotes: AwardMethods<Ids & { noteId: number }>,
  ids: Ids,
): AwardApi {
  return {
    count: (noteIds) => own.statistics({ ...ids, note_ids: [...noteIds] }),
    give: (noteId, name) =>
      noteId === undefined
        ? own.create({ ...ids, name })
        : ofNotes.create({ ...ids, noteId, name }),
    take: (noteId, awardId) =>
      noteId === undefined
        ? own.delete({ ...ids, awardId })
        : ofNotes.delete({ ...ids, noteId, awardId }),
  }
}

interface NoteMethods<Ids> {
  list(
    input: Ids & CutBodies & { per_page: number; sort: 'desc'; activity_filter: 'only_comments' },
  ): PagePromise<Note>
}

function newestOf<Ids>(notes: NoteMethods<Ids>, ids: Ids): () => Promise<Note | undefined> {
  return async () => {
    const query = { per_page: 1, sort: 'desc', activity_filter: 'only_comments' } as const
    const { items } = await notes.list({ ...ids, ...query, max_body_length: 0 })
    return items[0]
  }
}

function streamOf(parents: string, parent: string, items: string, iid: number): string {
  return `/api/v4${apiPath(parents, parent, items, iid, 'event_stream')}`
}

/** What the page of an item follows; nothing for what has no events. */
export function liveItem(
  { stream, address }: Noteable,
  { updated_at: updatedAt }: { updated_at: string },
  query: URLSearchParams,
): LiveSubject | undefined {
  if (stream === undefined) return undefined
  return { stream, updatedAt, address: withQuery(address, {}, query) }
}

/** @param address the address of the page */
export function issueNoteable(
  { issues }: Client,
  { project, iid, address }: { project: string; iid: number; address: string },
): Noteable {
  const ids = { projectId: project, issueIid: iid }
  return {
    noun: 'issue',
    address,
    stream: streamOf('projects', project, 'issues', iid),
    project,
    discussions: discussionsOf(issues.discussions, ids, (body) =>
      issues.notes.create({ ...ids, body }),
    ),
    newestComment: newestOf(issues.notes, ids),
    awards: awardsOf(issues.awardEmoji, issues.notes.awardEmoji, ids),
    labelEvents: (query) => issues.labelEvents.list({ ...ids, ...query }),
  }
}

/** @param address the address of the page */
export function mergeRequestNoteable(
  { mergeRequests }: Client,
  { project, iid, address }: { project: string; iid: number; address: string },
): Noteable {
  const ids = { projectId: project, mergeRequestIid: iid }
  return {
    noun: 'merge request',
    address,
    stream: streamOf('projects', project, 'merge_requests', iid),
    project,
    discussions: discussionsOf(mergeRequests.discussions, ids, (body) =>
      mergeRequests.notes.create({ ...ids, body }),
    ),
    newestComment: newestOf(mergeRequests.notes, ids),
    awards: awardsOf(mergeRequests.awardEmoji, mergeRequests.notes.awardEmoji, ids),
    labelEvents: (query) => mergeRequests.labelEvents.list({ ...ids, ...query }),
    resolve: (discussionId, resolved) =>
      mergeRequests.discussions.resolve({ ...ids, discussionId, resolved }),
  }
}

/** @param address the address of the page */
export function snippetNoteable(
  { snippets }: Client,
  { project, id, address }: { project: string; id: number; address: string },
): Noteable {
  const ids = { projectId: project, snippetId: id }
  return {
    noun: 'snippet',
    address,
    project,
    discussions: discussionsOf(snippets.discussions, ids, (body) =>
      snippets.notes.create({ ...ids, body }),
    ),
    awards: awardsOf(snippets.awardEmoji, snippets.notes.awardEmoji, ids),
  }
}

/** @param address the address of the page */
export function epicNoteable(
  { epics }: Client,
  { group, id, iid, address }: { group: string; id: number; iid: number; address: string },
): Noteable {
  const ids = { groupId: group, epicId: id }
  return {
    noun: 'epic',
    address,
    stream: streamOf('groups', group, 'epics', iid),
    discussions: discussionsOf(epics.discussions, ids, (body) =>
      epics.notes.create({ ...ids, body }),
    ),
    newestComment: newestOf(epics.notes, ids),
    awards: awardsOf(epics.awardEmoji, epics.notes.awardEmoji, { groupId: group, epicIid: iid }),
    labelEvents: (query) => epics.labelEvents.list({ ...ids, ...query }),
  }
}

/** @param address the address of the page */
export function commitNoteable(
  { commits }: Client,
  { project, sha, address }: { project: string; sha: string; address: string },
): Noteable {
  const ids = { projectId: project, sha }
  return {
    noun: 'commit',
    address,
    project,
    discussions: discussionsOf(commits.discussions, ids, (note) =>
      commits.comments.create({ ...ids, note }),
    ),
  }
}
