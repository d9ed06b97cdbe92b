import { z } from 'zod'
import { dateTime } from '../../platform/contract/date-fields.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { nonEmptyText, oneOf, optional } from '../../platform/contract/fields.ts'
import { listedBodies } from '../../platform/contract/listed-bodies.ts'
import { resourceName } from '../../platform/contract/names.ts'
import { pathNumbers } from '../../platform/contract/path-numbers.ts'
import { noteText } from '../../platform/contract/text-options.ts'
import { Note } from './note.schema.ts'
import {
  commentAuth,
  type NoteablePath,
  nestedAuth,
  noteablePaths,
  readAuth,
} from './noteable-path.ts'

/** Documentation of the field `created_at`. */
export const createdAtDescription =
  '`created_at` needs an administrator or an owner, and is ignored otherwise.'

/** Fields of a new note. */
export const noteDraftFields = {
  body: nonEmptyText(noteText),
  ...optional({ created_at: dateTime() }),
}

/** Builds the note endpoints of one type of item; they cover all discussions. */
function notesContract<const Path extends string, const Id extends string, const On extends string>(
  noteable: NoteablePath<Path, Id, On>,
) {
  return { ...readNotes(noteable), ...writeNotes(noteable) }
}

function readNotes<const Path extends string, const Id extends string, const On extends string>({
  path,
  ids,
  on,
  tier,
  a,
}: NoteablePath<Path, Id, On>) {
  const name = `${resourceName(on)}.notes` as const
  return {
    list: endpoint({
      name: `${name}.list` as const,
      method: 'GET',
      path: `${path}/notes` as const,
      params: pathNumbers(ids),
      query: z.object({
        order_by: oneOf(['created_at', 'updated_at']).default('created_at'),
        sort: oneOf(['asc', 'desc']).default('desc'),
        activity_filter: oneOf(['all_notes', 'only_comments', 'only_activity']).default(
          'all_notes',
        ),
        ...optional(listedBodies),
      }),
      paginated: true,
      response: { 200: z.array(Note) },
      auth: readAuth(on),
      ...tier,
      errors: ['not_found'],
      docs: {
        summary: `List notes of ${a}`,
        description:
          'System notes that refer to something the caller cannot read are left out. Extensions: ' +
          '`activity_filter` leaves out all system notes, or all comments; with `max_body_length`, ' +
          '`body_size` is the size of each whole text in bytes.',
      },
    }),
    show: endpoint({
      name: `${name}.show` as const,
      method: 'GET',
      path: `${path}/notes/:note_id` as const,
      params: pathNumbers<Id | 'note_id'>([...ids, 'note_id']),
      response: { 200: Note },
      auth: nestedAuth(on, 'note', 'read_note'),
      ...tier,
      errors: ['not_found'],
      docs: { summary: `Show a note of ${a}` },
    }),
  }
}

const editable = 'For its author and maintainers. System notes cannot be changed.'

function writeNotes<const Path extends string, const Id extends string, const On extends string>({
  path,
  ids,
  on,
  tier,
  a,
}: NoteablePath<Path, Id, On>) {
  const name = `${resourceName(on)}.notes` as const
  const one = pathNumbers<Id | 'note_id'>([...ids, 'note_id'])
  return {
    create: endpoint({
      name: `${name}.create` as const,
      method: 'POST',
      path: `${path}/notes` as const,
      params: pathNumbers(ids),
      body: z.object(noteDraftFields),
      response: { 201: Note },
      auth: commentAuth(on),
      ...tier,
      errors: ['not_found', 'forbidden', 'bad_request'],
      docs: { summary: `Create a note on ${a}`, description: createdAtDescription },
    }),
    update: endpoint({
      name: `${name}.update` as const,
      method: 'PUT',
      path: `${path}/notes/:note_id` as const,
      params: one,
      body: z.object({ body: nonEmptyText(noteText) }),
      response: { 200: Note },
      auth: nestedAuth(on, 'note', 'update_note'),
      ...tier,
      errors: ['not_found', 'forbidden', 'bad_request'],
      docs: { summary: `Update a note of ${a}`, description: editable },
    }),
    remove: endpoint({
      name: `${name}.delete` as const,
      method: 'DELETE',
      path: `${path}/notes/:note_id` as const,
      params: one,
      response: { 204: null },
      auth: nestedAuth(on, 'note', 'delete_note'),
      ...tier,
      errors: ['not_found', 'forbidden', 'precondition_failed'],
      docs: { summary: `Delete a note of ${a}`, description: editable },
    }),
  }
}

export const issueNotesContract = notesContract(noteablePaths.issue)
export const mergeRequestNotesContract = notesContract(noteablePaths.mergeRequest)
export const snippetNotesContract = notesContract(noteablePaths.snippet)
export const epicNotesContract = notesContract(noteablePaths.epic)
