import { describe, expect, it } from 'vitest'
import { settingsErrors } from './settings.rules.ts'
import {
  initialSettings,
  type SettingName,
  type Settings,
  settingAliases,
  settingNames,
  settingOf,
} from './settings.ts'

function errorsOf(changes: Partial<Settings>) {
  const changed = new Set(Object.keys(changes) as SettingName[])
  return settingsErrors({ ...initialSettings, ...changes }, changed)
}

const blank = ["can't be blank"]

describe('the table of settings', () => {
  it('has an initial value of its type for each', () => {
    for (const name of settingNames) {
      const { schema, initial } = settingOf(name)
      expect([name, schema.safeParse(initial).success]).toEqual([name, true])
    }
  })

  it('needs only settings that exist', () => {
    const names: readonly string[] = settingNames
    const needed = settingNames.flatMap((name) => settingOf(name).needs ?? [])
    expect(needed.filter((name) => !names.includes(name))).toEqual([])
    expect(names).toEqual(expect.arrayContaining(Object.values(settingAliases)))
  })

  it('is consistent in a new instance', () => {
    expect(settingsErrors(initialSettings, new Set(settingNames))).toBeUndefined()
  })
})

describe('settingsErrors', () => {
  it.each<[Partial<Settings>, Record<string, string[]>]>([
    [{ recaptcha_enabled: true }, { recaptcha_site_key: blank, recaptcha_private_key: blank }],
    [{ enforce_terms: true }, { terms: blank }],
    [{ domain_blacklist_enabled: true }, { domain_blacklist: blank }],
    [{ external_auth_client_cert: 'PEM' }, { external_auth_client_key: blank }],
    [{ asset_proxy_enabled: true }, { asset_proxy_url: blank }],
    [
      { gitstore_timeout_medium: 5 },
      { gitstore_timeout_medium: ['must be greater than or equal to gitstore_timeout_fast'] },
    ],
    [
      { gitstore_timeout_medium: 60 },
      { gitstore_timeout_default: ['must be greater than or equal to gitstore_timeout_medium'] },
    ],
    [
      { housekeeping_full_repack_period: 5 },
      {
        housekeeping_full_repack_period: [
          'must be greater than or equal to housekeeping_incremental_repack_period',
        ],
      },
    ],
    [
      { housekeeping_gc_period: 49 },
      {
        housekeeping_gc_period: [
          'must be greater than or equal to housekeeping_full_repack_period',
        ],
      },
    ],
    [
      { rsa_key_restriction: 1000 },
      {
        rsa_key_restriction: [
          'must be forbidden, allowed, or one of these sizes: 1024, 2048, 3072, 4096 bits',
        ],
      },
    ],
    [
      {
        rsa_key_restriction: -1,
        dsa_key_restriction: -1,
        ecdsa_key_restriction: -1,
        ed25519_key_restriction: -1,
      },
      { allowed_key_types: blank },
    ],
    [{ home_page_url: 'javascript:alert(1)' }, { home_page_url: ['is not a valid URL'] }],
    [{ after_sign_out_path: '//evil.test/' }, { after_sign_out_path: ['is not a valid URL'] }],
    [{ after_sign_out_path: '/\\evil.test/' }, { after_sign_out_path: ['is not a valid URL'] }],
    [
      { external_authorization_service_timeout: 0.0015 },
      { external_authorization_service_timeout: ['must be a multiple of 0.001'] },
    ],
    [{ admin_notification_email: 'nobody' }, { admin_notification_email: ['is invalid'] }],
  ])('refuses %j', (changes, errors) => {
    expect(errorsOf(changes)).toEqual(errors)
  })

  it.each<[Partial<Settings>]>([
    [{ enforce_terms: true, terms: 'Be kind.' }],
    [{ gitstore_timeout_default: 0, gitstore_timeout_medium: 0 }],
    [{ rsa_key_restriction: 4096, dsa_key_restriction: -1, ecdsa_key_restriction: 521 }],
    [{ home_page_url: 'https://about.example.com/x?y', after_sign_out_path: '/bye' }],
    [{ external_authorization_service_timeout: 0.001 }],
    [{ admin_notification_email: 'abuse@example.com' }],
  ])('accepts %j', (changes) => {
    expect(errorsOf(changes)).toBeUndefined()
  })
})
