import type { SystemNote } from '@stithy/core'
import type { TextEffects } from '../../mentions/text-effects.service.ts'
import type { EpicItem, IssueItem, Item, MergeRequestItem, PlannedItem } from '../item.ts'
import type { Assigned } from './item-assignees.ts'

/** A user's action on an item, with its system notes. */
export interface ItemRecord<I extends Item> {
  userId: number
  /** As it is after the change. */
  item: I
  notes: readonly SystemNote[]
}

/** A change of state. */
interface ItemTransition<I extends PlannedItem> extends ItemRecord<I> {
  before: I
  /** Whether nobody is told by mail. */
  isSilent?: boolean | undefined
}

/** A change of fields, assignees or labels. */
export interface ItemUpdate<I extends PlannedItem> extends ItemTransition<I> {
  /** Undefined if the assignees did not change. */
  assigned: Assigned | undefined
  /** The previous label ids; undefined if the labels did not change. */
  previousLabelIds: readonly number[] | undefined
  /** The mentions in a new title or description. */
  texts: TextEffects | undefined
  /** Whether the change marks the user's pending todos about the item as done. */
  finishesTodos: boolean
}

interface ItemCreation<I extends PlannedItem> extends ItemRecord<I> {
  /** Undefined if mentions have no effect and nobody is told by mail, as in a copy. */
  texts: TextEffects | undefined
  /** Ids of users who take part in what it was made of, and are told of it. */
  participantIds?: readonly number[] | undefined
}

declare module '../../../platform/changes/change.ts' {
  interface Changes {
    'issue.created': ItemCreation<IssueItem>
    'issue.updated': ItemUpdate<IssueItem>
    'issue.closed': ItemTransition<IssueItem>
    'issue.reopened': ItemTransition<IssueItem>
    'issue.deleted': { item: IssueItem }
    /** The item is the copy in another project, in which the source is closed afterwards. */
    'issue.moved': { userId: number; source: IssueItem; item: IssueItem }
    'merge_request.created': ItemCreation<MergeRequestItem>
    'merge_request.updated': ItemUpdate<MergeRequestItem>
    'merge_request.closed': ItemTransition<MergeRequestItem>
    'merge_request.reopened': ItemTransition<MergeRequestItem>
    'merge_request.merged': ItemTransition<MergeRequestItem>
    'epic.created': ItemCreation<EpicItem>
    'epic.updated': ItemUpdate<EpicItem>
    'epic.closed': ItemTransition<EpicItem>
    'epic.reopened': ItemTransition<EpicItem>
    'epic.deleted': { item: EpicItem }
    /** A change that only writes system notes: a link, a move, a branch created for an issue. */
    'item.noted': ItemRecord<Item>
  }
}
