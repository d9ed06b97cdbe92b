import { execFileSync } from 'node:child_process'
import { createMessage, generateKey, readPrivateKey, sign } from 'openpgp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mustGit } from '../../testing/git/git-client.ts'
import { buildPushedProject, type PushedProject } from '../../testing/git/repository.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let pushed: PushedProject
let keyId: string
const oids: Record<string, string> = {}

/** A commit like HEAD with this text as an additional header. */
async function attach(name: string, signature: string): Promise<void> {
  const [head, ...message] = (await mustGit(pushed.tree, 'cat-file', 'commit', 'HEAD')).split(
    '\n\n',
  )
  const header = `gpgsig ${signature.trim().replaceAll('\n', '\n ')}`
  const content = `${head}\n${header}\n\n${message.join('\n\n')}\n`
  const args = ['hash-object', '-t', 'commit', '-w', '--stdin']
  oids[name] = execFileSync('git', args, { cwd: pushed.tree, input: content }).toString().trim()
  await mustGit(pushed.tree, 'branch', name, oids[name])
}

beforeAll(async () => {
  server = await buildTestServer()
  pushed = await buildPushedProject(server)
  const { privateKey } = await generateKey({ userIDs: [{ name: 'Ada' }] })
  const key = await readPrivateKey({ armoredKey: privateKey })
  keyId = key.getKeyID().toHex().toUpperCase()
  const content = await mustGit(pushed.tree, 'cat-file', 'commit', 'HEAD')
  const message = await createMessage({ text: content })
  await attach('signed', await sign({ message, signingKeys: key, detached: true }))
  await attach('garbled', '-----BEGIN PGP SIGNATURE-----\n\nnonsense\n-----END PGP SIGNATURE-----')
  await attach('ssh', '-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END SSH SIGNATURE-----')
  await pushed.push('signed', 'garbled', 'ssh')
})
afterAll(() => server.close())

async function get(sha: string) {
  const path = `/projects/${pushed.project.id}/repository/commits/${sha}/signature`
  return server.inject('GET', path)
}

describe('GET /projects/:id/repository/commits/:sha/signature', () => {
  it('shows the key as unknown', async () => {
    for (const sha of ['signed', oids.signed ?? '']) {
      const { status, body } = await get(sha)
      expect(status).toBe(200)
      expect(body).toEqual({
        gpg_key_id: null,
        gpg_key_primary_keyid: keyId,
        gpg_key_user_name: null,
        gpg_key_user_email: null,
        verification_status: 'unknown_key',
        gpg_key_subkey_id: null,
      })
    }
  })

  it.each(['main', 'garbled', 'ssh'])('returns 404 for the commit %s', async (sha) => {
    const { status, body } = await get(sha)
    expect([status, body]).toEqual([404, { message: '404 GPG Signature Not Found' }])
  })

  it.each(['none', '-x', 'f'.repeat(40)])('returns 404 for no commit, %s', async (sha) => {
    expect((await get(sha)).body).toEqual({ message: '404 Commit Not Found' })
  })
})
