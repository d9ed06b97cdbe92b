import type { twoFactorContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import {
  confirmTwoFactor,
  replaceRecoveryCodes,
  setUpTwoFactor,
  turnOffTwoFactor,
  turnOffTwoFactorOf,
  viewTwoFactor,
} from './two-factor.service.ts'

export const twoFactorHandlers: Handlers<typeof twoFactorContract> = {
  async show({ app, caller }) {
    const { enabled, recoveryCodesLeft } = await viewTwoFactor(app, requireCaller(caller).id)
    return { enabled, recovery_codes_left: recoveryCodesLeft }
  },

  async create({ app, caller }) {
    const { secret, otpauthUrl } = await setUpTwoFactor(app, requireCaller(caller))
    return { secret, otpauth_url: otpauthUrl }
  },

  async confirm({ app, caller, body }) {
    return { recovery_codes: await confirmTwoFactor(app, requireCaller(caller), body) }
  },

  async delete({ app, caller, body, signal }) {
    await turnOffTwoFactor(app, requireCaller(caller), { ...body, signal: signal() })
    return undefined
  },

  async createRecoveryCodes({ app, caller, body, signal }) {
    const codes = await replaceRecoveryCodes(app, requireCaller(caller), {
      ...body,
      signal: signal(),
    })
    return { recovery_codes: codes }
  },

  async disable({ app, params }) {
    await turnOffTwoFactorOf(app, params.id)
    return undefined
  },
}
