import type { Row } from '@stithy/store'
import type { TextEffects } from '../../mentions/text-effects.service.ts'
import type { AssigneePlan } from './item-assignees.ts'
import type { ItemChange } from './item-change.ts'
import type { LabelStep } from './item-labels.ts'

/** A change of an item with everything that was looked up for it, without holding locks. */
export interface ItemPlan<More = unknown> {
  /** The permitted part of the requested change, with validated texts. */
  change: ItemChange
  assignees: AssigneePlan | undefined
  labels: readonly LabelStep[]
  /** The new milestone; null removes it, undefined keeps it. */
  milestone: Row<'milestones'> | null | undefined
  /** The mentions in a new title or description. */
  texts: TextEffects | undefined
  /** The additional part of the plan for this type of item. */
  more: More
}
