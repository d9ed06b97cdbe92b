import type { PushData, RefUpdate } from '@stithy/core'

/** The payload of a push for the jobs that follow it. */
export interface RecordedPush {
  /** Unique, so that jobs process it once. */
  key: string
  projectId: number
  userId: number
  updates: readonly RefUpdate[]
  /** Push options (`git push -o`), such as `ci.skip`. */
  options: readonly string[]
  /** Milliseconds since the epoch. */
  pushedAt: number
  /** The default branch and its tip after the refs moved: new branches are compared with it. */
  defaultBranch: string | null
  head: string | null
}

declare module '../../platform/changes/change.ts' {
  interface Changes {
    /** Branches or tags were created, moved or deleted, by `git push` or by a call of the API. */
    'refs.moved': {
      userId: number
      push: RecordedPush
      /** One for each moved branch or tag. */
      data: readonly PushData[]
      /** Whether the repository was empty before. */
      isFirst: boolean
    }
  }
}
