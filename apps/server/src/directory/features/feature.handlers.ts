import type { featuresContract } from '@stithy/core'
import { listFeatures } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { presentFeature } from './feature.presenter.ts'
import { removeFeature, setFeature } from './feature.service.ts'

export const featureHandlers: Handlers<typeof featuresContract> = {
  async list({ app }) {
    return (await listFeatures(app.db)).map(presentFeature)
  },

  async set({ app, params, body }) {
    return presentFeature(await setFeature(app, params.name, body))
  },

  async delete({ app, params }) {
    await removeFeature(app, params.name)
    return undefined
  },
}
