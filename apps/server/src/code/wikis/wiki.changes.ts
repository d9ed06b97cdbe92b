import type { RefUpdate } from '@stithy/core'

/** What happened to a page. */
export interface WikiPageChange {
  action: 'create' | 'update' | 'delete'
  /** The path of its file, in the commit `commit`. */
  path: string
  /** A commit with the page: for a deleted page the last one. */
  commit: string
  /** The commit that made the change, whose message tells why. */
  changedBy: string
}

declare module '../../platform/changes/change.ts' {
  interface Changes {
    /** The repository of a wiki was written to, by `git push` or by a call of the API. */
    'wiki.changed': {
      userId: number
      projectId: number
      updates: readonly RefUpdate[]
      /** The changed pages of the default branch that webhooks are sent for. */
      pages: readonly WikiPageChange[]
    }
  }
}
