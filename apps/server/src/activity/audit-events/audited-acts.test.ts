import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openBrowser } from '../../testing/clients/browser.ts'
import { callAs, created } from '../../testing/clients/calls.ts'
import { signedIn } from '../../testing/clients/oauth.ts'
import {
  applicationPage,
  registerOwn,
  sendApplication,
} from '../../testing/clients/own-applications.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildGpgKey } from '../../testing/git/gpg-key.ts'
import { buildPublicKey } from '../../testing/git/ssh-key.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { enableTwoFactor } from '../../testing/two-factor.ts'

/*
 * Statements covered: every administrative or security-relevant act is recorded: users, sign-ins,
 * two-factor authentication, tokens, keys, applications, members, shares, projects, groups,
 * protected branches and tags, webhooks, features, broadcast messages and the appearance.
 */

let server: TestServer
let root: string
let user: TestUser
/** The newest event before the act. */
let last = 0

beforeAll(async () => {
  server = await buildTestServer()
  root = server.root.token
})
afterAll(() => server.close())

beforeEach(async () => {
  user = await server.buildUser()
  await mark()
})

const events = async () =>
  (await callAs(server, 'GET', '/audit_events?per_page=100', root)).body as Json[]

async function mark() {
  last = (await events())[0]?.id ?? 0
}

/** What was recorded since the last call, oldest first. */
async function acts(): Promise<Json[]> {
  const found = (await events()).filter(({ id }) => id > last).toReversed()
  last = found.at(-1)?.id ?? last
  return found.map(({ author_id, entity_type, entity_id, details }) => {
    const { author_name: _, ip_address: __, entity_path: ___, ...act } = details
    const { target_type, target_id, target_details: name, ...rest } = act
    const own = target_type === entity_type && target_id === entity_id
    return {
      by: author_id,
      on: `${entity_type} ${entity_id}`,
      ...rest,
      ...(own ? {} : { target: `${target_type} ${target_id}`, name }),
    }
  })
}

const send = (method: string, path: string, body?: unknown, token = root) =>
  callAs(server, method, path, token, body)
const onUser = () => `User ${user.id}`

describe('users', () => {
  it('are created, renamed, made administrators, blocked, unblocked and deleted', async () => {
    const values = {
      username: 'eve',
      name: 'Eve',
      email: 'eve@example.com',
      password: 'a password',
    }
    const eve = await created(server, '/users', { ...values, skip_confirmation: true })
    const on = `User ${eve.id}`
    expect(await acts()).toEqual([{ by: 1, on, add: 'user' }])
    await send('PUT', `/users/${eve.id}`, {
      username: 'eva',
      admin: true,
      bio: 'x',
      password: 'another one',
    })
    expect(await acts()).toEqual([
      { by: 1, on, change: 'username', from: 'eve', to: 'eva' },
      { by: 1, on, change: 'admin', from: '0', to: '1' },
      { by: 1, on, change: 'password', from: null, to: null },
    ])
    await send('PUT', `/users/${eve.id}`, { bio: 'y' })
    expect(await acts()).toEqual([])
    await send('POST', `/users/${eve.id}/block`)
    await send('POST', `/users/${eve.id}/unblock`)
    await send('DELETE', `/users/${eve.id}`)
    expect(await acts()).toEqual([
      { by: 1, on, change: 'state', from: 'active', to: 'blocked' },
      { by: 1, on, change: 'state', from: 'blocked', to: 'active' },
      { by: 1, on, remove: 'user' },
    ])
  })

  it('sign in, fail to, and change their password', async () => {
    const browser = openBrowser(server)
    await browser.signIn(user.username, 'wrong')
    const failed = { by: null, on: onUser(), add: 'failed_sign_in', as: 'password' }
    // It is recorded without delaying the answer.
    await expect.poll(acts).toEqual([failed])
    await browser.signIn('nobody-of-this-name', 'wrong')
    await browser.signIn(user.username, user.password)
    expect(await acts()).toEqual([{ by: user.id, on: onUser(), add: 'session', as: 'password' }])
    await browser.submit('/-/profile/password/new', {
      'user[current_password]': user.password,
      'user[password]': 'a newer password',
      'user[password_confirmation]': 'a newer password',
    })
    expect(await acts()).toEqual([
      { by: user.id, on: onUser(), change: 'password', from: null, to: null },
    ])
    await send('POST', `/users/${user.id}/block`)
    await openBrowser(server).signIn(user.username, 'a newer password')
    expect((await acts()).at(-1)).toEqual({ ...failed, as: 'blocked' })
  })

  it('fail to sign in as OAuth and Git clients, whose address is known', async () => {
    const form = new URLSearchParams({
      grant_type: 'password',
      username: user.username,
      password: 'wrong',
    })
    await server.inject('POST', '//oauth/token', { form: form.toString() })
    const failed = { by: null, on: onUser(), add: 'failed_sign_in', as: 'password' }
    await expect.poll(acts).toEqual([failed])
    const { path_with_namespace: path } = await server.buildProject()
    await mark()
    const basic = Buffer.from(`${user.username}:wrong`).toString('base64')
    await server.inject('GET', `//${path}.git/info/refs?service=git-upload-pack`, {
      headers: { authorization: `Basic ${basic}` },
    })
    await expect.poll(acts).toEqual([failed])
    const [event] = await events()
    expect(event.details).toMatchObject({
      author_name: 'Nobody signed in',
      ip_address: '127.0.0.1',
    })
  })

  it('set up two-factor authentication, use it, and turn it off', async () => {
    const app = await enableTwoFactor(server, user)
    const by = { by: user.id, on: onUser() }
    expect(await acts()).toEqual([{ ...by, add: 'two_factor_authentication' }])
    const wrong = { otp: app.wrongCode() }
    await send('POST', '/user/two_factor/recovery_codes', wrong, user.token)
    expect(await acts()).toEqual([{ ...by, add: 'failed_sign_in', as: 'two_factor' }])
    await send('POST', '/user/two_factor/recovery_codes', { otp: app.nextCode() }, user.token)
    await send('DELETE', '/user/two_factor', { otp: app.nextCode() }, user.token)
    expect(await acts()).toEqual([
      { ...by, change: 'recovery_codes' },
      { ...by, remove: 'two_factor_authentication' },
    ])
    await enableTwoFactor(server, user)
    await mark()
    await send('PATCH', `/users/${user.id}/disable_two_factor`)
    expect(await acts()).toEqual([{ by: 1, on: onUser(), remove: 'two_factor_authentication' }])
  })
})

describe('credentials', () => {
  it('are added and removed, without their secrets', async () => {
    const made = { name: 'robot', scopes: ['api'] }
    const path = `/users/${user.id}/impersonation_tokens`
    const token = await created(server, path, made)
    await send('DELETE', `${path}/${token.id}`)
    const target = { target: `PersonalAccessToken ${token.id}`, name: 'robot' }
    const by = { by: 1, on: onUser() }
    expect(await acts()).toEqual([
      { ...by, add: 'impersonation_token', ...target },
      { ...by, remove: 'impersonation_token', ...target },
    ])
    const key = await created(server, '/user/keys', { title: 'k', key: buildPublicKey() }, user)
    await send('DELETE', `/users/${user.id}/keys/${key.id}`)
    const { publicKey } = await buildGpgKey(user.email)
    const gpg = await created(server, '/user/gpg_keys', { key: publicKey }, user)
    await send('DELETE', `/user/gpg_keys/${gpg.id}`, undefined, user.token)
    const ssh = { target: `Key ${key.id}`, name: expect.stringMatching(/^SHA256:/) }
    const openpgp = { target: `GpgKey ${gpg.id}`, name: expect.stringMatching(/^[0-9A-F]{40,64}$/) }
    expect(await acts()).toEqual([
      { by: user.id, on: onUser(), add: 'ssh_key', ...ssh },
      { by: 1, on: onUser(), remove: 'ssh_key', ...ssh },
      { by: user.id, on: onUser(), add: 'gpg_key', ...openpgp },
      { by: user.id, on: onUser(), remove: 'gpg_key', ...openpgp },
    ])
    const values = { name: 'App', redirect_uri: 'https://app.test', scopes: 'api' }
    const application = await created(server, '/applications', values)
    await send('DELETE', `/applications/${application.id}`)
    const app = { target: `Application ${application.id}`, name: 'App' }
    expect(await acts()).toEqual([
      { by: 1, on: 'User 1', add: 'application', ...app },
      { by: 1, on: 'User 1', remove: 'application', ...app },
    ])
    const text = JSON.stringify(await events())
    for (const secret of [token.token, application.secret, user.password]) {
      expect(text).not.toContain(secret)
    }
  })

  it('of applications that users register are recorded on the user, without secrets', async () => {
    const browser = await signedIn(server, user)
    await mark()
    const { id, secret } = await registerOwn(browser, { name: 'Mine' })
    const own = `${applicationPage}/${id}`
    const edited = { name: 'Ours', redirectUri: 'https://other.test/', scopes: ['email'] }
    await sendApplication(browser, edited, own)
    await sendApplication(browser, edited, own)
    await sendApplication(browser, { ...edited, confidential: false }, own)
    await browser.submit(applicationPage, {}, `${own}/renew`)
    await browser.submit(applicationPage, {}, `${own}/delete`)
    const by = { by: user.id, on: onUser(), target: `Application ${id}` }
    expect(await acts()).toEqual([
      { ...by, add: 'application', name: 'Mine' },
      { ...by, change: 'application', to: 'name, redirect_uri, scopes', name: 'Ours' },
      { ...by, change: 'application', to: 'confidential', name: 'Ours' },
      { ...by, change: 'application_secret', name: 'Ours' },
      { ...by, remove: 'application', name: 'Ours' },
    ])
    const left = await registerOwn(browser, { name: 'Left' })
    await send('DELETE', `/users/${user.id}`)
    const target = { on: onUser(), target: `Application ${left.id}`, name: 'Left' }
    expect(await acts()).toEqual([
      { by: user.id, add: 'application', ...target },
      { by: 1, on: onUser(), remove: 'user' },
      { by: 1, remove: 'application', ...target },
    ])
    const text = JSON.stringify(await events())
    for (const each of [secret, left.secret]) expect(text).not.toContain(each)
  })

  it('of projects and groups are recorded there', async () => {
    const { id } = await server.buildProject()
    const group = await server.buildGroup()
    await mark()
    const on = { by: 1, on: `Project ${id}` }
    const keys = `/projects/${id}/deploy_keys`
    const key = await created(server, keys, { title: 'd', key: buildPublicKey() })
    await send('PUT', `${keys}/${key.id}`, { can_push: true })
    await send('DELETE', `${keys}/${key.id}`)
    const target = { target: `DeployKey ${key.id}`, name: 'd' }
    expect(await acts()).toEqual([
      { ...on, add: 'deploy_key', ...target },
      { ...on, change: 'deploy_key', ...target },
      { ...on, remove: 'deploy_key', ...target },
    ])
    const common = await created(server, '/deploy_keys', { title: 'p', key: buildPublicKey() })
    await send('POST', `${keys}/${common.id}/enable`)
    await send('DELETE', `/deploy_keys/${common.id}`)
    const shared = { target: `DeployKey ${common.id}`, name: 'p' }
    expect(await acts()).toEqual([
      { by: 1, on: 'User 1', add: 'public_deploy_key', ...shared },
      { ...on, add: 'deploy_key', ...shared },
      { by: 1, on: 'User 1', remove: 'public_deploy_key', ...shared },
    ])
    const tokens = `/projects/${id}/deploy_tokens`
    const token = await created(server, tokens, { name: 't', scopes: ['read_repository'] })
    await send('DELETE', `${tokens}/${token.id}`)
    const deploy = { target: `DeployToken ${token.id}`, name: 't' }
    expect(await acts()).toEqual([
      { ...on, add: 'deploy_token', ...deploy },
      { ...on, remove: 'deploy_token', ...deploy },
    ])
    await send('POST', `/groups/${group.id}/scim_token`)
    await send('DELETE', `/groups/${group.id}/scim_token`)
    expect(await acts()).toEqual([
      { by: 1, on: `Group ${group.id}`, add: 'scim_token' },
      { by: 1, on: `Group ${group.id}`, remove: 'scim_token' },
    ])
  })
})

describe('members and shares', () => {
  it('are added, changed and removed', async () => {
    const group = await server.buildGroup()
    const other = await server.buildGroup()
    const project = await server.buildProject({ namespace_id: group.id })
    await mark()
    const target = { target: onUser(), name: user.username }
    for (const [path, on] of [
      [`/groups/${group.id}`, `Group ${group.id}`],
      [`/projects/${project.id}`, `Project ${project.id}`],
    ]) {
      const one = `${path}/members/${user.id}`
      await created(server, `${path}/members`, { user_id: user.id, access_level: 20 })
      await send('PUT', one, { access_level: 30 })
      await send('PUT', one, { access_level: 30, expires_at: '2999-01-01' })
      await send('PUT', one, { access_level: 30 })
      await send('DELETE', one)
      expect(await acts()).toEqual([
        { by: 1, on, add: 'user_access', as: 'Reporter', ...target },
        { by: 1, on, change: 'access_level', from: 'Reporter', to: 'Developer', ...target },
        { by: 1, on, change: 'expiry', from: null, to: '2999-01-01', ...target },
        { by: 1, on, remove: 'user_access', ...target },
      ])
      await created(server, `${path}/share`, { group_id: other.id, group_access: 20 })
      await send('DELETE', `${path}/share/${other.id}`)
      const shared = { target: `Group ${other.id}`, name: other.full_path }
      expect(await acts()).toEqual([
        { by: 1, on, add: 'group_access', as: 'Reporter', ...shared },
        { by: 1, on, remove: 'group_access', ...shared },
      ])
    }
  })

  it('expire by the server itself', async () => {
    const group = await server.buildGroup()
    const today = new Date(server.app.now()).toISOString().slice(0, 10)
    await server.addMember(`groups/${group.id}`, user.id, 20, today)
    await mark()
    server.advance(86_400_000)
    const { expireMembersJob } = await import('../../directory/members/member.jobs.ts')
    await expireMembersJob.run(server.app, null, new AbortController().signal, null as never)
    const on = `Group ${group.id}`
    const expired = { by: null, on, remove: 'user_access', target: onUser(), name: user.username }
    expect(await acts()).toEqual([expired])
    const [event] = await events()
    expect(event.details).toMatchObject({ author_name: 'Server', ip_address: null })
  })
})

describe('projects and groups', () => {
  it('are created, renamed, opened, archived, transferred and deleted', async () => {
    const group = await created(server, '/groups', { name: 'G', path: 'audited' })
    const inGroup = { name: 'p', namespace_id: group.id }
    const project = await created(server, '/projects', inGroup)
    const on = { by: 1, on: `Project ${project.id}` }
    const onGroup = { by: 1, on: `Group ${group.id}` }
    expect(await acts()).toEqual([
      { ...onGroup, add: 'group' },
      { ...on, add: 'project' },
    ])
    const public_ = { visibility: 'public' }
    await send('PUT', `/groups/${group.id}`, { ...public_, path: 'audits', description: 'x' })
    await send('PUT', `/projects/${project.id}`, { ...public_, name: 'P', path: 'q' })
    await send('POST', `/projects/${project.id}/archive`)
    await send('PUT', `/projects/${project.id}/transfer`, { namespace: 'root' })
    expect(await acts()).toEqual([
      { ...onGroup, change: 'path', from: 'audited', to: 'audits' },
      { ...onGroup, change: 'visibility', from: 'private', to: 'public' },
      { ...on, change: 'name', from: 'p', to: 'P' },
      { ...on, change: 'path', from: 'p', to: 'q' },
      { ...on, change: 'visibility', from: 'private', to: 'public' },
      { ...on, change: 'archived', from: '0', to: '1' },
      { ...on, change: 'namespace', from: 'audits/q', to: 'root/q' },
    ])
    await send('DELETE', `/projects/${project.id}`)
    await send('DELETE', `/groups/${group.id}`)
    expect(await acts()).toEqual([
      { ...on, remove: 'project' },
      { ...onGroup, remove: 'group' },
    ])
  })

  it('have protected branches and tags, and webhooks without the secrets of their URL', async () => {
    const { id } = await server.buildProject()
    await mark()
    const on = { by: 1, on: `Project ${id}` }
    for (const [path, type, kind] of [
      ['protected_branches', 'ProtectedBranch', 'protected_branch'],
      ['protected_tags', 'ProtectedTag', 'protected_tag'],
    ]) {
      await created(server, `/projects/${id}/${path}`, { name: 'v*' })
      await send('DELETE', `/projects/${id}/${path}/v*`)
      const target = { target: `${type} null`, name: 'v*' }
      expect(await acts()).toEqual([
        { ...on, add: kind, ...target },
        { ...on, remove: kind, ...target },
      ])
    }
    const url = 'https://user:hidden@hooks.example/hidden?token=hidden'
    const hook = await created(server, `/projects/${id}/hooks`, { url, token: 'hidden' })
    await send('PUT', `/projects/${id}/hooks/${hook.id}`, { url, issues_events: true })
    await send('DELETE', `/projects/${id}/hooks/${hook.id}`)
    const target = { target: `ProjectHook ${hook.id}`, name: 'hooks.example' }
    expect(await acts()).toEqual([
      { ...on, add: 'webhook', ...target },
      { ...on, change: 'webhook', ...target },
      { ...on, remove: 'webhook', ...target },
    ])
    expect(JSON.stringify(await events())).not.toContain('hidden')
  })
})

describe('the instance', () => {
  it('has features, broadcast messages and an appearance, filed under who changed them', async () => {
    await send('POST', '/features/audited', { value: true, user: user.username })
    await send('DELETE', '/features/audited')
    await send('DELETE', '/features/audited')
    const by = { by: 1, on: 'User 1' }
    const feature = { target: 'Feature null', name: 'audited' }
    expect(await acts()).toEqual([
      { ...by, change: 'feature', to: `true User:${user.id}`, ...feature },
      { ...by, remove: 'feature', ...feature },
    ])
    const message = await created(server, '/broadcast_messages', { message: 'Hello' })
    await send('PUT', `/broadcast_messages/${message.id}`, { message: 'Bye' })
    await send('DELETE', `/broadcast_messages/${message.id}`)
    const target = `BroadcastMessage ${message.id}`
    expect(await acts()).toEqual([
      { ...by, add: 'broadcast_message', target, name: 'Hello' },
      { ...by, change: 'broadcast_message', target, name: 'Bye' },
      { ...by, remove: 'broadcast_message', target, name: 'Bye' },
    ])
    await send('PUT', '/application/appearance', { title: 't', footer_message: 'f' })
    expect(await acts()).toEqual([
      {
        ...by,
        change: 'appearance',
        to: 'footer_message, title',
        target: 'Appearance 1',
        name: 'appearance',
      },
    ])
  })
})
