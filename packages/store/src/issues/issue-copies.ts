import { sql } from 'kysely'
import type { Queries, Transaction } from '../queries.ts'
import type { Row } from '../schema/schema.ts'
import { inList, pick } from '../sql.ts'

/** A note of an issue with all that its copy keeps. */
export type CopiedNote = Pick<
  Row<'notes'>,
  'id' | 'discussionId' | 'type' | 'authorId' | 'body' | 'system' | 'createdAt' | 'updatedAt'
>

/** The notes of an issue behind the one named `after` (0 for all), in their order. */
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
      .select([
        'id',
        'discussionId',
        'type',
        'authorId',
        'body',
        'system',
        'createdAt',
        'updatedAt',
      ]),
  )
}

/** Writes a note on the copy of an issue; answers its id. */
export async function insertIssueNote(
  tx: Transaction,
  issue: { id: number; projectId: number },
  { id: _, ...note }: CopiedNote,
): Promise<number> {
  const row = { ...note, projectId: issue.projectId, noteableId: issue.id }
  const names = [
    'projectId',
    'noteableId',
    'discussionId',
    'type',
    'authorId',
    'body',
    'system',
    'createdAt',
    'updatedAt',
  ] as const
  const made = await tx.first('issue-copies.note', row, (db, $) =>
    db
      .insertInto('notes')
      .values({ ...pick($, names), noteableType: 'issue' })
      .returning('id'),
  )
  if (made === undefined) throw new TypeError('An insert answered no row')
  return made.id
}

/** What awards are copied between. */
export interface AwardCopy {
  type: 'issue' | 'note'
  from: number
  to: number
  /** Of the copy. */
  projectId: number
}

/** Awards the copy as its original is. */
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

/** Keeps for the copy who is named in a text of its original: a note, or with 0 its own texts. */
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

/** Keeps for a copied remark what it tells of: it stays hidden from who cannot see that. */
export async function copyRemarkSource(
  tx: Transaction,
  copy: { to: number; fromNote: number; toNote: number },
): Promise<void> {
  const args = { to: copy.to, fromNote: copy.fromNote, toNote: copy.toNote }
  await tx.run('issue-copies.remark-source', args, (db, $) =>
    db
      .insertInto('remarkSources')
      .columns(['noteId', 'targetType', 'targetId', 'sourceType', 'sourceKey', 'sourceProjectId'])
      .expression((eb) =>
        eb
          .selectFrom('remarkSources')
          .where('noteId', '=', $('fromNote'))
          .select([
            sql<number>`cast(${$('toNote')} as bigint)`.as('a'),
            'targetType',
            sql<number>`cast(${$('to')} as bigint)`.as('b'),
            'sourceType',
            'sourceKey',
            'sourceProjectId',
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

/** What references are copied between; `projectId` is that of the copy. */
interface ReferenceCopy {
  from: number
  to: number
  projectId: number
}

/** Keeps for the copy what its original names, and where that is named; nothing is told of it anew. */
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

/** What hangs on the notes of an issue, by the ids of the notes that have it. */
export interface HangingOnNotes {
  /** Somebody is named in them. */
  mentioning: Set<number>
  /** They tell of something else. */
  telling: Set<number>
  awarded: Set<number>
}

/** What hangs on these notes of an issue. Three queries. */
export async function findHangingOnNotes(
  q: Queries,
  args: { issueId: number; noteIds: readonly number[] },
): Promise<HangingOnNotes> {
  const mentioning = await q.all('issue-copies.mentioning', args, (db, $) =>
    db
      .selectFrom('mentions')
      .where('targetType', '=', 'issue')
      .where('targetId', '=', $('issueId'))
      .select('noteId')
      .distinct(),
  )
  const telling = await q.all('issue-copies.telling', args, (db, $) =>
    db
      .selectFrom('remarkSources')
      .where('targetType', '=', 'issue')
      .where('targetId', '=', $('issueId'))
      .select('noteId'),
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
    telling: new Set(telling.map(({ noteId }) => noteId)),
    awarded: new Set(awarded.map(({ targetId }) => targetId)),
  }
}
