import { z } from 'zod'
import { instant } from '../contract/date-fields.ts'
import { endpoint } from '../contract/endpoint.ts'
import { boolean, filledText, integer, optional, text } from '../contract/fields.ts'
import { Note, positionField } from '../notes/note.schema.ts'
import { Discussion } from './discussion.schema.ts'

const tag = 'Discussions'
const read = { on: 'project', ability: 'read_code' } as const
const write = { on: 'project', ability: 'comment_on_commit' } as const
const oneNote = z.object({ note_id: integer({ min: 1 }) })

/** Catalogue: merge_requests, 6; each path is served in its documented spelling, too. */
export const commitDiscussionsContract = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/commits/:commit_id/discussions',
    aliases: ['/projects/:id/commits/:commit_id/discussions'],
    paginated: true,
    response: { 200: z.array(Discussion) },
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'List the discussions of a commit, oldest first', tag },
  }),
  show: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/commits/:commit_id/discussions/:discussion_id',
    aliases: ['/projects/:id/commits/:commit_id/discussions/:discussion_id'],
    response: { 200: Discussion },
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'Show a discussion of a commit', tag },
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects/:id/repository/commits/:commit_id/discussions',
    aliases: ['/projects/:id/commits/:commit_id/discussions'],
    body: z.object({
      body: filledText(),
      ...optional({ created_at: instant(), position: positionField() }),
    }),
    response: { 201: Discussion },
    auth: write,
    errors: ['not_found', 'bad_request'],
    docs: {
      summary: 'Start a discussion of a commit',
      tag,
      description:
        'With `position`, at a line that the commit changes or shows unchanged beside a change: ' +
        '`base_sha` and `start_sha` are its first parent (of a first commit, the empty tree), `head_sha` ' +
        'is the commit. `created_at` counts for administrators and owners.',
    },
  }),
  listNotes: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/commits/:commit_id/discussions/:discussion_id/notes',
    aliases: ['/projects/:id/commits/:commit_id/discussions/:discussion_id/notes'],
    paginated: true,
    response: { 200: z.array(Note) },
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'List the notes of a discussion of a commit, oldest first', tag },
  }),
  showNote: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/commits/:commit_id/discussions/:discussion_id/notes/:note_id',
    aliases: ['/projects/:id/commits/:commit_id/discussions/:discussion_id/notes/:note_id'],
    params: oneNote,
    response: { 200: Note },
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'Show a note of a discussion of a commit', tag },
  }),
  addNote: endpoint({
    method: 'POST',
    path: '/projects/:id/repository/commits/:commit_id/discussions/:discussion_id/notes',
    aliases: ['/projects/:id/commits/:commit_id/discussions/:discussion_id/notes'],
    body: z.object({
      body: filledText(),
      ...optional({ created_at: instant(), note_id: integer() }),
    }),
    response: { 201: Note },
    auth: write,
    errors: ['not_found', 'bad_request'],
    docs: {
      summary: 'Reply in a discussion of a commit',
      tag,
      description: 'A single comment takes no reply. `note_id` is accepted and not used.',
    },
  }),
  updateNote: endpoint({
    method: 'PUT',
    path: '/projects/:id/repository/commits/:commit_id/discussions/:discussion_id/notes/:note_id',
    aliases: ['/projects/:id/commits/:commit_id/discussions/:discussion_id/notes/:note_id'],
    params: oneNote,
    body: z.object(optional({ body: text(), resolved: boolean() })),
    response: { 200: Note },
    auth: write,
    errors: ['not_found', 'bad_request'],
    docs: {
      summary: 'Change a note of a discussion of a commit',
      tag,
      description:
        'For its author and maintainers. `resolved` is refused: commits have no threads to resolve.',
    },
  }),
  removeNote: endpoint({
    method: 'DELETE',
    path: '/projects/:id/repository/commits/:commit_id/discussions/:discussion_id/notes/:note_id',
    aliases: ['/projects/:id/commits/:commit_id/discussions/:discussion_id/notes/:note_id'],
    params: oneNote,
    response: { 204: null },
    auth: write,
    errors: ['not_found', 'precondition_failed'],
    docs: {
      summary: 'Delete a note of a discussion of a commit',
      tag,
      description: 'For its author and maintainers.',
    },
  }),
}
