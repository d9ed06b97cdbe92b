import { type NoteableFacts, notePolicy } from '@stithy/core'
import type { ListedNoteRow } from '@stithy/store'
import { type SubjectRequest, subjectType } from '../../platform/http/subjects.ts'
import type { Item } from '../items/item.ts'
import { findVisibleNote } from './note-lookup.service.ts'

/** A note and its item. */
export interface NoteSubject {
  item: Item
  row: ListedNoteRow
}

declare module '../../platform/http/subjects.ts' {
  interface Subjects {
    note: NoteSubject
  }
}

/** The note of `:note_id`, within the discussion of `:discussion_id` if the path has one. */
export const noteSubjectType = subjectType({
  policy: notePolicy,
  find,
  factsOf: ({ item, row }: NoteSubject) => ({
    ...noteableFacts(item),
    authorId: row.authorId,
    system: row.system === 1,
  }),
})

async function find({
  app,
  caller,
  params,
  parent: item,
}: SubjectRequest<Item>): Promise<NoteSubject | undefined> {
  const { discussion_id: discussionId } = params
  const row = await findVisibleNote(app, caller, item, {
    noteId: Number(params.note_id),
    discussionId: discussionId === undefined ? undefined : String(discussionId),
  })
  return row && { item, row }
}

/** The facts of an item for the policies of notes and discussions. */
export function noteableFacts(item: Item): NoteableFacts {
  if (item.type === 'epic') return { scope: { group: item.group.facts } }
  if (item.project === undefined) throw new Error('personal snippets take no notes and awards')
  const scope = { project: item.project.facts }
  return item.type === 'merge_request' ? { scope, requestAuthorId: item.row.authorId } : { scope }
}
