import { z } from 'zod'
import { instant } from '../contract/date-fields.ts'
import { type Auth, endpoint } from '../contract/endpoint.ts'
import { filledText, oneOf, optional } from '../contract/fields.ts'
import { pathNumbers } from '../contract/path-numbers.ts'
import { Note } from './note.schema.ts'
import { type NoteablePath, noteablePaths } from './noteable-path.ts'

const tag = 'Notes'

/** What is to be known of the field `created_at`. */
export const datesOfOwners =
  '`created_at` counts for administrators and owners, and is ignored from others.'

/** What a note is written with. */
export const noteDraftFields = { body: filledText(), ...optional({ created_at: instant() }) }

/** The notes of one kind of thing, outside of their discussions (catalogue: merge_requests, 7). */
function notesContract<
  const Path extends string,
  const Id extends string,
  const Access extends Auth,
>(noteable: NoteablePath<Path, Id, Access>) {
  return { ...readNotes(noteable), ...writeNotes(noteable) }
}

function readNotes<const Path extends string, const Id extends string, const Access extends Auth>({
  path,
  ids,
  auth,
  tier,
  a,
}: NoteablePath<Path, Id, Access>) {
  return {
    list: endpoint({
      method: 'GET',
      path: `${path}/notes` as const,
      params: pathNumbers(ids),
      query: z.object({
        order_by: oneOf(['created_at', 'updated_at']).default('created_at'),
        sort: oneOf(['asc', 'desc']).default('desc'),
      }),
      paginated: true,
      response: { 200: z.array(Note) },
      auth,
      ...tier,
      errors: ['not_found'],
      docs: {
        summary: `List the notes of ${a}`,
        tag,
        description:
          'Remarks that tell where it was mentioned are left out where the caller cannot see that.',
      },
    }),
    show: endpoint({
      method: 'GET',
      path: `${path}/notes/:note_id` as const,
      params: pathNumbers<Id | 'note_id'>([...ids, 'note_id']),
      response: { 200: Note },
      auth,
      ...tier,
      errors: ['not_found'],
      docs: { summary: `Show a note of ${a}`, tag },
    }),
  }
}

const keeping = 'For its author and maintainers; what the service itself remarked stays as it is.'

function writeNotes<const Path extends string, const Id extends string, const Access extends Auth>({
  path,
  ids,
  auth,
  tier,
  a,
}: NoteablePath<Path, Id, Access>) {
  const one = pathNumbers<Id | 'note_id'>([...ids, 'note_id'])
  return {
    create: endpoint({
      method: 'POST',
      path: `${path}/notes` as const,
      params: pathNumbers(ids),
      body: z.object(noteDraftFields),
      response: { 201: Note },
      auth,
      ...tier,
      errors: ['not_found', 'forbidden', 'bad_request'],
      docs: { summary: `Comment on ${a}`, tag, description: datesOfOwners },
    }),
    update: endpoint({
      method: 'PUT',
      path: `${path}/notes/:note_id` as const,
      params: one,
      body: z.object({ body: filledText() }),
      response: { 200: Note },
      auth,
      ...tier,
      errors: ['not_found', 'forbidden', 'bad_request'],
      docs: { summary: `Change a note of ${a}`, tag, description: keeping },
    }),
    remove: endpoint({
      method: 'DELETE',
      path: `${path}/notes/:note_id` as const,
      params: one,
      response: { 204: null },
      auth,
      ...tier,
      errors: ['not_found', 'forbidden', 'precondition_failed'],
      docs: { summary: `Delete a note of ${a}`, tag, description: keeping },
    }),
  }
}

export const issueNotesContract = notesContract(noteablePaths.issue)
export const mergeRequestNotesContract = notesContract(noteablePaths.mergeRequest)
export const snippetNotesContract = notesContract(noteablePaths.snippet)
export const epicNotesContract = notesContract(noteablePaths.epic)
