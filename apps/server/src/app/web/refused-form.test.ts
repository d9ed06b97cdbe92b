/*
 * Forms of pages that are older than the session: what was typed is shown again, and sent by a press of a
 * button only; nothing that another site sends is.
 */
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepForm } from '../../directory/sign-in/kept-fields.ts'
import { openBrowser, type WebBrowser } from '../../testing/clients/web-browser.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let owner: TestUser
let path: string
let projectId: number

const description = 'Line <one>\n\n"Line" </textarea> two'

beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser()
  const project = await server.buildProject({ visibility: 'private' }, owner)
  path = `/${project.path_with_namespace}/-`
  projectId = project.id
})
afterAll(() => server.close())

async function titles(): Promise<string[]> {
  const { token } = owner
  const { body } = await server.inject('GET', `/projects/${projectId}/issues`, { token })
  return (body as { title: string }[]).map(({ title }) => title)
}

/** Signs out as another tab does: this one's page knows nothing of it. */
async function signOut(browser: WebBrowser): Promise<void> {
  await (await browser.open('/projects')).press('Sign out')
}

async function signIn({ open }: WebBrowser): Promise<void> {
  const form = await open('/users/sign_in')
  await form.press('Sign in', { 'user[login]': owner.username, 'user[password]': owner.password })
}

describe('POST of a form whose session has ended', () => {
  it('answers 401 with what was typed, which is sent once the user is signed in again', async () => {
    const browser = await openBrowser(server, owner)
    const form = await browser.open(`${path}/issues/new`)
    await signOut(browser)
    const refused = await form.press('Create issue', { title: 'Typed "once"', description })
    expect(refused).toMatchObject({ status: 401, heading: 'You are no longer signed in' })
    expect(refused.texts('label')).toEqual(expect.arrayContaining(['Title', 'Description']))
    expect(refused.headers.get('cache-control')).toBe('no-store')
    const early = await refused.press('Send again')
    expect(early).toMatchObject({ status: 401, heading: 'You are no longer signed in' })
    await signIn(browser)
    const checked = await early.press('Send again')
    expect(checked).toMatchObject({ status: 422, heading: 'This form has expired' })
    expect(await titles()).not.toContain('Typed "once"')
    const issue = await checked.press('Send again')
    expect(issue.heading).toContain('Typed "once"')
    const { body } = await server.inject('GET', `/projects/${projectId}/issues`, {
      token: owner.token,
      query: 'search=Typed',
    })
    expect(body[0].description).toBe(description)
  })

  it('answers 401 without a button where a file would be lost', async () => {
    const browser = await openBrowser(server, owner)
    const form = await browser.open(`${path}/wikis/new`)
    await signOut(browser)
    const file = new File(['x'], 'x.txt', { type: 'text/plain' })
    const refused = await form.press('Upload', { file })
    expect(refused.status).toBe(401)
    expect(refused.texts('main button')).toEqual([])
    expect(refused.texts('main p').join()).toContain('not kept')
  })
})

describe('POST of a form with the token of an earlier session', () => {
  it('answers 422 with what was typed, and changes nothing until it is sent again', async () => {
    const browser = await openBrowser(server, owner)
    const form = await browser.open(`${path}/issues/new`)
    await signOut(browser)
    await signIn(browser)
    const refused = await form.press('Create issue', { title: 'Typed twice', description })
    expect(refused).toMatchObject({ status: 422, heading: 'This form has expired' })
    expect(refused.texts('code').join()).toContain(`${path}/issues`)
    expect(await titles()).not.toContain('Typed twice')
    await refused.press('Send again')
    expect(await titles()).toContain('Typed twice')
  })

  it('answers 422 with what was typed on the pages of the account as well', async () => {
    const browser = await openBrowser(server, owner)
    const form = await browser.open('/-/profile/personal_access_tokens')
    const name = 'Typed for a token'
    const refused = await form.press('Create the token', {
      authenticity_token: 'of another session',
      'personal_access_token[name]': name,
      'personal_access_token[scopes][]': 'read_user',
    })
    expect(refused).toMatchObject({ status: 422, heading: 'This form has expired' })
    expect(refused.text).toContain(`value="${name}"`)
    const list = async () => (await browser.open('/-/profile/personal_access_tokens')).text
    expect(await list()).not.toContain(name)
    await refused.press('Send again')
    expect(await list()).toContain(name)
  })

  it('answers 422 with nothing of what another site has sent, and no button', async () => {
    const browser = await openBrowser(server, owner)
    const body = () => new URLSearchParams({ title: 'Forged' })
    for (const headers of [
      { origin: 'https://elsewhere.test' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ] as Record<string, string>[]) {
      const address = `${path}/issues`
      const response = await browser.send(address, { method: 'POST', body: body(), headers })
      expect(response.status).toBe(422)
      const text = await response.text()
      expect(text).not.toContain('Forged')
      expect(text).not.toContain('Send again')
    }
  })

  it('shows no passwords, and has no button then', async () => {
    const browser = await openBrowser(server, server.root)
    const form = await browser.open('/admin/users/new')
    const session = await openBrowser(server, server.root)
    const other = await session.open('/admin/users/new')
    const refused = await other.press('Create user', {
      authenticity_token: form.csrfToken,
      username: 'shown',
      password: 'not to be shown',
    })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('value="shown"')
    expect(refused.text).not.toContain('not to be shown')
    expect(refused.texts('main button')).toEqual([])
  })
})

describe('keepForm', () => {
  it('keeps texts of lists and maps by the names of their fields, but not those of the query', () => {
    const query = { page: '2' }
    const fields = { ...query, a: { b: ['1', '2'] }, authenticity_token: 'x', text: '' }
    expect(keepForm(fields, query)).toEqual({
      fields: [
        { name: 'a[b][]', value: '1' },
        { name: 'a[b][]', value: '2' },
        { name: 'text', value: '' },
      ],
      isWhole: true,
    })
  })

  it('keeps no texts beyond a limit', () => {
    const fields = { short: 'x', long: 'x'.repeat(2_000_000) }
    expect(keepForm(fields, {})).toEqual({
      fields: [{ name: 'short', value: 'x' }],
      isWhole: false,
    })
  })

  it('keeps nothing of the fields that pages hide while they are typed', async () => {
    const names = await hiddenFields()
    expect(names.length).toBeGreaterThan(2)
    for (const name of names) {
      expect([name, keepForm({ [name]: 'x' }, {})]).toEqual([name, { fields: [], isWhole: false }])
    }
  })
})

/** The names of all fields for secrets in the source of the pages. */
async function hiddenFields(): Promise<string[]> {
  const folder = fileURLToPath(new URL('../../../../../packages/web/src', import.meta.url))
  const files = await readdir(folder, { recursive: true })
  const names: string[] = []
  for (const file of files.filter((each) => each.endsWith('.ts'))) {
    const text = await readFile(`${folder}/${file}`, 'utf8')
    for (const { index } of text.matchAll(/type: '(?:secret|password)'/g)) {
      const before = text.slice(Math.max(0, index - 300), index)
      names.push([...before.matchAll(/(?:id: |text\()'(\w{1,50})'/g)].at(-1)?.[1] ?? file)
    }
  }
  return names
}
