import { discussionPolicy } from '@stithy/core'
import type { DiscussionRows } from '@stithy/store'
import { type SubjectRequest, subjectType } from '../../platform/http/subjects.ts'
import type { Item } from '../items/item.ts'
import { noteableFacts } from '../notes/note-subject.ts'
import { findVisibleDiscussion } from './discussion.service.ts'

/** A discussion and its item. */
export interface DiscussionSubject {
  item: Item
  rows: DiscussionRows
}

declare module '../../platform/http/subjects.ts' {
  interface Subjects {
    discussion: DiscussionSubject
  }
}

/** The discussion of `:discussion_id`. */
export const discussionSubjectType = subjectType({
  policy: discussionPolicy,
  find,
  factsOf: ({ item }: DiscussionSubject) => noteableFacts(item),
})

async function find({
  app,
  caller,
  params,
  parent: item,
}: SubjectRequest<Item>): Promise<DiscussionSubject | undefined> {
  const rows = await findVisibleDiscussion(app, caller, item, String(params.discussion_id))
  return rows && { item, rows }
}
