import { z } from 'zod'

/** Whether a user signs in with a second factor. */
export const TwoFactor = z.object({
  enabled: z.boolean(),
  recovery_codes_left: z.int(),
})
export type TwoFactor = z.output<typeof TwoFactor>

/** What an authenticator app needs to compute codes. */
export const NewTwoFactor = z.object({
  /** Base32. */
  secret: z.string(),
  /** The secret with the names of server and account, to show as a QR code. */
  otpauth_url: z.string(),
})
export type NewTwoFactor = z.output<typeof NewTwoFactor>

/** Codes that replace one of the authenticator app, once each. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })
export type RecoveryCodes = z.output<typeof RecoveryCodes>
