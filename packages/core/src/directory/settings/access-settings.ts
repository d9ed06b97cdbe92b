import { visibilities } from '../../platform/access/level.ts'
import {
  choices,
  flag,
  line,
  longText,
  natural,
  number,
  optionalTexts,
  positive,
  type Setting,
  type SettingTable,
  texts,
} from './setting.ts'

/** Fewest bits of the keys of a type: 0 for any, -1 for none, or a size that such keys have. */
function keySize(type: string, sizes: readonly number[]): Setting<number> {
  const problem = (bits: number) =>
    [-1, 0, ...sizes].includes(bits)
      ? undefined
      : `must be forbidden, allowed, or one of these sizes: ${sizes.join(', ')} bits`
  const bounds = { min: -1, max: 65_536 }
  return number(0, bounds, `Fewest bits of ${type} keys; 0 any, -1 none.`, { acts: true, problem })
}

/** Who may sign up, sign in and call, and how. */
export const accessSettings = {
  signup_enabled: flag(true, 'Visitors may create accounts.', { acts: true }),
  send_user_confirmation_email: flag(false, 'New users confirm their e-mail address first.', {
    acts: true,
  }),
  domain_whitelist: optionalTexts(
    'Domains of the e-mail addresses that may sign up; `*` is a wildcard.',
    {
      acts: true,
    },
  ),
  domain_blacklist_enabled: flag(false, 'Refuses the domains of `domain_blacklist`.', {
    acts: true,
    needs: ['domain_blacklist'],
  }),
  domain_blacklist: texts('Domains whose addresses may not sign up; `*` is a wildcard.', {
    acts: true,
  }),
  after_sign_up_text: longText('Markdown that users see after they signed up.', { acts: true }),
  password_authentication_enabled_for_web: flag(true, 'Users sign in with their password.', {
    acts: true,
  }),
  password_authentication_enabled_for_git: flag(true, 'Passwords are accepted by git over HTTP.', {
    acts: true,
  }),
  require_two_factor_authentication: flag(false, 'All users need a second factor.', {
    acts: true,
    needs: ['two_factor_grace_period'],
  }),
  two_factor_grace_period: number(48, natural, 'Hours until they must have set it up.', {
    acts: true,
  }),
  session_expire_delay: number(
    10_080,
    natural,
    'Minutes that new sessions last; 0 until the browser is closed.',
    {
      acts: true,
      restart: true,
    },
  ),
  disabled_oauth_sign_in_sources: texts('Providers with which nobody may sign in.'),
  user_oauth_applications: flag(true, 'Users may register OAuth applications.', { acts: true }),
  enforce_terms: flag(false, 'Users accept the terms before they go on.', {
    acts: true,
    needs: ['terms'],
  }),
  terms: longText('Markdown of the terms of service.', { acts: true }),
  user_default_external: flag(false, 'New users are external.', { acts: true }),
  user_default_internal_regex: line('New users whose address matches are not external.'),
  restricted_visibility_levels: choices(
    visibilities,
    [],
    'Visibilities that only administrators may give.',
    { acts: true },
  ),
  rsa_key_restriction: keySize('RSA', [1024, 2048, 3072, 4096]),
  dsa_key_restriction: keySize('DSA', [1024, 2048, 3072]),
  ecdsa_key_restriction: keySize('ECDSA', [256, 384, 521]),
  ed25519_key_restriction: keySize('Ed25519', [256]),
  authorized_keys_enabled: flag(true, 'Keys are written to an `authorized_keys` file.'),
  user_show_add_ssh_key_message: flag(true, 'Users without a key are told to add one.'),
  unique_ips_limit_enabled: flag(false, 'Limits the addresses that a user calls from.', {
    acts: true,
    needs: ['unique_ips_limit_per_user', 'unique_ips_limit_time_window'],
  }),
  unique_ips_limit_per_user: number(10, positive, 'Addresses of a user at the same time.', {
    acts: true,
  }),
  unique_ips_limit_time_window: number(3600, natural, 'Seconds that an address counts.', {
    acts: true,
  }),
  throttle_unauthenticated_enabled: flag(false, 'Limits the requests of an address.', {
    acts: true,
    needs: [
      'throttle_unauthenticated_requests_per_period',
      'throttle_unauthenticated_period_in_seconds',
    ],
  }),
  throttle_unauthenticated_requests_per_period: number(3600, positive, 'Requests of an address.', {
    acts: true,
  }),
  throttle_unauthenticated_period_in_seconds: number(3600, positive, 'Seconds of that limit.', {
    acts: true,
  }),
  throttle_authenticated_api_enabled: flag(false, 'Limits the API requests of a user.', {
    acts: true,
    needs: [
      'throttle_authenticated_api_requests_per_period',
      'throttle_authenticated_api_period_in_seconds',
    ],
  }),
  throttle_authenticated_api_requests_per_period: number(7200, positive, 'Requests of a user.', {
    acts: true,
  }),
  throttle_authenticated_api_period_in_seconds: number(3600, positive, 'Seconds of that limit.', {
    acts: true,
  }),
  throttle_authenticated_web_enabled: flag(false, 'Limits the page requests of a user.', {
    acts: true,
    needs: [
      'throttle_authenticated_web_requests_per_period',
      'throttle_authenticated_web_period_in_seconds',
    ],
  }),
  throttle_authenticated_web_requests_per_period: number(7200, positive, 'Requests of a user.', {
    acts: true,
  }),
  throttle_authenticated_web_period_in_seconds: number(3600, positive, 'Seconds of that limit.', {
    acts: true,
  }),
  recaptcha_enabled: flag(false, 'Asks for a captcha at sign-up.', {
    needs: ['recaptcha_site_key', 'recaptcha_private_key'],
  }),
  recaptcha_site_key: line('Site key of the captcha service.'),
  recaptcha_private_key: line('Private key of the captcha service.', { secret: true }),
  allow_group_owners_to_manage_ldap: flag(true, 'Group owners may link groups with LDAP.', {
    tier: 'premium',
  }),
} as const satisfies SettingTable
