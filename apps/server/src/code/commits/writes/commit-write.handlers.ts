import type { commitWriteEndpoints } from '@stithy/core'
import type { Handlers } from '../../../platform/http/call.ts'
import { viewCommit } from '../commit-view.service.ts'
import { createFromActions } from './commit-create.service.ts'
import { replayOnBranch } from './replay.service.ts'

export const commitWriteHandlers: Handlers<typeof commitWriteEndpoints> = {
  async create({ app, subject, caller, body }) {
    const oid = await createFromActions(app, { subject, caller }, body)
    return viewCommit(app, { subject, caller }, oid, body.stats)
  },

  async cherryPick({ app, subject, caller, params, body }) {
    const request = { kind: 'pick', sha: params.sha, branch: body.branch } as const
    const oid = await replayOnBranch(app, { subject, caller }, request)
    return viewCommit(app, { subject, caller }, oid)
  },

  async revert({ app, subject, caller, params, body }) {
    const request = { kind: 'revert', sha: params.sha, branch: body.branch } as const
    const oid = await replayOnBranch(app, { subject, caller }, request)
    return viewCommit(app, { subject, caller }, oid)
  },
}
