import type { lintContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { lintConfiguration } from './lint.service.ts'

export const lintHandlers: Handlers<typeof lintContract> = {
  check: ({ body }) => lintConfiguration(body.content),
}
