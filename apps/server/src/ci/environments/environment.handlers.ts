import type { environmentsContract } from '@stithy/core'
import { listEnvironments } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { presentEnvironment } from './environment.presenter.ts'
import {
  changeEnvironment,
  createEnvironment,
  removeEnvironment,
  requireEnvironment,
  stopEnvironment,
} from './environment.service.ts'

/** The handlers of environments, except for that of a single one with its last deployment. */
export const environmentHandlers: Omit<Handlers<typeof environmentsContract>, 'show'> = {
  async list({ app, subject, query, page }) {
    const { name, search, states: state } = query
    const texts = { name: name || undefined, search: search || undefined }
    const filter = { projectId: subject.row.id, ...texts, state }
    const found = await listEnvironments(app.db, filter, page)
    return { ...found, items: found.items.map(presentEnvironment) }
  },

  async create({ app, subject, body }) {
    return presentEnvironment(await createEnvironment(app, subject.row.id, body))
  },

  async update({ app, subject, params, body }) {
    const environment = await requireEnvironment(app, subject.row.id, params.environment_id)
    return presentEnvironment(await changeEnvironment(app, environment, body))
  },

  async remove({ app, subject, params, headers }) {
    const environment = await requireEnvironment(app, subject.row.id, params.environment_id)
    requireUnmodified(headers, environment.updatedAt)
    await removeEnvironment(app, environment)
  },

  async stop({ app, subject, params }) {
    const environment = await requireEnvironment(app, subject.row.id, params.environment_id)
    return presentEnvironment(await stopEnvironment(app, environment))
  },
}
