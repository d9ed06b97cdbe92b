import {
  type ActivityEvent,
  type EventNote,
  eventActionName,
  isAboutNote,
  type PushData,
  targetTypeName,
  type UserRef,
} from '@stithy/core'
import type { EventTarget, Row } from '@stithy/store'
import { presentEventNote } from '../../planning/notes/note.presenter.ts'
import type { ShownNoteRow } from '../../planning/notes/note-bodies.ts'
import { timestampText } from '../../platform/http/timestamp.ts'

/** Rows that events are presented with. */
export interface EventContext {
  /** All authors of the events and of their notes. */
  authors: ReadonlyMap<number, UserRef>
  /** The notes that events are about, by id, without deleted ones. */
  notes: ReadonlyMap<number, ShownNoteRow>
  /** The rendered texts of the system notes among those, by id. */
  texts: ReadonlyMap<number, string>
  /** The targets of events and notes, by `targetKey`; deleted ones are missing. */
  targets: EventTargets
}

export type EventTargets = ReadonlyMap<string, EventTarget>

/** Builds a key that is unique across target types. */
export function targetKey(type: string | null, id: number | null): string {
  return `${type} ${id}`
}

/** Presents events. */
export function presentEvents(
  rows: readonly Row<'events'>[],
  context: EventContext,
): ActivityEvent[] {
  return rows.flatMap((row) => {
    const author = context.authors.get(row.authorId)
    return author === undefined ? [] : [presentEvent(row, author, context)]
  })
}

/** The note that an event is about, unless it was deleted. */
function noteOf(
  row: Row<'events'>,
  { authors, notes, texts, targets }: EventContext,
): EventNote | undefined {
  if (!isAboutNote(row.targetType) || row.targetId === null) return undefined
  const note = notes.get(row.targetId)
  const iid = note && targets.get(targetKey(note.noteableType, note.noteableId))?.iid
  return note && presentEventNote(note, { authors, texts, iid: iid ?? null })
}

function presentEvent(row: Row<'events'>, author: UserRef, context: EventContext): ActivityEvent {
  const push = presentPush(row)
  const note = noteOf(row, context)
  const target = context.targets.get(targetKey(row.targetType, row.targetId))
  // A deleted target has no id.
  const isDeleted = note === undefined && target === undefined && !outlivesTarget(row.targetType)
  const targetId = isDeleted ? null : row.targetId
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
    created_at: timestampText(row.createdAt),
    author,
    author_username: author.username,
    ...(note === undefined ? {} : { note }),
    ...(push === undefined ? {} : { push_data: push }),
  }
}

/** Whether a target of this type always exists as long as its event. */
function outlivesTarget(type: Row<'events'>['targetType']): boolean {
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
