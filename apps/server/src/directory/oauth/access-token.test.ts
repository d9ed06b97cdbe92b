import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticateBasic } from '../../code/git-http/basic.ts'
import { callAs } from '../../testing/clients/calls.ts'
import {
  authorizeUrl,
  bearer,
  consent,
  createApplication,
  credentialsOf,
  getCode,
  issueTokens,
  passwordTokens,
  postForm,
  redeem,
  returned,
  signedIn,
  type TestApplication,
  type TestBrowser,
  userStatus,
} from '../../testing/clients/oauth.ts'
import { git, mustGit, pushedProject, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { deleteEndedGrantsJob } from './oauth.jobs.ts'

/*
 * Statements covered:
 * - an OAuth access token is a caller like a personal access token, with its scopes; in Git over
 *   HTTP as the password of oauth2; sudo with the scope; expired and revoked 401 invalid_token;
 *   blocked users' tokens stop working
 * - expired codes and tokens are deleted by a job
 */

let server: TestServer
let user: Awaited<ReturnType<TestServer['buildUser']>>
let browser: TestBrowser
let app: TestApplication
beforeAll(async () => {
  server = await buildTestServer()
  user = await server.buildUser()
  browser = await signedIn(server, user)
  app = await createApplication(server)
})
afterAll(() => server.close())

const issue = (scope?: string) => issueTokens(server, browser, app, scope)
const info = (token: string) => server.inject('GET', '//oauth/token/info', bearer(token))

describe('an OAuth access token', () => {
  it('is limited to its scopes', async () => {
    const { access_token } = await issue('read_repository profile email')
    const { status, body } = await server.inject('GET', '/user', bearer(access_token))
    expect([status, body.error, body.scope]).toEqual([403, 'insufficient_scope', 'api read_user'])
    const reading = await issue('read_user')
    expect(await userStatus(server, reading.access_token)).toBe(200)
    const projects = await server.inject('GET', '/projects', bearer(reading.access_token))
    expect(projects.status).toBe(403)
  })

  it('is the password of oauth2 in Git over HTTP', async () => {
    const rights = async (scope: string, username = 'oauth2') => {
      const { access_token: password } = await issue(scope)
      const caller = await authenticateBasic(server.app, {
        username,
        password,
        address: '10.0.0.1',
      })
      return [caller.user?.id, caller.canRead, caller.canWrite]
    }
    expect(await rights('api')).toEqual([user.id, true, true])
    expect(await rights('write_repository')).toEqual([user.id, true, true])
    expect(await rights('read_repository')).toEqual([user.id, true, false])
    await expect(rights('read_user')).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(rights('api', user.username)).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('clones and pushes in Git over HTTP', async () => {
    const { project, tree } = await pushedProject(server)
    await server.addMember(`projects/${project.id}`, user.id, 30)
    const base = await server.url()
    const remote = async (scope: string) =>
      remoteUrl(base, project.path_with_namespace, 'oauth2', (await issue(scope)).access_token)
    expect(await mustGit(tree, 'ls-remote', await remote('read_repository'))).toMatch(/heads\/main/)
    const refused = await git(tree, 'push', await remote('read_repository'), 'main:own')
    expect(refused.code).not.toBe(0)
    await mustGit(tree, 'push', await remote('write_repository'), 'main:own')
    expect(await mustGit(tree, 'ls-remote', await remote('api'))).toMatch(/heads\/own/)
  })

  it('of an administrator acts as another user with the scope sudo', async () => {
    const root = await signedIn(server, server.root)
    const token = async (scope: string) =>
      (await redeem(server, app, await getCode(root, app, { scope }))).body.access_token
    const sudoer = await createApplication(server, { scopes: 'api sudo' })
    const code = await getCode(root, sudoer, { scope: 'api sudo' })
    const { access_token } = (await redeem(server, sudoer, code)).body
    const headers = { authorization: `Bearer ${access_token}`, sudo: user.username }
    expect((await server.inject('GET', '/user', { headers })).body.id).toBe(user.id)
    const narrow = { authorization: `Bearer ${await token('api')}`, sudo: user.username }
    expect((await server.inject('GET', '/user', { headers: narrow })).status).toBe(403)
  })

  it('stops working when its user is blocked', async () => {
    const person = await server.buildUser()
    const { access_token } = await passwordTokens(server, person)
    await callAs(server, 'POST', `/users/${person.id}/block`, server.root.token)
    expect(await userStatus(server, access_token)).toBe(403)
    expect((await info(access_token)).status).toBe(401)
  })

  it('that was returned by the browser ends with the application', async () => {
    const own = await createApplication(server)
    const answer = await consent(browser, authorizeUrl(own, { response_type: 'token' }))
    const { access_token = '' } = returned(answer)
    expect(await userStatus(server, access_token)).toBe(200)
    await callAs(server, 'DELETE', `/applications/${own.id}`, server.root.token)
    const { status, body } = await server.inject('GET', '/user', bearer(access_token))
    expect([status, body.error]).toEqual([401, 'invalid_token'])
  })

  it('expires after two hours, and is deleted a day later with what else has ended', async () => {
    const own = await buildTestServer()
    try {
      const person = await own.buildUser()
      const page = await signedIn(own, person)
      const client = await createApplication(own)
      const implicit = await consent(page, authorizeUrl(client, { response_type: 'token' }))
      const { access_token: short = '' } = returned(implicit)
      const { body } = await redeem(own, client, await getCode(page, client))
      await getCode(page, client)
      own.advance(7_200_000)
      const ended = await own.inject('GET', '/user', bearer(body.access_token))
      expect([ended.status, ended.body.error]).toEqual([401, 'invalid_token'])
      expect(await rowCounts(own)).toEqual([2, 2, 1, 3])
      own.advance(24 * 3_600_000)
      await runCleanup(own)
      expect(await rowCounts(own)).toEqual([0, 0, 1, 1])
      expect((await own.inject('GET', '/user', bearer(short))).body).toEqual({
        message: '401 Unauthorized',
      })
      const fields = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
      const next = await postForm(own, 'token', { ...fields, ...credentialsOf(client) })
      expect(await userStatus(own, next.body.access_token)).toBe(200)
      own.advance(31 * 24 * 3_600_000)
      await runCleanup(own)
      expect(await rowCounts(own)).toEqual([0, 0, 1, 1])
      own.advance(366 * 24 * 3_600_000)
      await runCleanup(own)
      expect(await rowCounts(own)).toEqual([0, 0, 0, 0])
      expect(await userStatus(own, person.token)).toBe(200)
    } finally {
      await own.close()
    }
  })
})

/** The number of OAuth access tokens, codes, refresh tokens and grants. */
async function rowCounts({ app: { db } }: TestServer): Promise<number[]> {
  const tokens = await db.all('test.tokens', {}, (q) =>
    q.selectFrom('tokens').select('id').where('kind', '=', 'oauth'),
  )
  const others = ['oauthCodes', 'oauthRefreshTokens', 'oauthGrants'] as const
  const rows = await Promise.all(
    others.map((table) => db.all(`test.${table}`, {}, (q) => q.selectFrom(table).selectAll())),
  )
  return [tokens, ...rows].map(({ length }) => length)
}

async function runCleanup({ app }: TestServer): Promise<void> {
  await deleteEndedGrantsJob.run(app)
}
