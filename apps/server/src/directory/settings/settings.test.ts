import { initialSettings, settingNames, settingOf } from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSettings } from '../../platform/settings/settings-cache.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

/*
 * - administrators read and change all settings, by query string or body; others 403, anonymous 401
 * - every parameter is optional, none known is 400
 * - a flag that is on wants its settings not blank
 * - aliases exclude each other
 * - a secret is masked in answers, encrypted at rest, and stays when the mask is sent back
 * - the performance bar's group is set by its path, and cleared by `performance_bar_enabled`
 */

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const path = '/application/settings'
const show = async (of = server) => (await of.inject('GET', path, { token: of.root.token })).body
/** An answer without the names that exclude each other in requests. */
function sendable({ signin_enabled, password_authentication_enabled, ...settings }: Json): Json {
  return settings
}
const put = (body: unknown, of = server) => of.inject('PUT', path, { token: of.root.token, body })

describe('GET /application/settings', () => {
  it('answers every setting with its initial value, and when the instance was created', async () => {
    const fresh = await buildTestServer()
    try {
      const { id, created_at, updated_at, ...settings } = await show(fresh)
      expect(id).toBe(1)
      expect(created_at).toMatch(/^\d{4}-.*Z$/)
      expect(updated_at).toBe(created_at)
      expect(settings).toEqual({
        ...initialSettings,
        signin_enabled: true,
        password_authentication_enabled: true,
      })
    } finally {
      await fresh.close()
    }
  })

  it('answers 403 to other users and 401 without a token', async () => {
    const user = await server.buildUser()
    for (const method of ['GET', 'PUT']) {
      const own = await server.inject(method, path, { token: user.token, query: 'terms=x' })
      expect([method, own.status]).toEqual([method, 403])
      expect((await server.inject(method, path)).status).toBe(401)
    }
  })

  it('leaves out the settings of paid tiers that the server lacks, and refuses them', async () => {
    const community = await buildTestServer({ tier: 'community' })
    try {
      const shown = Object.keys(await show(community))
      const paid = settingNames.filter((name) => settingOf(name).tier === 'premium')
      expect(paid.length).toBeGreaterThan(20)
      expect(shown.filter((name) => (paid as string[]).includes(name))).toEqual([])
      expect((await put({ help_text: 'x' }, community)).status).toBe(403)
    } finally {
      await community.close()
    }
  })
})

describe('PUT /application/settings', () => {
  it('takes the body and the query string, and answers all settings', async () => {
    const before = await show()
    server.advance(1000)
    const { status, body } = await put({ max_artifacts_size: '200', signup_enabled: 'no' })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      max_artifacts_size: 200,
      signup_enabled: false,
      updated_at: body.updated_at,
    })
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
    const byQuery = await server.inject('PUT', path, {
      token: server.root.token,
      query: 'signup_enabled=true&asset_proxy_whitelist[]=a.test&asset_proxy_whitelist[]=*.b.test',
    })
    expect(byQuery.status).toBe(200)
    expect(await show()).toEqual(byQuery.body)
    expect(byQuery.body).toMatchObject({
      signup_enabled: true,
      asset_proxy_whitelist: ['a.test', '*.b.test'],
    })
  })

  it('takes back what it has answered', async () => {
    const before = await show()
    const { status, body } = await put(sendable(before))
    expect([status, body]).toEqual([200, before])
  })

  it.each([{}, { unknown: 1 }, { max_artifacts_size: '' }, { signup_enabled: null }])(
    'answers 400 for %j, which sets nothing',
    async (body) => {
      const answer = await put(body)
      expect(answer.status).toBe(400)
      expect(answer.body.error).toContain('at least one parameter must be provided')
    },
  )

  it.each([
    [{ signup_enabled: 'maybe' }, 'signup_enabled is invalid'],
    [{ max_artifacts_size: 'x' }, 'max_artifacts_size is invalid'],
    [{ max_artifacts_size: 0 }, 'max_artifacts_size does not have a valid value'],
    [{ default_projects_limit: 2 ** 40 }, 'default_projects_limit does not have a valid value'],
    [{ polling_interval_multiplier: '0x10' }, 'polling_interval_multiplier is invalid'],
    [{ polling_interval_multiplier: ' ' }, 'polling_interval_multiplier is invalid'],
    [{ restricted_visibility_levels: ['secret'] }, 'restricted_visibility_levels'],
    [{ default_branch_protection: 4 }, 'default_branch_protection does not have a valid value'],
    [{ enabled_git_access_protocol: 'ftp' }, 'enabled_git_access_protocol'],
    [{ external_authorization_service_timeout: 11 }, 'external_authorization_service_timeout'],
    [{ first_day_of_week: 2 }, 'first_day_of_week does not have a valid value'],
    [{ home_page_url: 'x'.repeat(3000) }, 'home_page_url is too long'],
    [{ terms: { a: 1 } }, 'terms is invalid'],
    [{ searchengine_project_ids: ['x'] }, 'searchengine_project_ids'],
    [
      { signin_enabled: true, password_authentication_enabled_for_web: false },
      'are mutually exclusive',
    ],
    [
      { signin_enabled: true, password_authentication_enabled: true },
      'signin_enabled, password_authentication_enabled are mutually exclusive',
    ],
  ])('answers 400 for %j', async (body, error) => {
    const before = await show()
    const answer = await put(body)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toContain(error)
    expect(await show()).toEqual(before)
  })

  it('answers 400 for a flag without what it needs, and names that', async () => {
    const refused = await put({ recaptcha_enabled: true, recaptcha_site_key: 'site' })
    expect(refused.status).toBe(400)
    expect(refused.body).toEqual({ message: { recaptcha_private_key: ["can't be blank"] } })
    expect((await show()).recaptcha_site_key).toBeNull()
    const keys = { recaptcha_site_key: 'site', recaptcha_private_key: 'a private key' }
    expect((await put({ recaptcha_enabled: true, ...keys })).status).toBe(200)
    const emptied = await put({ recaptcha_private_key: '' })
    expect(emptied.body).toEqual({ message: { recaptcha_private_key: ["can't be blank"] } })
    expect((await put({ recaptcha_enabled: false, recaptcha_private_key: null })).status).toBe(200)
  })

  it.each([
    ['home_page_url', 'https://about.test/', '', null],
    ['domain_whitelist', 'a.test, b.test', [], null],
    ['enabled_git_access_protocol', 'ssh', 'nil', null],
    ['receive_max_input_size', 12, null, null],
    ['restricted_visibility_levels', ['public'], '', []],
  ])('sets %s to %j, and %j clears it', async (name, value, blank, cleared) => {
    expect((await put({ [name]: value })).status).toBe(200)
    expect((await show())[name]).not.toEqual(cleared)
    expect((await put({ [name]: blank })).status).toBe(200)
    expect((await show())[name]).toEqual(cleared)
  })

  it('takes the older names of a setting', async () => {
    for (const alias of ['signin_enabled', 'password_authentication_enabled']) {
      const off = await put({ [alias]: false })
      expect(off.body).toMatchObject({
        signin_enabled: false,
        password_authentication_enabled: false,
        password_authentication_enabled_for_web: false,
      })
      expect((await put({ [alias]: true })).body[alias]).toBe(true)
    }
  })

  it('names the group of the performance bar by its path and answers its id', async () => {
    const group = await server.buildGroup()
    const set = await put({ performance_bar_allowed_group_path: group.full_path })
    expect(set.body.performance_bar_allowed_group_id).toBe(group.id)
    expect(set.body).not.toHaveProperty('performance_bar_allowed_group_path')
    const off = await put({ performance_bar_enabled: false })
    expect(off.body.performance_bar_allowed_group_id).toBeNull()
    const byAlias = await put({ performance_bar_allowed_group_id: group.full_path })
    expect(byAlias.body.performance_bar_allowed_group_id).toBe(group.id)
    const unknown = await put({ performance_bar_allowed_group_path: 'no/such/group' })
    expect(unknown.status).toBe(400)
    expect(unknown.body).toEqual({
      message: { performance_bar_allowed_group_id: ['is not a group'] },
    })
    const blank = await put({ performance_bar_allowed_group_path: '' })
    expect(blank.body.performance_bar_allowed_group_id).toBeNull()
  })

  it('keeps both of two concurrent changes', async () => {
    const values = [11, 12, 13, 14]
    const answers = await Promise.all(
      values.flatMap((value) => [
        put({ max_pages_size: value }),
        put({ geo_status_timeout: value }),
      ]),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const { max_pages_size: one, geo_status_timeout: other } = await show()
    expect(values).toContain(one)
    expect(values).toContain(other)
  })
})

describe('a secret setting', () => {
  const secret = 'a secret that nobody may read'
  const stored = () =>
    server.app.db.first('test.secret', { key: 'spamfilter_api_key' }, (db, $) =>
      db.selectFrom('settings').select('value').where('key', '=', $('key')),
    )

  it('is masked in answers, encrypted in the database and known to the server', async () => {
    const { body, text } = await put({ spamfilter_api_key: secret })
    expect(body.spamfilter_api_key).toBe('********')
    expect(text).not.toContain(secret)
    expect((await show()).spamfilter_api_key).toBe('********')
    expect(server.app.settings.spamfilter_api_key).toBe(secret)
    expect((await stored())?.value).toMatch(/^"v1\./)
    expect((await stored())?.value).not.toContain(secret)
  })

  it('stays when its mask is sent back, and is cleared by a blank', async () => {
    const before = await stored()
    expect((await put(sendable(await show()))).status).toBe(200)
    expect(await stored()).toEqual(before)
    expect(server.app.settings.spamfilter_api_key).toBe(secret)
    expect((await put({ spamfilter_api_key: '' })).body.spamfilter_api_key).toBeNull()
  })

  it('may be a part of a value, of which the rest is shown', async () => {
    const url = 'https://one:letmein@a.test:9200/x, http://two@b.test, http://c.test'
    const shown = 'https://one:********@a.test:9200/x, http://two@b.test, http://c.test'
    const { body, text } = await put({ searchengine_url: url })
    expect(body.searchengine_url).toBe(shown)
    expect(text).not.toContain('letmein')
    expect((await put({ searchengine_url: shown })).status).toBe(200)
    expect(server.app.settings.searchengine_url).toBe(url)
    expect((await put({ searchengine_url: 'http://one:********@b.test' })).body).toEqual({
      message: { searchengine_url: ['must have the passwords of all addresses'] },
    })
    expect((await put({ searchengine_url: 'a.test:9200' })).status).toBe(400)
    const events = await server.inject('GET', '/audit_events', { token: server.root.token })
    expect(events.text).toContain('searchengine_url')
    expect(events.text).not.toContain('letmein')
    expect((await put({ searchengine_url: '' })).body.searchengine_url).toBeNull()
  })

  it('counts as not set when the key is another one', async () => {
    await put({ spamfilter_api_key: secret })
    const messages: unknown[] = []
    const log = { ...server.app.log, error: (...line: unknown[]) => messages.push(line) }
    const other = { ...server.app.secrets, open: () => undefined }
    const { values } = await loadSettings(server.app.db, other, log as never)
    expect(values.spamfilter_api_key).toBeNull()
    expect(JSON.stringify(messages)).toContain('spamfilter_api_key')
    expect(JSON.stringify(messages)).not.toContain(secret)
    await put({ spamfilter_api_key: null })
  })
})

describe('the settings of another server on the same database', () => {
  it('follow when they are refreshed, with one query while nothing has changed', async () => {
    const { db, secrets, log } = server.app
    const other = await loadSettings(db, secrets, log)
    const { values } = other
    await put({ after_sign_up_text: 'Welcome!' })
    expect(values.after_sign_up_text).toBeNull()
    await other.refresh()
    expect(values.after_sign_up_text).toBe('Welcome!')
    const { queries } = db.stats
    await other.refresh()
    expect(db.stats.queries).toBe(queries + 1)
  })

  it('ignore values that this version does not know', async () => {
    const { db, secrets, log } = server.app
    const rows = { first_day_of_week: '5', unheard_of: '1', max_artifacts_size: '"x"' }
    for (const [key, value] of Object.entries(rows)) {
      await db.run('test.setting', { key, value }, (kysely, $) =>
        kysely
          .insertInto('settings')
          .values({ key: $('key'), value: $('value'), updatedAt: 0 })
          .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: $('value') })),
      )
    }
    const { values } = await loadSettings(db, secrets, log)
    expect(values).toMatchObject({ first_day_of_week: 0, max_artifacts_size: 100 })
    expect(values).not.toHaveProperty('unheard_of')
    await put({ first_day_of_week: 0, max_artifacts_size: 100 })
  })
})
