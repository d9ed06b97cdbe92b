import { awardPolicy } from '@stithy/core'
import { type AwardRow, findAward } from '@stithy/store'
import { type SubjectRequest, subjectType } from '../../platform/http/subjects.ts'
import { type NoteSubject, noteableFacts } from '../notes/note-subject.ts'
import { type AwardableItem, toAwardable } from './award.service.ts'

/** An award emoji with its target. */
export interface AwardSubject {
  target: AwardableSubject
  row: AwardRow
}

/** The target of awards: an item, or a note on one. */
export type AwardableSubject = AwardableItem | NoteSubject

declare module '../../platform/http/subjects.ts' {
  interface Subjects {
    award: AwardSubject
  }
}

/** The award of `:award_id`. */
export const awardSubjectType = subjectType({
  policy: awardPolicy,
  find,
  factsOf: ({ target, row }: AwardSubject) => {
    const { item } = itemAndNote(target)
    const { scope } = noteableFacts(item)
    return { scope, userId: row.userId }
  },
})

async function find({
  app,
  params,
  parent: target,
}: SubjectRequest<AwardableSubject>): Promise<AwardSubject | undefined> {
  const row = await findAward(app.db, { ...awardKey(target), id: Number(params.award_id) })
  return row && { target, row }
}

/** The item, and the note on it where that is what is awarded. */
export function itemAndNote(target: AwardableSubject) {
  if ('type' in target) return { item: target, note: undefined }
  const { item, row: note } = target
  if (item.type === 'commit') throw new Error('notes on commits take no awards')
  return { item, note }
}

/** The columns by which awards refer to their target. */
export function awardKey(target: AwardableSubject) {
  const { item, note } = itemAndNote(target)
  const { type: targetType, id: targetId } = toAwardable(item, note)
  return { targetType, targetId }
}
