import type { AttributeChange } from '../../platform/changes/attribute-change.ts'

declare module '../../platform/changes/change.ts' {
  interface Changes {
    /** Values are JSON, cut if they are long; a mask stands for secrets. */
    'settings.updated': { changes: readonly AttributeChange[] }
  }
}
