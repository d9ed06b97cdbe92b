import { sql } from 'kysely'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { asBigint, asText, jsonElements, jsonText } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'
import { addToCount } from '../items/item-counts.ts'
import { updateItemRow } from '../items/item-row-update.ts'

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

/** Those that hold numbers. */
const numeric: ReadonlySet<string> = new Set([
  'authorId',
  'system',
  'sourceProjectId',
  'createdAt',
  'updatedAt',
] satisfies (typeof copiedColumns)[number][])

/** A note of an issue with the columns that its copy gets. */
export type CopiedNote = Pick<Row<'notes'>, 'id' | (typeof copiedColumns)[number]>

/** A copy of an issue: another issue, or an epic. */
export interface IssueCopyKey {
  type: 'issue' | 'epic'
  id: number
  /** Null for an epic. */
  projectId: number | null
}

/** The place of a note among those of an issue, which are copied from the oldest to the newest. */
export type NotePlace = Pick<Row<'notes'>, 'id' | 'createdAt'>

/** Notes of an issue: those after a place, whose ids are at most `through`. */
export interface NoteRange {
  after: NotePlace
  through: number
}

/** Lists notes of an issue, from the oldest to the newest. */
export function listIssueNotes(
  q: Queries,
  { after, ...range }: NoteRange & { issueId: number; limit: number },
): Promise<CopiedNote[]> {
  return q.all('issue-copies.notes', { ...range, ...after }, (db, $) =>
    db
      .selectFrom('notes')
      .where('noteableType', '=', 'issue')
      .where('noteableId', '=', $('issueId'))
      .where('createdAt', '>=', $('createdAt'))
      .where((eb) => eb.or([eb('createdAt', '>', $('createdAt')), eb('id', '>', $('id'))]))
      .where('id', '<=', $('through'))
      .orderBy('createdAt')
      .orderBy('id')
      .limit($('limit'))
      .select(['id', ...copiedColumns]),
  )
}

/** The highest id of the notes of an issue, 0 if it has none. */
export async function findLastNoteId(q: Queries, args: { issueId: number }): Promise<number> {
  const row = await q.first('issue-copies.last-note', args, (db, $) =>
    db
      .selectFrom('notes')
      .where('noteableType', '=', 'issue')
      .where('noteableId', '=', $('issueId'))
      .select((eb) => eb.fn.max('id').as('id')),
  )
  return row?.id ?? 0
}

/**
 * Inserts notes on the copy of an issue, in their order, with the mentions in them and their awards.
 * Four statements.
 */
export async function copyNotes(
  tx: Transaction,
  { from, to }: { from: number; to: IssueCopyKey },
  notes: readonly CopiedNote[],
): Promise<void> {
  if (notes.length === 0) return
  const ids = await insertNotes(tx, to, notes)
  const pairs = jsonText(notes.map(({ id }, index) => [id, ids[index]]))
  const args = { from, ...to, pairs }
  const pair = { was: sql`item.value->>0`, is: sql`item.value->>1` }
  await tx.run(
    'issue-copies.note-mentions',
    args,
    (_, $) => sql`insert into mentions ("targetType", "targetId", "noteId", "userId")
      select ${asText($('type'))}, ${asBigint($('id'))}, cast(${pair.is} as bigint), m."userId"
      from ${jsonElements(tx, $('pairs'))}
      join mentions as m on m."noteId" = cast(${pair.was} as bigint)
      where m."targetType" = 'issue' and m."targetId" = ${$('from')}`,
  )
  await tx.run(
    'issue-copies.note-awards',
    args,
    (_, $) => sql`insert into awards
        ("targetType", "targetId", "projectId", "userId", name, "createdAt", "updatedAt")
      select 'note', cast(${pair.is} as bigint), ${asBigint($('projectId'))}, a."userId", a.name,
        a."createdAt", a."updatedAt"
      from ${jsonElements(tx, $('pairs'))}
      join awards as a on a."targetId" = cast(${pair.was} as bigint) and a."targetType" = 'note'
      order by a.id`,
  )
  const by = notes.filter(({ system }) => system === 0).length
  await addToCount(tx, { type: to.type, count: 'userNotesCount', ids: [to.id], by })
}

/** Returns their ids, in order. */
async function insertNotes(
  tx: Transaction,
  { type, id, projectId }: IssueCopyKey,
  notes: readonly CopiedNote[],
): Promise<number[]> {
  const rows = jsonText(notes.map((note) => copiedColumns.map((name) => note[name])))
  const args = { type, id, projectId, rows }
  const columns = sql.join(copiedColumns.map((name) => sql.ref(name)))
  const values = sql.join(
    copiedColumns.map((name, index) => {
      const value = sql`item.value->>${sql.lit(index)}`
      return numeric.has(name) ? sql`cast(${value} as bigint)` : value
    }),
  )
  const inserted = await tx.all(
    'issue-copies.insert-notes',
    args,
    (_, $) => sql<{ id: number }>`
      insert into notes ("noteableType", "noteableId", "projectId", ${columns})
      select ${asText($('type'))}, ${asBigint($('id'))}, ${asBigint($('projectId'))}, ${values}
      from ${jsonElements(tx, $('rows'))}
      returning id`,
  )
  // Ids are given in the order of the rows, but not necessarily returned so.
  return inserted.map((row) => row.id).toSorted((a, b) => a - b)
}

/** Copies the awards of an issue, with their numbers, to its copy. */
export async function copyAwards(
  tx: Transaction,
  { from, to }: { from: Pick<Row<'issues'>, 'id' | 'upvotes' | 'downvotes'>; to: IssueCopyKey },
): Promise<void> {
  await tx.run('issue-copies.awards', { from: from.id, ...to }, (db, $) =>
    db
      .insertInto('awards')
      .columns(['targetType', 'targetId', 'projectId', 'userId', 'name', 'createdAt', 'updatedAt'])
      .expression((eb) =>
        eb
          .selectFrom('awards')
          .where('targetType', '=', 'issue')
          .where('targetId', '=', $('from'))
          .orderBy('id')
          .select([
            asText($('type')).as('a'),
            asBigint($('id')).as('b'),
            asBigint($('projectId')).as('c'),
            'userId',
            'name',
            'createdAt',
            'updatedAt',
          ]),
      ),
  )
  const { upvotes, downvotes } = from
  await updateItemRow(tx, to, { upvotes, downvotes })
}

/** Copies the mentions in the title and description of an issue to its copy. */
export async function copyMentions(
  tx: Transaction,
  { from, to }: { from: number; to: IssueCopyKey },
): Promise<void> {
  await tx.run('issue-copies.mentions', { from, type: to.type, id: to.id }, (db, $) =>
    db
      .insertInto('mentions')
      .columns(['targetType', 'targetId', 'noteId', 'userId'])
      .expression((eb) =>
        eb
          .selectFrom('mentions')
          .where('targetType', '=', 'issue')
          .where('targetId', '=', $('from'))
          .where('noteId', '=', 0)
          .select([asText($('type')).as('a'), asBigint($('id')).as('b'), 'noteId', 'userId']),
      ),
  )
}

/** Copies who chose to be, or not to be, subscribed to an issue. */
export async function copySubscriptions(
  tx: Transaction,
  { from, to, at }: { from: number; to: IssueCopyKey; at: number },
): Promise<void> {
  await tx.run('issue-copies.subscriptions', { from, type: to.type, id: to.id, at }, (db, $) =>
    db
      .insertInto('subscriptions')
      .columns(['targetType', 'targetId', 'userId', 'subscribed', 'createdAt'])
      .expression((eb) =>
        eb
          .selectFrom('subscriptions')
          .where('targetType', '=', 'issue')
          .where('targetId', '=', $('from'))
          .select([
            asText($('type')).as('a'),
            asBigint($('id')).as('b'),
            'userId',
            'subscribed',
            asBigint($('at')).as('c'),
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

interface ReferenceCopy {
  from: number
  to: IssueCopyKey
}

/** Copies the cross references from and to the original; adds no system notes. */
export async function copyReferences(tx: Transaction, copy: ReferenceCopy): Promise<void> {
  await copyNaming(tx, copy)
  await copyNamed(tx, copy)
}

async function copyNaming(tx: Transaction, { from, to }: ReferenceCopy): Promise<void> {
  const { type, projectId } = to
  const args = { from: String(from), type, key: String(to.id), projectId }
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
            asText($('type')).as('a'),
            asText($('key')).as('b'),
            asBigint($('projectId')).as('c'),
            'createdAt',
          ]),
      )
      .onConflict((conflict) => conflict.doNothing()),
  )
}

async function copyNamed(tx: Transaction, { from, to }: ReferenceCopy): Promise<void> {
  await tx.run('issue-copies.named', { from, type: to.type, id: to.id }, (db, $) =>
    db
      .insertInto('crossReferences')
      .columns(referenceColumns)
      .expression((eb) =>
        eb
          .selectFrom('crossReferences')
          .where('targetType', '=', 'issue')
          .where('targetId', '=', $('from'))
          .select([
            asText($('type')).as('a'),
            asBigint($('id')).as('b'),
            'sourceType',
            'sourceKey',
            'sourceProjectId',
            'createdAt',
          ]),
      )
      .onConflict((conflict) => conflict.doNothing()),
  )
}
