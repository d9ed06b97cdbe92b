import type { PipelineRow } from '@stithy/store'

declare module '../../platform/changes/change.ts' {
  interface Changes {
    'pipeline.status_changed': {
      /** The pipeline after the change. */
      pipeline: PipelineRow
      stages: readonly string[]
    }
    /** A job or an external check failed on a branch. */
    'commit_status.failed': { projectId: number; branch: string; sha: string }
  }
}
