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
    const { redirect_uri: redirectUri, ...values } = body
    const { secret, ...row } = await createApplication(app, { ...values, redirectUri })
    return { ...presentApplication(row), secret }
  },

  async delete({ app, params }) {
    await deleteApplication(app, params.id)
    return undefined
  },
}
