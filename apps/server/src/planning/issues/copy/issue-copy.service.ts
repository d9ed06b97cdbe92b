import { createHash } from 'node:crypto'
import {
  type CopiedNote,
  copyAwards,
  copyMentions,
  copyNotes,
  copyReferences,
  enqueueJob,
  findLastNoteId,
  type IssueCopyKey,
  listIssueNotes,
  type NotePlace,
  type NoteRange,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { ItemChangeBy } from '../../items/changes/work-item-type.ts'
import type { EpicItem, IssueItem, ItemPlace } from '../../items/item.ts'
import { type LabelPlan, loadLabels, planLabels } from '../../labels/labelling.service.ts'
import { withMilestoneSources } from './copied-system-notes.service.ts'
import { planRewrite, type Rewrite } from './copied-text.ts'

/** What a copy of an issue gets besides fields of its own, as it will be stored. */
export interface ContentPlan {
  description: string | null
  notes: NoteBatch
}

/** Consecutive notes of an issue, as they will be stored on a copy. */
export interface NoteBatch {
  notes: readonly CopiedNote[]
  /** The last one, or what they come after. */
  last: NotePlace
}

/** The job that copies a batch of notes. */
export const copyNotesKind = 'issues.copy-notes'

/** Notes of an issue that are still to be copied. */
export interface NoteCopying extends NoteRange {
  sourceId: number
  copy: Pick<IssueCopyKey, 'type' | 'id'>
  /** Who made the copy. */
  userId: number
}

/** Notes of one transaction, and the characters after which it takes no more. */
const batch = { notes: 100, characters: 1_000_000 }

/** Before every note: a note may be dated before 1970. */
const beforeAll: NotePlace = { createdAt: Number.MIN_SAFE_INTEGER, id: 0 }

/** Looks up what the copy of an issue in a place gets, but of many notes only the first. */
export async function planContents(
  app: App,
  caller: Caller,
  source: IssueItem,
  place: ItemPlace,
): Promise<ContentPlan> {
  const range = { after: beforeAll, through: Number.MAX_SAFE_INTEGER }
  const notes = await readBatch(app, source, range)
  const { description } = source.row
  const texts = [description ?? '', ...textsOf(notes)]
  const rewrite = await planRewrite(app, caller, source, place, texts)
  return {
    description: description && (await rewrite(description)),
    notes: await planBatch(app, source, place, { notes, last: range.after }, rewrite),
  }
}

/** Looks up a batch of notes for a copy, at least one of those that are still to be copied. */
export async function planNotes(
  app: App,
  caller: Caller,
  source: IssueItem,
  place: ItemPlace,
  range: NoteRange,
): Promise<NoteBatch> {
  const notes = await readBatch(app, source, range)
  const rewrite = await planRewrite(app, caller, source, place, textsOf(notes))
  return planBatch(app, source, place, { notes, last: range.after }, rewrite)
}

async function readBatch(app: App, { row }: IssueItem, range: NoteRange): Promise<CopiedNote[]> {
  const notes = await listIssueNotes(app.db, { issueId: row.id, ...range, limit: batch.notes })
  let characters = 0
  const count = notes.findIndex(({ body }) => {
    const isFull = characters >= batch.characters
    characters += body.length
    return isFull
  })
  return count === -1 ? notes : notes.slice(0, count)
}

/** System notes have no text; they are rendered for the place that they are in. */
function textsOf(notes: readonly CopiedNote[]): string[] {
  return notes.filter(({ system }) => system === 0).map(({ body }) => body)
}

async function planBatch(
  app: App,
  source: IssueItem,
  place: ItemPlace,
  { notes, last }: NoteBatch,
  rewrite: Rewrite,
): Promise<NoteBatch> {
  const rewritten: CopiedNote[] = []
  for (const note of notes) {
    rewritten.push(note.system === 1 ? note : { ...note, body: await rewrite(note.body) })
  }
  const { createdAt, id } = notes.at(-1) ?? last
  return {
    notes: await withMilestoneSources(app, source, place, rewritten),
    last: { createdAt, id },
  }
}

/** The labels of the place with the same titles. Two queries. */
export async function planCopiedLabels(
  app: App,
  caller: Caller,
  { row }: IssueItem,
  place: ItemPlace,
): Promise<LabelPlan> {
  const labels = (await loadLabels(app, 'issue', [row.id])).get(row.id) ?? []
  const titles = labels.map(({ name }) => name)
  return planLabels(app, caller, place, titles, { create: false })
}

/**
 * Writes the contents of a locked issue to its copy: mentions, references, awards and the planned
 * notes. A job copies the others, also those that were written since.
 */
export async function writeContents(
  tx: Transaction,
  { source, copy, plan }: { source: IssueItem; copy: IssueItem | EpicItem; plan: ContentPlan },
  { userId, now }: ItemChangeBy,
): Promise<void> {
  const { type } = copy
  const projectId = copy.type === 'epic' ? null : copy.row.projectId
  const to = { type, id: copy.row.id, projectId }
  const from = source.row.id
  await copyMentions(tx, { from, to })
  await copyReferences(tx, { from, to })
  await copyAwards(tx, { from: source.row, to })
  await writeNotes(tx, { from, to }, plan.notes)
  const after = plan.notes.last
  const through = await findLastNoteId(tx, { issueId: from })
  const rest = { sourceId: from, copy: { type, id: to.id }, after, through, userId }
  await enqueueRest(tx, rest, now)
}

/** Writes a batch of notes to the copy; the notes of a discussion stay together. */
export async function writeNotes(
  tx: Transaction,
  ends: { from: number; to: IssueCopyKey },
  { notes }: NoteBatch,
): Promise<void> {
  const { type, id } = ends.to
  const copied = notes.map((note) => {
    const discussionId = createHash('sha1').update(`${type} ${id} ${note.discussionId}`)
    return { ...note, discussionId: discussionId.digest('hex') }
  })
  await copyNotes(tx, ends, copied)
}

/** Enqueues the job for the notes that are still to be copied, if there are any. */
export async function enqueueRest(
  tx: Transaction,
  payload: NoteCopying,
  now: number,
): Promise<void> {
  const { sourceId: issueId, after, through } = payload
  const rest = await listIssueNotes(tx, { issueId, after, through, limit: 1 })
  if (rest.length === 0) return
  await enqueueJob(tx, { queue: 'default', kind: copyNotesKind, payload }, now)
}
