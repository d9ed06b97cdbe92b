// GET .../commits/:sha/signature: key, user ID and status of an OpenPGP signature; 404 for unsigned.
// `verified` only when the committer's address is in the key and a confirmed one of its owner.
// Revoking and deleting a key make its signatures unverified.
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { mustGit } from '../../testing/git/git-client.ts'
import { buildGpgKey, type GpgKeyPair, signText } from '../../testing/git/gpg-key.ts'
import { buildPushedProject, type PushedProject } from '../../testing/git/repository.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let pushed: PushedProject
let count = 0
beforeAll(async () => {
  server = await buildTestServer()
  pushed = await buildPushedProject(server)
})
afterAll(() => server.close())

/** The parts of a commit like HEAD by this committer: its headers and the rest. */
async function partsOf(email: string): Promise<[head: string, rest: string]> {
  const content = await mustGit(pushed.tree, 'cat-file', 'commit', 'HEAD')
  const [head = '', ...message] = content.split('\n\n')
  const committer = `committer Ada <${email}> 1700000000 +0000`
  return [head.replace(/^committer .*$/m, committer), `\n\n${message.join('\n\n')} ${count}\n`]
}

/** Pushes a commit with these headers; returns its id. */
async function push(content: string): Promise<string> {
  const args = ['hash-object', '-t', 'commit', '-w', '--stdin']
  const oid = execFileSync('git', args, { cwd: pushed.tree, input: content }).toString().trim()
  const branch = `signed-${++count}`
  await mustGit(pushed.tree, 'branch', branch, oid)
  await pushed.push(branch)
  return oid
}

function headerOf(signature: string, name = 'gpgsig'): string {
  return `${name} ${signature.trim().replaceAll('\r', '').replaceAll('\n', '\n ')}`
}

/** Pushes a commit that `key` has signed, or of which it has signed something else. */
async function pushSigned(key: GpgKeyPair, email: string, signed?: string): Promise<string> {
  const [head, rest] = await partsOf(email)
  const signature = await signText(signed ?? head + rest, key)
  const other = headerOf(signature, 'gpgsig-sha256')
  return push(`${head}\n${headerOf(signature)}\n${other}${rest}`)
}

const get = (sha: string) =>
  callAs(
    server,
    'GET',
    `/projects/${pushed.project.id}/repository/commits/${sha}/signature`,
    server.root.token,
  )
const statusOf = async (sha: string) => (await get(sha)).body.verification_status

describe('GET /projects/:id/repository/commits/:sha/signature', () => {
  let ada: TestUser
  let key: GpgKeyPair
  beforeEach(async () => {
    ada = await server.buildUser()
    key = await buildGpgKey(ada.email)
  })
  const add = ({ publicKey }: GpgKeyPair, user = ada): Promise<Json> =>
    created(server, '/user/gpg_keys', { key: publicKey }, user)

  it('returns a verified signature with its key and user ID', async () => {
    const { id } = await add(key)
    const { status, body } = await get(await pushSigned(key, ada.email.toUpperCase()))
    expect([status, body]).toEqual([
      200,
      {
        gpg_key_id: id,
        gpg_key_primary_keyid: key.keyId,
        gpg_key_user_name: 'Ada',
        gpg_key_user_email: ada.email,
        verification_status: 'verified',
        gpg_key_subkey_id: null,
      },
    ])
  })

  it('names the subkey that signed', async () => {
    const withSubkey = await buildGpgKey(ada.email, { subkey: true })
    const { id } = await add(withSubkey)
    expect((await get(await pushSigned(withSubkey, ada.email))).body).toMatchObject({
      gpg_key_id: id,
      gpg_key_primary_keyid: withSubkey.keyId,
      gpg_key_subkey_id: expect.any(Number),
      verification_status: 'verified',
    })
  })

  it('knows only keys of users, before they are added, deleted, revoked or leave', async () => {
    const sha = await pushSigned(key, ada.email)
    const unknown = {
      gpg_key_id: null,
      gpg_key_primary_keyid: key.keyId,
      gpg_key_user_name: null,
      gpg_key_user_email: null,
      verification_status: 'unknown_key',
      gpg_key_subkey_id: null,
    }
    const removals = [
      (id: number) => callAs(server, 'DELETE', `/user/gpg_keys/${id}`, ada.token),
      (id: number) => callAs(server, 'POST', `/user/gpg_keys/${id}/revoke`, ada.token),
      () => callAs(server, 'DELETE', `/users/${ada.id}`, server.root.token),
    ]
    for (const remove of removals) {
      expect((await get(sha)).body).toEqual(unknown)
      const { id } = await add(key)
      expect(await statusOf(sha)).toBe('verified')
      await remove(id)
    }
    expect((await get(sha)).body).toEqual(unknown)
  })

  it('is unverified for something else that was signed', async () => {
    await add(key)
    const sha = await pushSigned(key, ada.email, 'something else')
    expect(await statusOf(sha)).toBe('unverified')
  })

  it('says whose address the committer used', async () => {
    await add(key)
    const second = `second-${ada.email}`
    const sha = await pushSigned(key, second)
    expect(await statusOf(sha)).toBe('other_user')
    const body = { email: second, skip_confirmation: true }
    await created(server, `/users/${ada.id}/emails`, body)
    expect(await statusOf(sha)).toBe('same_user_different_email')
  })

  it('needs a confirmed address of the owner in the key', async () => {
    const second = `key-of-${ada.email}`
    const other = await buildGpgKey(second)
    const sha = await pushSigned(other, second)
    await add(other)
    expect(await statusOf(sha)).toBe('unverified_key')
    const path = `/users/${ada.id}/emails`
    const { id } = await created(server, '/user/emails', { email: second }, ada)
    expect(await statusOf(sha)).toBe('unverified_key')
    await callAs(server, 'DELETE', `${path}/${id}`, server.root.token)
    const confirmed = await created(server, path, { email: second, skip_confirmation: true })
    expect(await statusOf(sha)).toBe('verified')
    await callAs(server, 'DELETE', `${path}/${confirmed.id}`, server.root.token)
    expect(await statusOf(sha)).toBe('unverified_key')
  })

  it('returns 404 for unsigned commits and for signatures of other kinds', async () => {
    const [head, rest] = await partsOf(ada.email)
    const bad = [
      '-----BEGIN PGP SIGNATURE-----\n\nnonsense\n-----END PGP SIGNATURE-----',
      '-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END SSH SIGNATURE-----',
    ]
    const shas = ['main']
    for (const signature of bad) shas.push(await push(`${head}\n${headerOf(signature)}${rest}`))
    for (const sha of shas) {
      const { status, body } = await get(sha)
      expect([status, body]).toEqual([404, { message: '404 GPG Signature Not Found' }])
    }
  })

  it.each(['none', '-x', 'f'.repeat(40)])('returns 404 for no commit, %s', async (sha) => {
    expect((await get(sha)).body).toEqual({ message: '404 Commit Not Found' })
  })
})
