import { z } from 'zod'
import { type Auth, endpoint } from '../contract/endpoint.ts'
import { boolean, integer, optional, text } from '../contract/fields.ts'
import { pathNumbers } from '../contract/path-numbers.ts'
import { datesOfOwners, noteDraftFields } from '../notes/note.contract.ts'
import { Note, positionField } from '../notes/note.schema.ts'
import { type NoteablePath, noteablePaths } from '../notes/noteable-path.ts'
import { Discussion } from './discussion.schema.ts'

const tag = 'Discussions'

const draft = z.object(noteDraftFields)
/** At a line of a diff, too. */
const placedDraft = z.object({ ...noteDraftFields, ...optional({ position: positionField() }) })

interface DiscussedKind<
  Path extends string,
  Id extends string,
  Access extends Auth,
  Draft extends z.ZodObject,
> {
  noteable: NoteablePath<Path, Id, Access>
  /** Another spelling of its path. */
  alias?: string
  /** What a discussion is started with. */
  draft: Draft
  /** What is to be known of starting one. */
  start: string
}

/** The discussions of one kind of thing (catalogue: merge_requests, 6). */
function discussionsContract<
  const Path extends string,
  const Id extends string,
  const Access extends Auth,
  Draft extends z.ZodObject,
>(kind: DiscussedKind<Path, Id, Access, Draft>) {
  return { ...threads(kind), ...notesOfThreads(kind), ...changesOfNotes(kind) }
}

/** `aliases` of an endpoint that lies at `rest` below the thing. */
function aliased(alias: string | undefined, rest: string): { aliases?: readonly string[] } {
  return alias === undefined ? {} : { aliases: [`${alias}${rest}`] }
}

function threads<
  const Path extends string,
  const Id extends string,
  const Access extends Auth,
  Draft extends z.ZodObject,
>({ noteable, alias, draft: body, start }: DiscussedKind<Path, Id, Access, Draft>) {
  const { path, ids, auth, tier, a } = noteable
  const params = pathNumbers(ids)
  return {
    list: endpoint({
      method: 'GET',
      path: `${path}/discussions` as const,
      ...aliased(alias, '/discussions'),
      params,
      paginated: true,
      response: { 200: z.array(Discussion) },
      auth,
      ...tier,
      errors: ['not_found'],
      docs: { summary: `List the discussions of ${a}, oldest first`, tag },
    }),
    show: endpoint({
      method: 'GET',
      path: `${path}/discussions/:discussion_id` as const,
      ...aliased(alias, '/discussions/:discussion_id'),
      params,
      response: { 200: Discussion },
      auth,
      ...tier,
      errors: ['not_found'],
      docs: { summary: `Show a discussion of ${a}`, tag },
    }),
    create: endpoint({
      method: 'POST',
      path: `${path}/discussions` as const,
      ...aliased(alias, '/discussions'),
      params,
      body,
      response: { 201: Discussion },
      auth,
      ...tier,
      errors: ['not_found', 'forbidden', 'bad_request'],
      docs: { summary: `Start a discussion of ${a}`, tag, description: start },
    }),
  }
}

function notesOfThreads<
  const Path extends string,
  const Id extends string,
  const Access extends Auth,
>({ noteable, alias }: Omit<DiscussedKind<Path, Id, Access, z.ZodObject>, 'draft'>) {
  const { path, ids, auth, tier, a } = noteable
  const params = pathNumbers(ids)
  return {
    listNotes: endpoint({
      method: 'GET',
      path: `${path}/discussions/:discussion_id/notes` as const,
      ...aliased(alias, '/discussions/:discussion_id/notes'),
      params,
      paginated: true,
      response: { 200: z.array(Note) },
      auth,
      ...tier,
      errors: ['not_found'],
      docs: { summary: `List the notes of a discussion of ${a}, oldest first`, tag },
    }),
    showNote: endpoint({
      method: 'GET',
      path: `${path}/discussions/:discussion_id/notes/:note_id` as const,
      ...aliased(alias, '/discussions/:discussion_id/notes/:note_id'),
      params: pathNumbers<Id | 'note_id'>([...ids, 'note_id']),
      response: { 200: Note },
      auth,
      ...tier,
      errors: ['not_found'],
      docs: { summary: `Show a note of a discussion of ${a}`, tag },
    }),
    addNote: endpoint({
      method: 'POST',
      path: `${path}/discussions/:discussion_id/notes` as const,
      ...aliased(alias, '/discussions/:discussion_id/notes'),
      params,
      body: z.object({ ...noteDraftFields, ...optional({ note_id: integer() }) }),
      response: { 201: Note },
      auth,
      ...tier,
      errors: ['not_found', 'forbidden', 'bad_request'],
      docs: { summary: `Reply in a discussion of ${a}`, tag, description: replies },
    }),
  }
}

const replies =
  'A single comment becomes a discussion on issues, merge requests and snippets, and takes no reply ' +
  'elsewhere. `note_id` is accepted and not used.'

function changesOfNotes<
  const Path extends string,
  const Id extends string,
  const Access extends Auth,
>({ noteable, alias }: Omit<DiscussedKind<Path, Id, Access, z.ZodObject>, 'draft'>) {
  const { path, ids, auth, tier, a } = noteable
  const params = pathNumbers<Id | 'note_id'>([...ids, 'note_id'])
  return {
    updateNote: endpoint({
      method: 'PUT',
      path: `${path}/discussions/:discussion_id/notes/:note_id` as const,
      ...aliased(alias, '/discussions/:discussion_id/notes/:note_id'),
      params,
      body: z.object(optional({ body: text(), resolved: boolean() })),
      response: { 200: Note },
      auth,
      ...tier,
      errors: ['not_found', 'forbidden', 'bad_request'],
      docs: {
        summary: `Change or resolve a note of a discussion of ${a}`,
        tag,
        description:
          'Exactly one of the two: `body` is for its author and maintainers; `resolved`, on merge requests ' +
          'alone, for its author, the author of the request, and developers.',
      },
    }),
    removeNote: endpoint({
      method: 'DELETE',
      path: `${path}/discussions/:discussion_id/notes/:note_id` as const,
      ...aliased(alias, '/discussions/:discussion_id/notes/:note_id'),
      params,
      response: { 204: null },
      auth,
      ...tier,
      errors: ['not_found', 'forbidden', 'precondition_failed'],
      docs: {
        summary: `Delete a note of a discussion of ${a}`,
        tag,
        description: 'For its author and maintainers.',
      },
    }),
  }
}

const start = datesOfOwners

export const issueDiscussionsContract = discussionsContract({
  noteable: noteablePaths.issue,
  draft,
  start,
})

export const snippetDiscussionsContract = discussionsContract({
  noteable: noteablePaths.snippet,
  draft,
  start,
})

export const epicDiscussionsContract = discussionsContract({
  noteable: noteablePaths.epic,
  draft,
  start,
})

/** Each path is served in its documented spelling, too. */
export const commitDiscussionsContract = discussionsContract({
  noteable: noteablePaths.commit,
  alias: '/projects/:id/commits/:commit_id',
  draft: placedDraft,
  start:
    'With `position`, at a line that the commit changes or shows unchanged beside a change: ' +
    '`base_sha` and `start_sha` are its first parent (of a first commit, the empty tree), `head_sha` ' +
    `is the commit. ${datesOfOwners}`,
})

/** The threads of merge requests are resolved as well. */
export const mergeRequestDiscussionsContract = {
  ...discussionsContract({
    noteable: noteablePaths.mergeRequest,
    draft: placedDraft,
    start:
      'With `position`, at a line that the diff of a version shows; the three hashes are those of the ' +
      `version. ${datesOfOwners}`,
  }),
  resolve: endpoint({
    method: 'PUT',
    path: `${noteablePaths.mergeRequest.path}/discussions/:discussion_id`,
    params: pathNumbers(['merge_request_iid']),
    body: z.object({ resolved: boolean() }),
    response: { 200: Discussion },
    auth: noteablePaths.mergeRequest.auth,
    errors: ['not_found', 'forbidden'],
    docs: {
      summary: 'Resolve or reopen a discussion of a merge request',
      tag,
      description: 'For the author of the request and developers.',
    },
  }),
}
