import type { applicationsContract } from '@stithy/core'
import { listApplications } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { presentApplication } from './application.presenter.ts'
import { createApplication, deleteApplication } from './application.service.ts'

export const applicationHandlers: Handlers<typeof applicationsContract> = {
  async list({ app }) {
    return (await listApplications(app.db)).map(presentApplication)
  },

  async create({ app, body }) {
    const { redirect_uri: redirectUri, trusted, ...values } = body
    const request = { ...values, redirectUri }
    const { secret, ...row } = await createApplication(app, request, { ownerId: null, trusted })
    return { ...presentApplication(row), secret }
  },

  async delete({ app, params }) {
    await deleteApplication(app, params.id)
    return undefined
  },
}
