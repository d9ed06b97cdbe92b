import type { versionContract } from '@stithy/core'
import type { Handlers } from '../http/call.ts'
import { revision, version } from './version.ts'

export const versionHandlers: Handlers<typeof versionContract> = {
  show: async () => ({ version, revision }),
}
