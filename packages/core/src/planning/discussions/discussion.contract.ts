import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, integer, optional, text } from '../../platform/contract/fields.ts'
import { textList } from '../../platform/contract/list-fields.ts'
import { BodiesQuery } from '../../platform/contract/listed-bodies.ts'
import { resourceName } from '../../platform/contract/names.ts'
import { pathNumbers } from '../../platform/contract/path-numbers.ts'
import { filePathText, noteText } from '../../platform/contract/text-options.ts'
import { createdAtDescription, noteDraftFields } from '../notes/note.contract.ts'
import { Note, positionField } from '../notes/note.schema.ts'
import {
  commentAuth,
  type NoteablePath,
  nestedAuth,
  noteablePaths,
  readAuth,
} from '../notes/noteable-path.ts'
import { Discussion } from './discussion.schema.ts'

const draft = z.object(noteDraftFields)
/** May also be on a line of a diff. */
const positionedDraft = z.object({ ...noteDraftFields, ...optional({ position: positionField() }) })

interface DiscussedKind<
  Path extends string,
  Id extends string,
  On extends string,
  Draft extends z.ZodObject,
> {
  noteable: NoteablePath<Path, Id, On>
  /** An alternative path. */
  alias?: string
  /** The body of a new discussion. */
  draft: Draft
  /** The description of starting one. */
  start: string
}

/** Builds the discussion endpoints of one type of item. */
function discussionsContract<
  const Path extends string,
  const Id extends string,
  const On extends string,
  Draft extends z.ZodObject,
>(kind: DiscussedKind<Path, Id, On, Draft>) {
  return { ...threads(kind), ...notesOfThreads(kind), ...changesOfNotes(kind) }
}

/** `aliases` of an endpoint whose path below the item is `rest`. */
function aliased(alias: string | undefined, rest: string): { aliases?: readonly string[] } {
  return alias === undefined ? {} : { aliases: [`${alias}${rest}`] }
}

const listed = 'Oldest first. Extension: `note_id` returns the page with this note.'

function threads<
  const Path extends string,
  const Id extends string,
  const On extends string,
  Draft extends z.ZodObject,
>({ noteable, alias, draft: body, start }: DiscussedKind<Path, Id, On, Draft>) {
  const { path, ids, on, tier, a } = noteable
  const name = `${resourceName(on)}.discussions` as const
  const params = pathNumbers(ids)
  return {
    list: endpoint({
      name: `${name}.list` as const,
      method: 'GET',
      path: `${path}/discussions` as const,
      ...aliased(alias, '/discussions'),
      params,
      query: BodiesQuery.extend(optional({ note_id: integer() })),
      paginated: true,
      response: { 200: z.array(Discussion) },
      auth: readAuth(on),
      ...tier,
      errors: ['not_found'],
      docs: { summary: `List discussions of ${a}`, description: listed },
    }),
    show: endpoint({
      name: `${name}.show` as const,
      method: 'GET',
      path: `${path}/discussions/:discussion_id` as const,
      ...aliased(alias, '/discussions/:discussion_id'),
      params,
      response: { 200: Discussion },
      auth: nestedAuth(on, 'discussion', 'read_discussion'),
      ...tier,
      errors: ['not_found'],
      docs: { summary: `Show a discussion of ${a}` },
    }),
    create: endpoint({
      name: `${name}.create` as const,
      method: 'POST',
      path: `${path}/discussions` as const,
      ...aliased(alias, '/discussions'),
      params,
      body,
      response: { 201: Discussion },
      auth: commentAuth(on),
      ...tier,
      errors: ['not_found', 'forbidden', 'bad_request'],
      docs: { summary: `Start a discussion on ${a}`, description: start },
    }),
  }
}

const cutPage = { query: BodiesQuery, paginated: true } as const

function notesOfThreads<
  const Path extends string,
  const Id extends string,
  const On extends string,
>({ noteable, alias }: Omit<DiscussedKind<Path, Id, On, z.ZodObject>, 'draft'>) {
  const { path, ids, on, tier, a } = noteable
  const name = `${resourceName(on)}.discussions.notes` as const
  const params = pathNumbers(ids)
  return {
    listNotes: endpoint({
      name: `${name}.list` as const,
      method: 'GET',
      path: `${path}/discussions/:discussion_id/notes` as const,
      ...aliased(alias, '/discussions/:discussion_id/notes'),
      params,
      ...cutPage,
      response: { 200: z.array(Note) },
      auth: nestedAuth(on, 'discussion', 'read_discussion'),
      ...tier,
      errors: ['not_found'],
      docs: { summary: `List notes of a discussion of ${a}`, description: 'Oldest first.' },
    }),
    showNote: endpoint({
      name: `${name}.show` as const,
      method: 'GET',
      path: `${path}/discussions/:discussion_id/notes/:note_id` as const,
      ...aliased(alias, '/discussions/:discussion_id/notes/:note_id'),
      params: pathNumbers<Id | 'note_id'>([...ids, 'note_id']),
      query: BodiesQuery,
      response: { 200: Note },
      auth: nestedAuth(on, 'note', 'read_note'),
      ...tier,
      errors: ['not_found'],
      docs: { summary: `Show a note of a discussion of ${a}` },
    }),
    addNote: endpoint({
      name: `${name}.create` as const,
      method: 'POST',
      path: `${path}/discussions/:discussion_id/notes` as const,
      ...aliased(alias, '/discussions/:discussion_id/notes'),
      params,
      body: z.object({ ...noteDraftFields, ...optional({ note_id: integer() }) }),
      response: { 201: Note },
      auth: nestedAuth(on, 'discussion', 'reply_to_discussion'),
      ...tier,
      errors: ['not_found', 'forbidden', 'bad_request'],
      docs: { summary: `Reply to a discussion of ${a}`, description: replies },
    }),
  }
}

const replies =
  'A reply to a single comment turns it into a discussion on issues, merge requests and snippets, and ' +
  'is rejected elsewhere. `note_id` is ignored.'

function changesOfNotes<
  const Path extends string,
  const Id extends string,
  const On extends string,
>({ noteable, alias }: Omit<DiscussedKind<Path, Id, On, z.ZodObject>, 'draft'>) {
  const { path, ids, on, tier, a } = noteable
  const name = `${resourceName(on)}.discussions.notes` as const
  const params = pathNumbers<Id | 'note_id'>([...ids, 'note_id'])
  return {
    updateNote: endpoint({
      name: `${name}.update` as const,
      method: 'PUT',
      path: `${path}/discussions/:discussion_id/notes/:note_id` as const,
      ...aliased(alias, '/discussions/:discussion_id/notes/:note_id'),
      params,
      body: z.object(optional({ body: text(noteText), resolved: boolean() })),
      constraints: [{ exactlyOneOf: ['body', 'resolved'] }],
      response: { 200: Note },
      auth: nestedAuth(on, 'note', 'update_or_resolve_note'),
      ...tier,
      errors: ['not_found', 'forbidden', 'bad_request'],
      docs: {
        summary: `Update a note of a discussion of ${a}`,
        description:
          'Takes exactly one parameter: `body`, for the author of the note and maintainers, or ' +
          '`resolved`, on merge requests only, for the author of the note, the author of the ' +
          'merge request, and developers.',
      },
    }),
    removeNote: endpoint({
      name: `${name}.delete` as const,
      method: 'DELETE',
      path: `${path}/discussions/:discussion_id/notes/:note_id` as const,
      ...aliased(alias, '/discussions/:discussion_id/notes/:note_id'),
      params,
      response: { 204: null },
      auth: nestedAuth(on, 'note', 'delete_note'),
      ...tier,
      errors: ['not_found', 'forbidden', 'precondition_failed'],
      docs: {
        summary: `Delete a note of a discussion of ${a}`,
        description: 'For its author and maintainers.',
      },
    }),
  }
}

const start = createdAtDescription

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

/** Each path is also served in the spelling of the documentation. */
export const commitDiscussionsContract = discussionsContract({
  noteable: noteablePaths.commit,
  alias: '/projects/:id/commits/:sha',
  draft: positionedDraft,
  start:
    '`position` starts the discussion on a line of the diff, changed or context: `base_sha` and ' +
    '`start_sha` are the first parent (for a root commit, the empty tree), `head_sha` is the commit. ' +
    createdAtDescription,
})

const mergeRequestDiscussions = discussionsContract({
  noteable: noteablePaths.mergeRequest,
  draft: positionedDraft,
  start:
    '`position` starts the discussion on a line of the diff of a version, with the three hashes of ' +
    `that version. ${createdAtDescription}`,
})

/** Threads on merge requests can be resolved as well, and be listed by the file that they are on. */
export const mergeRequestDiscussionsContract = {
  ...mergeRequestDiscussions,
  list: endpoint({
    ...mergeRequestDiscussions.list,
    query: mergeRequestDiscussions.list.query.extend(optional({ paths: textList(filePathText) })),
    docs: {
      summary: 'List discussions of a merge request',
      description:
        'Oldest first. Extensions: `note_id` returns the page with this note, `paths` those on lines ' +
        'of the diffs of these files, given by their new paths.',
    },
  }),
  resolve: endpoint({
    name: 'mergeRequests.discussions.resolve',
    method: 'PUT',
    path: `${noteablePaths.mergeRequest.path}/discussions/:discussion_id`,
    params: pathNumbers(['merge_request_iid']),
    body: z.object({ resolved: boolean() }),
    response: { 200: Discussion },
    auth: nestedAuth('merge_request', 'discussion', 'resolve_discussion'),
    errors: ['not_found', 'forbidden'],
    docs: {
      summary: 'Resolve or reopen a discussion of a merge request',
      description: 'For the author of the merge request and developers.',
    },
  }),
}
