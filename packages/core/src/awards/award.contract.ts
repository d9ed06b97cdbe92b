import { z } from 'zod'
import { type Auth, endpoint } from '../contract/endpoint.ts'
import { filledText } from '../contract/fields.ts'
import { pathNumbers } from '../contract/path-numbers.ts'
import { type NoteablePath, noteablePaths } from '../notes/noteable-path.ts'
import { Award } from './award.schema.ts'

const tag = 'Award emoji'

/** The awards of one kind of thing (catalogue: issues, 9). */
function awardsContract<
  const Path extends string,
  const Id extends string,
  const Access extends Auth,
>(noteable: NoteablePath<Path, Id, Access>) {
  return { ...readAwards(noteable), ...writeAwards(noteable) }
}

function readAwards<const Path extends string, const Id extends string, const Access extends Auth>({
  path,
  ids,
  auth,
  a,
}: NoteablePath<Path, Id, Access>) {
  return {
    list: endpoint({
      method: 'GET',
      path: `${path}/award_emoji` as const,
      params: pathNumbers(ids),
      paginated: true,
      response: { 200: z.array(Award) },
      auth,
      errors: ['not_found'],
      docs: { summary: `List the award emoji of ${a}, oldest first`, tag },
    }),
    show: endpoint({
      method: 'GET',
      path: `${path}/award_emoji/:award_id` as const,
      params: pathNumbers<Id | 'award_id'>([...ids, 'award_id']),
      response: { 200: Award },
      auth,
      errors: ['not_found'],
      docs: { summary: `Show an award emoji of ${a}`, tag },
    }),
  }
}

function writeAwards<
  const Path extends string,
  const Id extends string,
  const Access extends Auth,
>({ path, ids, auth, a }: NoteablePath<Path, Id, Access>) {
  return {
    create: endpoint({
      method: 'POST',
      path: `${path}/award_emoji` as const,
      params: pathNumbers(ids),
      body: z.object({ name: filledText() }),
      response: { 201: Award },
      auth,
      errors: ['not_found', 'forbidden'],
      docs: {
        summary: `Award an emoji to ${a}`,
        tag,
        description:
          '`name` stands without colons; other names of an emoji are taken as its own. Unknown names, and ' +
          'those that the caller has awarded already, answer 404 with the reason.',
      },
    }),
    remove: endpoint({
      method: 'DELETE',
      path: `${path}/award_emoji/:award_id` as const,
      params: pathNumbers<Id | 'award_id'>([...ids, 'award_id']),
      response: { 204: null },
      auth,
      errors: ['not_found', 'forbidden', 'precondition_failed'],
      docs: {
        summary: `Take an award emoji back from ${a}`,
        tag,
        description: 'For who gave it, and administrators; others get a 401.',
      },
    }),
  }
}

/** The notes of a thing, as what is awarded. */
function notesOf<const Path extends string, const Id extends string, const Access extends Auth>(
  noteable: NoteablePath<Path, Id, Access>,
): NoteablePath<`${Path}/notes/:note_id`, Id | 'note_id', Access> {
  return {
    ...noteable,
    path: `${noteable.path}/notes/:note_id`,
    ids: [...noteable.ids, 'note_id'],
    a: `a note of ${noteable.a}`,
  }
}

export const issueAwardsContract = awardsContract(noteablePaths.issue)
export const issueNoteAwardsContract = awardsContract(notesOf(noteablePaths.issue))
export const mergeRequestAwardsContract = awardsContract(noteablePaths.mergeRequest)
export const mergeRequestNoteAwardsContract = awardsContract(notesOf(noteablePaths.mergeRequest))
export const snippetAwardsContract = awardsContract(noteablePaths.snippet)
export const snippetNoteAwardsContract = awardsContract(notesOf(noteablePaths.snippet))
