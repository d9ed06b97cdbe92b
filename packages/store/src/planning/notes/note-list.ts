import { type Kysely, sql } from 'kysely'
import {
  listUncached,
  type Page,
  type PageRequest,
  totalBehind,
} from '../../platform/queries/page.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import {
  isOn,
  type ListedNoteRow,
  type Noteable,
  type NoteableArgs,
  noteableArgs,
  noteableKey,
  noteColumns,
} from './note-row.ts'

/** Lists a page of the comments on a noteable, oldest first. At most two queries. */
export async function listComments(
  q: Queries,
  noteable: Noteable,
  request: PageRequest,
): Promise<Page<ListedNoteRow>> {
  return listNotes(q, {
    shape: `notes.comments|${noteableKey(noteable)}`,
    args: noteableArgs(noteable),
    from: (db, $) => notesOn(db, $, noteable).where('notes.system', '=', 0),
    request,
  })
}

/** The order of a list of notes. */
export interface NoteOrder {
  by: 'createdAt' | 'updatedAt'
  sort: 'asc' | 'desc'
}

interface NoteFilter {
  /** Ids of notes that the caller may not see. */
  hidden: readonly number[]
  only?: 'comments' | 'system-notes' | undefined
}

/** Lists a page of the notes on a noteable. Two queries. */
export async function listNotesOn(
  q: Queries,
  noteable: Noteable,
  { by, sort, hidden, only }: NoteOrder & NoteFilter,
  request: PageRequest,
): Promise<Page<ListedNoteRow>> {
  return listNotes(q, {
    shape: `notes.list|${noteableKey(noteable)}|${hiddenKey(hidden)}|${only ?? 'all'}`,
    args: { ...noteableArgs(noteable), hidden },
    from: (db, $) => {
      const notes = exclude(hidden, $, notesOn(db, $, noteable))
      return only === undefined
        ? notes
        : notes.where('notes.system', '=', only === 'comments' ? 0 : 1)
    },
    order: { by, sort },
    request,
  })
}

/** Lists a page of one discussion, oldest first. At most two queries. */
export async function listNotesOfDiscussion(
  q: Queries,
  noteable: Noteable,
  discussionId: string,
  request: PageRequest,
): Promise<Page<ListedNoteRow>> {
  return listNotes(q, {
    shape: `notes.ofDiscussion|${noteableKey(noteable)}`,
    args: { ...noteableArgs(noteable), discussionId },
    from: (db, $) => notesOn(db, $, noteable).where('discussionId', '=', $('discussionId')),
    request,
  })
}

type NotesQuery = ReturnType<typeof notesOn>

function notesOn(db: Kysely<Schema>, $: Param<NoteableArgs>, noteable: Noteable) {
  return db.selectFrom('notes').where(isOn(noteable, $))
}

interface HiddenArgs {
  hidden: readonly number[]
}

/** On most noteables nothing is hidden: their queries have no such condition. */
function hiddenKey(hidden: readonly number[]): string {
  return hidden.length === 0 ? 'all' : 'some'
}

/** Leaves the hidden notes out. */
function exclude(hidden: readonly number[], $: Param<HiddenArgs>, query: NotesQuery): NotesQuery {
  if (hidden.length === 0) return query
  return query.where((eb) => eb.not(inList('notes.id', $('hidden'))))
}

interface NoteList<A> {
  shape: string
  args: A
  from: (db: Kysely<Schema>, $: Param<A>) => NotesQuery
  order?: NoteOrder
  request: PageRequest
}

async function listNotes<A extends object>(
  q: Queries,
  { shape, args, from, order = { by: 'createdAt', sort: 'asc' }, request }: NoteList<A>,
): Promise<Page<ListedNoteRow>> {
  const { by, sort } = order
  // Not cached: a noteable has few notes, and every note anywhere would raise a stamp.
  return listUncached(q, request, {
    shape: `${shape}|${by}-${sort}`,
    countShape: shape,
    args,
    from,
    order: (query) => query.orderBy(`notes.${by}`, sort).orderBy('notes.id', sort),
    columns: (query) => query.select(noteColumns),
    key: 'notes.id',
  })
}

/** The notes of one discussion, oldest first; never empty. */
export interface DiscussionRows {
  id: string
  notes: ListedNoteRow[]
}

interface DiscussionFilter {
  /** Ids of notes that the caller may not see. */
  hidden?: readonly number[]
  /** Only those on lines of files, by the hashes of their paths as in line codes. */
  files?: readonly string[] | undefined
}

/**
 * Lists a page of the discussions of a noteable, by their first notes, oldest first. Three queries.
 */
export async function listDiscussions(
  q: Queries,
  noteable: Noteable,
  request: PageRequest,
  { hidden = [], files }: DiscussionFilter = {},
): Promise<Page<DiscussionRows>> {
  const key = `${noteableKey(noteable)}|${hiddenKey(hidden)}|${files === undefined ? 'all' : 'files'}`
  const args = { ...noteableArgs(noteable), hidden, files: files ?? [] }
  const from = (db: Kysely<Schema>, $: Param<typeof args>) => {
    const notes = exclude(hidden, $, notesOn(db, $, noteable))
    return files === undefined
      ? notes
      : notes.where(inList(sql<string>`substr(${sql.ref('notes.lineCode')}, 1, 40)`, $('files')))
  }
  const offset = (request.page - 1) * request.perPage
  const paged = { ...args, limit: request.perPage, offset }
  const rows = await q.all(`discussions.page|${key}`, paged, (db, $) =>
    from(db, $)
      .groupBy('notes.discussionId')
      .select('notes.discussionId')
      .orderBy((eb) => eb.fn.min('notes.createdAt'))
      .orderBy((eb) => eb.fn.min('notes.id'))
      .limit($('limit'))
      .offset($('offset')),
  )
  const count = async () => {
    const counted = await q.first(`discussions.count|${key}`, args, (db, $) =>
      from(db, $).select((eb) => eb.fn.count<number>('notes.discussionId').distinct().as('total')),
    )
    return counted?.total ?? 0
  }
  const total = totalBehind(request, rows.length) ?? (await count())
  const items = await readDiscussions(
    q,
    noteable,
    rows.map((row) => row.discussionId),
  )
  return { items, total, ...request }
}

/** How many discussions come before one in `listDiscussions`. One query. */
export async function countDiscussionsBefore(
  q: Queries,
  noteable: Noteable,
  discussionId: string,
  hidden: readonly number[] = [],
): Promise<number> {
  const key = `${noteableKey(noteable)}|${hiddenKey(hidden)}`
  const args = { ...noteableArgs(noteable), hidden, discussionId }
  const counted = await q.first(`discussions.before|${key}`, args, (db, $) => {
    const first = exclude(hidden, $, notesOn(db, $, noteable))
      .groupBy('notes.discussionId')
      .select((eb) => [
        'notes.discussionId',
        eb.fn.min('notes.createdAt').as('createdAt'),
        eb.fn.min('notes.id').as('id'),
      ])
    return db
      .selectFrom(first.as('each'))
      .innerJoin(first.as('one'), (join) => join.on('one.discussionId', '=', $('discussionId')))
      .where((eb) =>
        eb.or([
          eb('each.createdAt', '<', eb.ref('one.createdAt')),
          eb.and([
            eb('each.createdAt', '=', eb.ref('one.createdAt')),
            eb('each.id', '<', eb.ref('one.id')),
          ]),
        ]),
      )
      .select((eb) => eb.fn.countAll<number>().as('total'))
  })
  return counted?.total ?? 0
}

/** One discussion of a noteable; undefined if it has none with this id. */
export async function findDiscussion(
  q: Queries,
  noteable: Noteable,
  discussionId: string,
): Promise<DiscussionRows | undefined> {
  const [discussion] = await readDiscussions(q, noteable, [discussionId])
  return discussion
}

/** Reads discussions in the order of their ids; those without a note are left out. */
async function readDiscussions(
  q: Queries,
  noteable: Noteable,
  ids: readonly string[],
): Promise<DiscussionRows[]> {
  if (ids.length === 0) return []
  const args = { ...noteableArgs(noteable), ids }
  const rows = await q.all(`discussions.notes|${noteableKey(noteable)}`, args, (db, $) =>
    notesOn(db, $, noteable)
      .where(inList('notes.discussionId', $('ids')))
      .select(noteColumns)
      .orderBy('notes.createdAt')
      .orderBy('notes.id'),
  )
  const notes = Map.groupBy(rows, (row) => row.discussionId)
  return ids.flatMap((id) => {
    const found = notes.get(id)
    return found === undefined ? [] : [{ id, notes: found }]
  })
}

/** One note on a noteable, of any discussion. */
export function findNoteOn(
  q: Queries,
  noteable: Noteable,
  noteId: number,
): Promise<ListedNoteRow | undefined> {
  const args = { ...noteableArgs(noteable), noteId }
  return q.first(`notes.find-on|${noteableKey(noteable)}`, args, (db, $) =>
    notesOn(db, $, noteable).where('notes.id', '=', $('noteId')).select(noteColumns),
  )
}

/** One note of one discussion on a noteable. */
export function findNote(
  q: Queries,
  noteable: Noteable,
  key: { discussionId: string; noteId: number },
): Promise<ListedNoteRow | undefined> {
  const args = { ...noteableArgs(noteable), ...key }
  return q.first(`notes.find|${noteableKey(noteable)}`, args, (db, $) =>
    notesOn(db, $, noteable)
      .where('notes.id', '=', $('noteId'))
      .where('notes.discussionId', '=', $('discussionId'))
      .select(noteColumns),
  )
}

/** Notes by their ids, in no particular order; deleted ones are left out. */
export function listNotesById(q: Queries, ids: readonly number[]): Promise<ListedNoteRow[]> {
  return q.all('notes.byIds', { ids }, (db, $) =>
    db
      .selectFrom('notes')
      .where(inList('notes.id', $('ids')))
      .select(noteColumns),
  )
}
