import {
  type ActivityEvent,
  type EventNote,
  eventActionName,
  isAboutNote,
  type PushData,
  targetTypeName,
  type UserRef,
} from '@stithy/core'
import type { EventTarget, NoteRow, Row } from '@stithy/store'
import { instantText } from '../http/instant.ts'
import { presentEventNote } from '../notes/note.presenter.ts'

/** What events are presented with. */
export interface EventContext {
  /** All authors of the events and of their notes. */
  authors: ReadonlyMap<number, UserRef>
  /** The notes that events tell of, by id; those that were deleted are not among them. */
  notes: ReadonlyMap<number, NoteRow>
  /** What the events and notes are about, by `targetKey`; what is gone is not among them. */
  targets: EventTargets
}

export type EventTargets = ReadonlyMap<string, EventTarget>

/** Tells targets of all types apart. */
export function targetKey(type: string | null, id: number | null): string {
  return `${type} ${id}`
}

/** Events as they go over the wire (document 1, Activity event). */
export function presentEvents(
  rows: readonly Row<'events'>[],
  context: EventContext,
): ActivityEvent[] {
  return rows.flatMap((row) => {
    const author = context.authors.get(row.authorId)
    return author === undefined ? [] : [presentEvent(row, author, context)]
  })
}

/** The note that an event tells of, as long as there is one. */
function noteOf(
  row: Row<'events'>,
  { authors, notes, targets }: EventContext,
): EventNote | undefined {
  if (!isAboutNote(row.targetType) || row.targetId === null) return undefined
  const note = notes.get(row.targetId)
  const iid = note && targets.get(targetKey(note.noteableType, note.noteableId))?.iid
  return note && presentEventNote(note, { authors, iid: iid ?? null })
}

function presentEvent(row: Row<'events'>, author: UserRef, context: EventContext): ActivityEvent {
  const push = presentPush(row)
  const note = noteOf(row, context)
  const target = context.targets.get(targetKey(row.targetType, row.targetId))
  // What is gone has no id (decisions: events of a deleted target).
  const isGone = note === undefined && target === undefined && !isKept(row.targetType)
  const targetId = isGone ? null : row.targetId
  return {
    id: row.id,
    title: null,
    project_id: row.projectId,
    action_name: eventActionName(row.action, row.targetType, row.pushAction),
    target_id: targetId,
    target_iid: targetId === null ? null : (target?.iid ?? targetId),
    target_type: row.targetType === null ? null : targetTypeName(row.targetType),
    author_id: row.authorId,
    target_title: target?.title ?? row.targetTitle,
    created_at: instantText(row.createdAt),
    author,
    author_username: author.username,
    ...(note === undefined ? {} : { note }),
    ...(push === undefined ? {} : { push_data: push }),
  }
}

/** Whether a target of this type is there as long as its event. */
function isKept(type: Row<'events'>['targetType']): boolean {
  return type === null || type === 'project'
}

function presentPush(row: Row<'events'>): PushData | undefined {
  const { pushAction, refType, ref } = row
  if (pushAction === null || refType === null || ref === null) return undefined
  return {
    commit_count: row.commitCount ?? 0,
    action: pushAction,
    ref_type: refType,
    commit_from: row.commitFrom,
    commit_to: row.commitTo,
    ref,
    commit_title: row.commitTitle,
  }
}
