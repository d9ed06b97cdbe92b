import type { Labelable } from '@stithy/store'

/** Ids of the labels added to and removed from an item. */
export interface LabelChange {
  added: readonly number[]
  removed: readonly number[]
}

declare module '../../platform/changes/change.ts' {
  interface Changes {
    'item.labeled': LabelChange & { userId: number; target: Labelable }
  }
}
