import type { submodulesContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { viewCommit } from '../commits/commit-view.service.ts'
import { updateSubmodule } from './submodule.service.ts'

export const submoduleHandlers: Handlers<typeof submodulesContract> = {
  async update({ app, subject, caller, params, body }) {
    const oid = await updateSubmodule(app, { subject, caller }, params.submodule, body)
    return viewCommit(app, { subject, caller }, oid)
  },
}
