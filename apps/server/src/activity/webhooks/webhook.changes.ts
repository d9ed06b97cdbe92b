import type { HookOwner } from '@stithy/store'

declare module '../../platform/changes/change.ts' {
  interface Changes {
    /** A webhook was added, changed or removed. */
    'webhook.changed': {
      owner: HookOwner
      webhookId: number
      /** Of its URL, whose other parts may contain secrets. */
      host: string
      action: 'add' | 'change' | 'remove'
    }
  }
}
