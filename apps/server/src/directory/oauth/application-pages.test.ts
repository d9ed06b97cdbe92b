import { setTimeout } from 'node:timers/promises'
import { maxOwnedApplications } from '@stithy/core'
import { insertApplication, lockUser, type Transaction } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../../testing/clients/browser.ts'
import { callAs } from '../../testing/clients/calls.ts'
import {
  authorizeUrl,
  callback,
  createApplication,
  signedIn,
  type TestBrowser,
} from '../../testing/clients/oauth.ts'
import {
  applicationFields,
  type OwnApplicationValues,
  applicationPage as page,
  registerOwn,
  sendApplication,
  shownSecret,
} from '../../testing/clients/own-applications.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

/*
 * Statements covered:
 * - users list, register, edit, renew the secret of, and delete their own applications, at
 *   /oauth/applications; the secret is shown once, after it was created or renewed
 * - they are never trusted, at most 100 for each user, and not those of others or of the instance
 * - user_oauth_applications off: users who are no administrators register none; the rest stays
 * - GET /applications lists those of the instance; DELETE takes those of users as well
 */

let server: TestServer
let user: TestUser
let browser: TestBrowser
beforeAll(async () => {
  server = await buildTestServer()
  user = await server.buildUser()
  browser = await signedIn(server, user)
})
afterAll(() => server.close())

async function newcomer(overrides = {}) {
  const person = await server.buildUser(overrides)
  return { person, own: await signedIn(server, person) }
}

const submit = (values: OwnApplicationValues, to = page, by = browser) =>
  sendApplication(by, values, to)

function rowOf(id: number) {
  return server.app.db.first('test.application', { id }, (db, $) =>
    db.selectFrom('oauthApplications').selectAll().where('id', '=', $('id')),
  )
}

async function setRegistration(allowed: boolean): Promise<void> {
  const body = { user_oauth_applications: allowed }
  const { status } = await callAs(server, 'PUT', '/application/settings', server.root.token, body)
  expect(status).toBe(200)
}

describe('GET /oauth/applications', () => {
  it('sends users who are not signed in to the sign-in, and back', async () => {
    const own = openBrowser(server)
    for (const path of [page, `${page}/1`]) {
      const { status, headers } = await own.send('GET', path)
      const signIn = `/users/sign_in?return_to=${encodeURIComponent(path)}`
      expect([status, headers.location]).toEqual([302, signIn])
    }
    const back = await own.signIn(user.username, user.password, { return_to: page })
    expect(back.headers.location).toBe(page)
    const posted = await openBrowser(server).send('POST', page, 'x=1')
    expect([posted.status, posted.headers.location]).toEqual([302, '/users/sign_in'])
  })

  it('lists the applications of the user alone, escaped, with their ids and without secrets', async () => {
    const { own } = await newcomer()
    const empty = await own.send('GET', page)
    expect(empty.text).toContain('<p>No applications.</p>')
    const mine = await registerOwn(own, { name: 'My <i>app</i>' })
    await registerOwn(browser, { name: 'Of another user' })
    await createApplication(server, { name: 'Of the instance' })
    const { status, text } = await own.send('GET', page)
    expect(status).toBe(200)
    expect(text).toContain(`<a href="${page}/${mine.id}"><bdi>My &lt;i&gt;app&lt;/i&gt;</bdi></a>`)
    expect(text).toContain(`<code>${mine.application_id}</code>`)
    expect(text).toMatch(/· api · created \d{4}-\d\d-\d\d</)
    expect(text).not.toMatch(/Of another user|Of the instance|<i>app/)
    expect(text).not.toContain(mine.secret)
  })

  it('is linked from the settings of a user', async () => {
    expect((await browser.send('GET', '/-/profile')).text).toContain(`<a href="${page}">`)
  })

  it('offers sudo to administrators only', async () => {
    expect((await browser.send('GET', page)).text).not.toContain('value="sudo"')
    const { own } = await newcomer({ admin: true })
    expect((await own.send('GET', page)).text).toContain('value="sudo"')
  })
})

describe('POST /oauth/applications', () => {
  it('registers one, and shows its id always and its secret once', async () => {
    const made = await submit({ name: ' Dash ', scopes: ['read_user'] })
    expect(made.status).toBe(302)
    const own = made.headers.location ?? ''
    expect(own).toMatch(/^\/oauth\/applications\/\d+$/)
    const shown = await browser.send('GET', own)
    const secret = shownSecret(shown.text) ?? ''
    expect(secret).toMatch(/^[\w-]{27}$/)
    const row = await rowOf(Number(own.split('/').at(-1)))
    expect(row).toMatchObject({
      ownerId: user.id,
      name: 'Dash',
      redirectUris: JSON.stringify([callback]),
      scopes: '["read_user"]',
      confidential: 1,
      trusted: 0,
    })
    expect(JSON.stringify(row)).not.toContain(secret)
    const later = await browser.send('GET', own)
    expect(later.text).toContain(`<code id="application-id">${row?.uid}</code>`)
    expect(later.text).not.toContain(secret)
    expect(shownSecret(later.text)).toBeUndefined()
  })

  it('passes the secret in an encrypted cookie for the page of the application alone', async () => {
    const { own } = await newcomer()
    const made = await submit({}, page, own)
    const path = made.headers.location ?? ''
    const line = own.lines.at(-1) ?? ''
    for (const part of ['_service_shown_once=v1.', 'HttpOnly', `Path=${path}`, 'Max-Age=60']) {
      expect(line).toContain(part)
    }
    const sealed = own.cookies.get('_service_shown_once') ?? ''
    const other = await registerOwn(own, {})
    own.cookies.set('_service_shown_once', sealed)
    const elsewhere = await own.send('GET', `${page}/${other.id}`)
    expect(shownSecret(elsewhere.text)).toBeUndefined()
    own.cookies.set('_service_shown_once', sealed)
    const secret = shownSecret((await own.send('GET', path)).text)
    expect(secret).toBeDefined()
    expect(line).not.toContain(secret)
  })

  it('takes several redirect URIs, public applications and several scopes', async () => {
    const redirectUri = `${callback}\r\n\r\nhttp://127.0.0.1/cb`
    const made = await registerOwn(browser, {
      redirectUri,
      confidential: false,
      scopes: ['email', 'api'],
    })
    expect(await rowOf(made.id)).toMatchObject({
      redirectUris: JSON.stringify([callback, 'http://127.0.0.1/cb']),
      scopes: '["api","email"]',
      confidential: 0,
    })
  })

  it('never makes one that is trusted, or of somebody else', async () => {
    const at = 'doorkeeper_application'
    const made = await sendApplication(browser, {}, page, [
      [`${at}[trusted]`, '1'],
      [`${at}[owner_id]`, '1'],
      ['trusted', '1'],
    ])
    const row = await rowOf(Number(made.headers.location?.split('/').at(-1)))
    expect(row).toMatchObject({ trusted: 0, ownerId: user.id })
  })

  it.each([
    ['a blank name', { name: ' ' }, 'name', 'The name can&#39;t be blank.'],
    [
      'a name of 64 KiB',
      { name: 'x'.repeat(65_536) },
      'name',
      'The name is too long (maximum is 255 characters).',
    ],
    ['a line break in the name', { name: 'a\nb' }, 'name', 'The name is invalid.'],
    [
      'no redirect URI',
      { redirectUri: ' \r\n ' },
      'redirect_uri',
      'Redirect URI: can&#39;t be blank.',
    ],
    [
      'a script',
      { redirectUri: `${callback}\njavascript:alert(1)` },
      'redirect_uri',
      'Redirect URI: is forbidden by the server.',
    ],
    ['a path', { redirectUri: '/x' }, 'redirect_uri', 'Redirect URI: must be an absolute URI.'],
    [
      'a redirect URI of 64 KiB',
      { redirectUri: `https://app.test/${'x'.repeat(65_536)}` },
      'redirect_uri',
      'Redirect URI: is too long (maximum is 2048 characters).',
    ],
    [
      'thousands of redirect URIs',
      { redirectUri: Array.from({ length: 3000 }, (_, i) => `https://a.test/${i}`).join('\n') },
      'redirect_uri',
      'Redirect URI: has too many URIs (maximum is 20).',
    ],
    ['no scope', { scopes: [] }, 'scope_api', 'The list of scopes can&#39;t be blank.'],
    [
      'sudo',
      { scopes: ['api', 'sudo'] },
      'scope_api',
      'The list of scopes doesn&#39;t match configured on the server.',
    ],
    [
      'two scopes in one',
      { scopes: ['api sudo'] },
      'scope_api',
      'The list of scopes doesn&#39;t match configured on the server.',
    ],
  ])('answers 422 to %s, and keeps what was submitted', async (_, values, field, text) => {
    const before = (await browser.send('GET', page)).text.match(/<li>/g)?.length
    const answer = await submit({ redirectUri: 'https://kept.test/"x"', ...values })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('<title>Error: Your applications · Stithy</title>')
    const errors = [...answer.text.matchAll(/<li><a href="#(\w+)">([^<]+)<\/a><\/li>/g)]
    expect(errors.map(([, to, said]) => [to, said])).toContainEqual([`application_${field}`, text])
    if (!('redirectUri' in values)) expect(answer.text).toContain('https://kept.test/&quot;x&quot;')
    expect((await browser.send('GET', page)).text.match(/<li>/g)?.length).toBe(before)
  })

  it('answers 413 to a form beyond all bounds, with a page', async () => {
    const answer = await submit({ name: 'x'.repeat(300_000) })
    expect(answer.status).toBe(413)
    expect(answer.headers['content-type']).toContain('text/html')
  })

  it('answers 422 without a valid form token', async () => {
    const form = new URLSearchParams([...applicationFields({}), ['authenticity_token', 'x']])
    expect((await browser.send('POST', page, form.toString())).status).toBe(422)
  })

  it('answers 422 beyond the maximum number of a user, also to concurrent forms', async () => {
    const { person, own } = await newcomer()
    const { db } = server.app
    const add = (tx: Transaction, count: number) => {
      const unique = { uid: `owned-${count}`, name: 'App', secretHash: '', createdAt: 1 }
      const values = { redirectUris: [], scopes: [], confidential: 1, trusted: 0 } as const
      return insertApplication(tx, { ...values, ...unique, ownerId: person.id })
    }
    await db.transaction(async (tx) => {
      for (let count = 2; count < maxOwnedApplications; count += 1) await add(tx, count)
    })
    expect((await submit({}, page, own)).status).toBe(302)
    // The last one is being registered: whoever comes meanwhile must wait to be counted.
    const locked = Promise.withResolvers<void>()
    const waited = Promise.withResolvers<void>()
    const last = db.transaction(async (tx) => {
      await lockUser(tx, person.id)
      await add(tx, maxOwnedApplications)
      locked.resolve()
      await waited.promise
    })
    await locked.promise
    const form = submit({}, page, own)
    await Promise.race([form, setTimeout(300)])
    waited.resolve()
    await last
    const refused = await form
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('>Maximum number of applications (100) exceeded.</a>')
    expect((await submit({})).status).toBe(302)
  })
})

describe('POST /oauth/applications/:id', () => {
  it('changes name, redirect URIs, confidentiality and scopes, and nothing else', async () => {
    const made = await registerOwn(browser, { scopes: ['api'] })
    const own = `${page}/${made.id}`
    const before = await rowOf(made.id)
    const values = { name: 'B', redirectUri: 'https://b.test/', scopes: ['email'] }
    const changed = await submit({ ...values, confidential: false }, own)
    expect([changed.status, changed.headers.location]).toEqual([302, own])
    expect(await rowOf(made.id)).toEqual({
      ...before,
      name: 'B',
      redirectUris: '["https://b.test/"]',
      scopes: '["email"]',
      confidential: 0,
    })
    const { text } = await browser.send('GET', own)
    expect(text).toContain('<h1 dir="auto">B</h1>')
    expect(text).toMatch(/<textarea [^>]*>\nhttps:\/\/b\.test\/<\/textarea>/)
    expect(text).toMatch(/value="email" checked/)
    expect(text).not.toMatch(/value="api" checked/)
    expect(text).not.toMatch(/id="application_confidential"[^>]*checked/)
  })

  it('answers 422 to what cannot be registered either, and changes nothing', async () => {
    const made = await registerOwn(browser, {})
    const before = await rowOf(made.id)
    for (const values of [
      { name: 'x'.repeat(65_536) },
      { redirectUri: 'javascript:alert(1)' },
      { scopes: [] },
      { scopes: ['sudo'] },
    ]) {
      const answer = await submit(values, `${page}/${made.id}`)
      expect([answer.status, answer.text.includes('role="alert"')]).toEqual([422, true])
    }
    expect(await rowOf(made.id)).toEqual(before)
  })

  it('applies to the next authorization', async () => {
    const made = await registerOwn(browser, { scopes: ['read_user', 'api'] })
    const scope = 'read_user'
    const ask = (redirect_uri: string, of = scope) =>
      browser.send('GET', authorizeUrl(made, { redirect_uri, scope: of }))
    expect((await ask(callback)).status).toBe(200)
    await submit({ redirectUri: 'https://b.test/', scopes: ['api'] }, `${page}/${made.id}`)
    expect((await ask(callback)).status).toBe(400)
    const narrow = await ask('https://b.test/')
    expect(narrow.headers.location).toMatch(/^https:\/\/b\.test\/\?error=invalid_scope/)
    expect((await ask('https://b.test/', 'api')).status).toBe(200)
  })
})

describe('POST /oauth/applications/:id/renew', () => {
  it('shows another secret once', async () => {
    const made = await registerOwn(browser, {})
    const own = `${page}/${made.id}`
    const renewed = await browser.submit(page, {}, `${own}/renew`)
    expect([renewed.status, renewed.headers.location]).toEqual([302, own])
    const secret = shownSecret((await browser.send('GET', own)).text)
    expect(secret).toMatch(/^[\w-]{27}$/)
    expect(secret).not.toBe(made.secret)
    expect(shownSecret((await browser.send('GET', own)).text)).toBeUndefined()
  })
})

describe('POST /oauth/applications/:id/delete', () => {
  it('deletes the application with its row', async () => {
    const made = await registerOwn(browser, {})
    const own = `${page}/${made.id}`
    const deleted = await browser.submit(page, {}, `${own}/delete`)
    expect([deleted.status, deleted.headers.location]).toEqual([302, page])
    expect((await browser.send('GET', own)).status).toBe(404)
    expect((await browser.send('GET', page)).text).not.toContain(made.application_id)
    await server.runJobs()
    expect(await rowOf(made.id)).toBeUndefined()
  })
})

describe('an application that is not the user’s', () => {
  it.each(['', '/renew', '/delete'])('is 404, a page, to POST :id%s', async (action) => {
    const { own } = await newcomer({ admin: true })
    const foreign = await registerOwn(browser, {})
    const shared = await createApplication(server)
    const before = [await rowOf(foreign.id), await rowOf(shared.id)]
    for (const id of [foreign.id, shared.id, 999_999_999, '9'.repeat(30), 'new', '1%00']) {
      const answer = await submit({ name: 'Taken over' }, `${page}/${id}${action}`, own)
      expect([id, answer.status]).toEqual([id, 404])
      expect(answer.headers['content-type']).toContain('text/html')
      expect((await own.send('GET', `${page}/${id}`)).status).toBe(404)
    }
    expect([await rowOf(foreign.id), await rowOf(shared.id)]).toEqual(before)
  })

  it.each(['', '/renew', '/delete'])('stays without a form token: :id%s', async (action) => {
    const made = await registerOwn(browser, {})
    const before = await rowOf(made.id)
    const form = new URLSearchParams(applicationFields({ name: 'Forged' })).toString()
    expect((await browser.send('POST', `${page}/${made.id}${action}`, form)).status).toBe(422)
    expect(await rowOf(made.id)).toEqual(before)
  })
})

describe('the setting user_oauth_applications', () => {
  it('off: users register none, keep what they have; administrators register', async () => {
    const made = await registerOwn(browser, {})
    const own = `${page}/${made.id}`
    await setRegistration(false)
    try {
      const { status, text } = await browser.send('GET', page)
      expect(status).toBe(200)
      expect(text).toContain(made.application_id)
      expect(text).toContain('Registering applications is switched off')
      expect(text).not.toContain(`<form method="post" action="${page}">`)
      const refused = await submit({ name: 'One more' })
      expect([refused.status, refused.headers['content-type']]).toEqual([
        403,
        'text/html; charset=utf-8',
      ])
      expect((await browser.send('GET', page)).text).not.toContain('One more')
      expect((await submit({ name: 'Edited' }, own)).status).toBe(302)
      expect((await browser.submit(page, {}, `${own}/renew`)).status).toBe(302)
      expect((await browser.submit(page, {}, `${own}/delete`)).status).toBe(302)
      const admin = await newcomer({ admin: true })
      expect((await registerOwn(admin.own, {})).id).toBeGreaterThan(0)
    } finally {
      await setRegistration(true)
    }
    expect((await submit({})).status).toBe(302)
  })
})

describe('/applications', () => {
  it('lists those of the instance; administrators delete those of users, too', async () => {
    const made = await registerOwn(browser, { name: 'Of a user' })
    const { token } = server.root
    const list = await callAs(server, 'GET', '/applications', token)
    expect(list.text).not.toContain(made.application_id)
    expect((await callAs(server, 'DELETE', `/applications/${made.id}`, user.token)).status).toBe(
      403,
    )
    expect((await callAs(server, 'DELETE', `/applications/${made.id}`, token)).status).toBe(204)
    expect((await browser.send('GET', `${page}/${made.id}`)).status).toBe(404)
  })
})
