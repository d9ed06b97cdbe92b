import { badRequest, type licenseContract, notFound } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { presentLicense } from './license.presenter.ts'
import { findLicense, requireLicense } from './license.service.ts'

export const licenseHandlers: Handlers<typeof licenseContract> = {
  async list({ app }) {
    const license = await findLicense(app)
    if (license === undefined) return []
    const { active_users: _, ...listed } = presentLicense(license)
    return [listed]
  },

  async show({ app }) {
    return presentLicense(await requireLicense(app))
  },

  async create() {
    throw noLicenses()
  },

  async delete({ app, params }) {
    if (params.license_id !== presentLicense(await requireLicense(app)).id) {
      throw notFound('License')
    }
    throw noLicenses()
  },
}

function noLicenses() {
  return badRequest(
    'This server has no license keys: its tier is the setting `tier` (STITHY_TIER) of its configuration',
  )
}
