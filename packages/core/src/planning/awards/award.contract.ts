import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { nonEmptyText, optional } from '../../platform/contract/fields.ts'
import { integerList } from '../../platform/contract/list-fields.ts'
import { resourceName } from '../../platform/contract/names.ts'
import { pathNumbers } from '../../platform/contract/path-numbers.ts'
import { type NoteablePath, noteablePaths, readAuth } from '../notes/noteable-path.ts'
import { Award, AwardCount } from './award.schema.ts'

/** What awards are given to: an item, or a note on one. */
interface Awardable<
  Path extends string,
  Id extends string,
  On extends string,
  Within extends readonly string[],
> extends Pick<NoteablePath<Path, Id, On>, 'path' | 'ids' | 'on' | 'tier' | 'a'> {
  /** The parent types of subject, as in `auth`. */
  within: Within
}

/** Builds the award endpoints of one type. */
function awardsContract<
  const Path extends string,
  const Id extends string,
  const On extends string,
  const Within extends readonly string[],
>(awardable: Awardable<Path, Id, On, Within>) {
  return { ...readAwards(awardable), ...writeAwards(awardable) }
}

function readAwards<
  const Path extends string,
  const Id extends string,
  const On extends string,
  const Within extends readonly string[],
>({ path, ids, on, within, tier, a }: Awardable<Path, Id, On, Within>) {
  const name = `${resourceName(...within, on)}.awardEmoji` as const
  return {
    list: endpoint({
      name: `${name}.list` as const,
      method: 'GET',
      path: `${path}/award_emoji` as const,
      params: pathNumbers(ids),
      paginated: true,
      response: { 200: z.array(Award) },
      auth: { on, within, ability: `read_${on}` as const },
      ...tier,
      errors: ['not_found'],
      docs: { summary: `List award emoji of ${a}`, description: 'Oldest first.' },
    }),
    show: endpoint({
      name: `${name}.show` as const,
      method: 'GET',
      path: `${path}/award_emoji/:award_id` as const,
      params: pathNumbers<Id | 'award_id'>([...ids, 'award_id']),
      response: { 200: Award },
      auth: { on: 'award', within: [...within, on], ability: 'read_award' },
      ...tier,
      errors: ['not_found'],
      docs: { summary: `Show an award emoji of ${a}` },
    }),
  }
}

function writeAwards<
  const Path extends string,
  const Id extends string,
  const On extends string,
  const Within extends readonly string[],
>({ path, ids, on, within, tier, a }: Awardable<Path, Id, On, Within>) {
  const name = `${resourceName(...within, on)}.awardEmoji` as const
  return {
    create: endpoint({
      name: `${name}.create` as const,
      method: 'POST',
      path: `${path}/award_emoji` as const,
      params: pathNumbers(ids),
      body: z.object({ name: nonEmptyText() }),
      response: { 201: Award },
      auth: { on, within, ability: `award_${on}` as const },
      ...tier,
      errors: ['not_found', 'forbidden'],
      docs: {
        summary: `Award an emoji to ${a}`,
        description:
          '`name` is written without colons, and may be an alias. Unknown names, and emoji that ' +
          'the caller has already awarded, return 404 with the reason.',
      },
    }),
    remove: endpoint({
      name: `${name}.delete` as const,
      method: 'DELETE',
      path: `${path}/award_emoji/:award_id` as const,
      params: pathNumbers<Id | 'award_id'>([...ids, 'award_id']),
      response: { 204: null },
      auth: { on: 'award', within: [...within, on], ability: 'remove_award' },
      ...tier,
      errors: ['not_found', 'forbidden', 'precondition_failed'],
      docs: {
        summary: `Delete an award emoji of ${a}`,
        description: 'For the user who awarded it and administrators; others get a 401.',
      },
    }),
  }
}

function itself<const Path extends string, const Id extends string, const On extends string>(
  noteable: NoteablePath<Path, Id, On>,
): Awardable<Path, Id, On, []> {
  return { ...noteable, within: [] }
}

function notesOf<const Path extends string, const Id extends string, const On extends string>(
  noteable: NoteablePath<Path, Id, On>,
): Awardable<`${Path}/notes/:note_id`, Id | 'note_id', 'note', [On]> {
  return {
    path: `${noteable.path}/notes/:note_id`,
    ids: [...noteable.ids, 'note_id'],
    on: 'note',
    within: [noteable.on],
    ...(noteable.tier === undefined ? {} : { tier: noteable.tier }),
    a: `a note of ${noteable.a}`,
  }
}

/** Award emoji name epics by their iid, unlike notes. */
const epic = {
  ...noteablePaths.epic,
  path: '/groups/:id/epics/:epic_iid',
  ids: ['epic_iid'],
} as const

/** Counts awards of an item and of its notes, such as those on a page of discussions. */
function awardStatistics<
  const Path extends string,
  const Id extends string,
  const On extends string,
>({ path, ids, on, tier, a }: NoteablePath<Path, Id, On>) {
  return {
    statistics: endpoint({
      name: `${resourceName(on)}.awardEmoji.statistics` as const,
      method: 'GET',
      path: `${path}/award_emoji_statistics` as const,
      params: pathNumbers(ids),
      query: z.object(optional({ note_ids: integerList() })),
      response: { 200: z.array(AwardCount) },
      auth: readAuth(on),
      ...tier,
      errors: ['not_found'],
      docs: {
        summary: `Count award emoji of ${a} and its notes`,
        description:
          'Extension: how often each emoji was awarded, in the order of the first award; ' +
          '`note_ids` adds the awards of these notes.',
      },
    }),
  }
}

export const epicAwardsContract = { ...awardsContract(itself(epic)), ...awardStatistics(epic) }
export const epicNoteAwardsContract = awardsContract(notesOf(epic))
export const issueAwardsContract = {
  ...awardsContract(itself(noteablePaths.issue)),
  ...awardStatistics(noteablePaths.issue),
}
export const issueNoteAwardsContract = awardsContract(notesOf(noteablePaths.issue))
export const mergeRequestAwardsContract = {
  ...awardsContract(itself(noteablePaths.mergeRequest)),
  ...awardStatistics(noteablePaths.mergeRequest),
}
export const mergeRequestNoteAwardsContract = awardsContract(notesOf(noteablePaths.mergeRequest))
export const snippetAwardsContract = {
  ...awardsContract(itself(noteablePaths.snippet)),
  ...awardStatistics(noteablePaths.snippet),
}
export const snippetNoteAwardsContract = awardsContract(notesOf(noteablePaths.snippet))
