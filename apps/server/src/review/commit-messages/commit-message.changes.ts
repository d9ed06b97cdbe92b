import type { CommitItem } from '../../planning/items/item.ts'
import type { TextEffects } from '../../planning/mentions/text-effects.service.ts'

declare module '../../platform/changes/change.ts' {
  interface Changes {
    /** The message of a pushed commit mentions items. */
    'commit.mentions_read': { userId: number; item: CommitItem; texts: TextEffects }
  }
}
