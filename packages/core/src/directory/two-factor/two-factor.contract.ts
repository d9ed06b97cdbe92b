import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, nonEmptyText, optional } from '../../platform/contract/fields.ts'
import { maxPasswordLength } from '../users/user.rules.ts'
import { NewTwoFactor, RecoveryCodes, TwoFactor } from './two-factor.schema.ts'

const own = { on: 'instance', ability: 'update_own_settings' } as const

const code = () => nonEmptyText({ max: 64 })

/** Proof that the user is who sends the request, and not just someone who has found a token. */
const proof = {
  body: z.object(optional({ otp: code(), password: nonEmptyText({ max: maxPasswordLength }) })),
  constraints: [{ atLeastOneOf: ['otp', 'password'] }],
} as const

/** Two-factor authentication: users sign in with a code (RFC 6238) besides their password. */
export const twoFactorContract = {
  show: endpoint({
    name: 'users.twoFactor.show',
    method: 'GET',
    path: '/user/two_factor',
    response: { 200: TwoFactor },
    auth: { scope: ['api', 'read_user'] },
    docs: { summary: 'Show whether two-factor authentication of the current user is on' },
  }),
  create: endpoint({
    name: 'users.twoFactor.create',
    method: 'POST',
    path: '/user/two_factor',
    response: { 201: NewTwoFactor },
    auth: own,
    errors: ['bad_request'],
    docs: {
      summary: 'Set up an authenticator app for the current user',
      description:
        'The secret is only in this response. It has no effect until a code of the app is ' +
        'confirmed; until then, another call replaces it.',
    },
  }),
  confirm: endpoint({
    name: 'users.twoFactor.confirm',
    method: 'POST',
    path: '/user/two_factor/confirm',
    body: z.object({ otp: code() }),
    response: { 200: RecoveryCodes },
    auth: own,
    errors: ['bad_request'],
    docs: {
      summary: 'Turn two-factor authentication of the current user on',
      description:
        'With a code of the app that was set up. Returns recovery codes, which are not shown ' +
        'again. Passwords alone are refused from now on, also for Git; tokens work as before.',
    },
  }),
  delete: endpoint({
    name: 'users.twoFactor.delete',
    method: 'DELETE',
    path: '/user/two_factor',
    ...proof,
    response: { 204: null },
    auth: own,
    errors: ['bad_request'],
    docs: { summary: 'Turn two-factor authentication of the current user off' },
  }),
  createRecoveryCodes: endpoint({
    name: 'users.twoFactor.recoveryCodes.create',
    method: 'POST',
    path: '/user/two_factor/recovery_codes',
    ...proof,
    response: { 201: RecoveryCodes },
    auth: own,
    errors: ['bad_request'],
    docs: {
      summary: 'Create recovery codes for the current user',
      description: 'They replace the earlier ones, and are not shown again.',
    },
  }),
  disable: endpoint({
    name: 'users.twoFactor.disable',
    method: 'PATCH',
    path: '/users/:id/disable_two_factor',
    params: z.object({ id: integer({ min: 1 }) }),
    response: { 204: null },
    auth: { on: 'instance', ability: 'administer' },
    errors: ['bad_request', 'forbidden', 'not_found'],
    docs: {
      summary: 'Turn two-factor authentication of a user off',
      description: 'Not of administrators, who do it themselves.',
    },
  }),
}
