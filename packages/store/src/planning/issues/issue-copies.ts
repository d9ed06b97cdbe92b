import { sql } from 'kysely'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList, pick } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

const copiedColumns = [
  'discussionId',
  'type',
  'authorId',
  'body',
  'system',
  'action',
  'params',
  'sourceType',
  'sourceKey',
  'sourceProjectId',
  'createdAt',
  'updatedAt',
] as const

/** A note of an issue with the columns that its copy gets. */
export type CopiedNote = Pick<Row<'notes'>, 'id' | (typeof copiedColumns)[number]>

/** Lists the notes of an issue after the note `after` (0 for all), in order. */
export function listIssueNotes(
  q: Queries,
  args: { issueId: number; after: number },
): Promise<CopiedNote[]> {
  return q.all('issue-copies.notes', args, (db, $) =>
    db
      .selectFrom('notes')
      .where('noteableType', '=', 'issue')
      .where('noteableId', '=', $('issueId'))
      .where('id', '>', $('after'))
      .orderBy('id')
      .select(['id', ...copiedColumns]),
  )
}

/** Inserts a note on the copy of an issue; returns its id. */
export async function insertIssueNote(
  tx: Transaction,
  issue: { id: number; projectId: number },
  { id: _, ...note }: CopiedNote,
): Promise<number> {
  const row = { ...note, projectId: issue.projectId, noteableId: issue.id }
  const names = ['projectId', 'noteableId', ...copiedColumns] as const
  const made = await tx.first('issue-copies.note', row, (db, $) =>
    db
      .insertInto('notes')
      .values({ ...pick($, names), noteableType: 'issue' })
      .returning('id'),
  )
  if (made === undefined) throw new TypeError('An insert returned no row')
  return made.id
}

/** The awardables that awards are copied between. */
export interface AwardCopy {
  type: 'issue' | 'note'
  from: number
  to: number
  /** The project of the copy. */
  projectId: number
}

/** Copies the awards of the original to the copy. */
export async function copyAwards(tx: Transaction, copy: AwardCopy): Promise<void> {
  await tx.run('issue-copies.awards', copy, (db, $) =>
    db
      .insertInto('awards')
      .columns(['targetType', 'targetId', 'projectId', 'userId', 'name', 'createdAt', 'updatedAt'])
      .expression((eb) =>
        eb
          .selectFrom('awards')
          .where('targetType', '=', $('type'))
          .where('targetId', '=', $('from'))
          .orderBy('id')
          .select([
            'targetType',
            sql<number>`cast(${$('to')} as bigint)`.as('a'),
            sql<number>`cast(${$('projectId')} as bigint)`.as('b'),
            'userId',
            'name',
            'createdAt',
            'updatedAt',
          ]),
      ),
  )
}

/** Copies the mentions in a text of the original: a note, or with 0 its title and description. */
export async function copyMentions(
  tx: Transaction,
  copy: { from: number; to: number; fromNote: number; toNote: number },
): Promise<void> {
  await tx.run('issue-copies.mentions', copy, (db, $) =>
    db
      .insertInto('mentions')
      .columns(['targetType', 'targetId', 'noteId', 'userId'])
      .expression((eb) =>
        eb
          .selectFrom('mentions')
          .where('targetType', '=', 'issue')
          .where('targetId', '=', $('from'))
          .where('noteId', '=', $('fromNote'))
          .select([
            'targetType',
            sql<number>`cast(${$('to')} as bigint)`.as('a'),
            sql<number>`cast(${$('toNote')} as bigint)`.as('b'),
            'userId',
          ]),
      ),
  )
}

const referenceColumns = [
  'targetType',
  'targetId',
  'sourceType',
  'sourceKey',
  'sourceProjectId',
  'createdAt',
] as const

/** The items that references are copied between; `projectId` is that of the copy. */
interface ReferenceCopy {
  from: number
  to: number
  projectId: number
}

/** Copies the cross references from and to the original; adds no system notes. */
export async function copyReferences(tx: Transaction, copy: ReferenceCopy): Promise<void> {
  await copyNaming(tx, copy)
  await copyNamed(tx, copy)
}

async function copyNaming(tx: Transaction, copy: ReferenceCopy): Promise<void> {
  const args = { from: String(copy.from), to: String(copy.to), projectId: copy.projectId }
  await tx.run('issue-copies.naming', args, (db, $) =>
    db
      .insertInto('crossReferences')
      .columns(referenceColumns)
      .expression((eb) =>
        eb
          .selectFrom('crossReferences')
          .where('sourceType', '=', 'issue')
          .where('sourceKey', '=', $('from'))
          .select([
            'targetType',
            'targetId',
            'sourceType',
            sql<string>`cast(${$('to')} as text)`.as('a'),
            sql<number>`cast(${$('projectId')} as bigint)`.as('b'),
            'createdAt',
          ]),
      )
      .onConflict((conflict) => conflict.doNothing()),
  )
}

async function copyNamed(tx: Transaction, { from, to }: ReferenceCopy): Promise<void> {
  await tx.run('issue-copies.named', { from, to }, (db, $) =>
    db
      .insertInto('crossReferences')
      .columns(referenceColumns)
      .expression((eb) =>
        eb
          .selectFrom('crossReferences')
          .where('targetType', '=', 'issue')
          .where('targetId', '=', $('from'))
          .select([
            'targetType',
            sql<number>`cast(${$('to')} as bigint)`.as('a'),
            'sourceType',
            'sourceKey',
            'sourceProjectId',
            'createdAt',
          ]),
      )
      .onConflict((conflict) => conflict.doNothing()),
  )
}

/** The ids of an issue's notes that have dependent rows. */
export interface NoteDependents {
  /** Notes that mention users. */
  mentioning: Set<number>
  awarded: Set<number>
}

/** Finds which of these notes of an issue have dependent rows. Two queries. */
export async function findNoteDependents(
  q: Queries,
  args: { issueId: number; noteIds: readonly number[] },
): Promise<NoteDependents> {
  const mentioning = await q.all('issue-copies.mentioning', args, (db, $) =>
    db
      .selectFrom('mentions')
      .where('targetType', '=', 'issue')
      .where('targetId', '=', $('issueId'))
      .select('noteId')
      .distinct(),
  )
  const awarded = await q.all('issue-copies.awarded', args, (db, $) =>
    db
      .selectFrom('awards')
      .where('targetType', '=', 'note')
      .where(inList('awards.targetId', $('noteIds')))
      .select('targetId')
      .distinct(),
  )
  return {
    mentioning: new Set(mentioning.map(({ noteId }) => noteId)),
    awarded: new Set(awarded.map(({ targetId }) => targetId)),
  }
}
