import type { versionContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { revision, version } from '../../platform/version.ts'

export const versionHandlers: Handlers<typeof versionContract> = {
  show: async () => ({ version, revision }),
}
