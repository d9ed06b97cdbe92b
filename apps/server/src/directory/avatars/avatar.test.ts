// GET /avatar: anonymous allowed; `email` required, `size` for the external service only; 403 for
// anonymous callers when the public level is restricted.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { setSetting } from '../../testing/settings.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let ada: TestUser
beforeAll(async () => {
  server = await buildTestServer()
  ada = await server.buildUser({ public_email: 'ada@public.example' })
})
afterAll(() => server.close())

const get = (query: string, token?: string) => callAs(server, 'GET', `/avatar?${query}`, token)
const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const external = (email: string, size: number) =>
  `https://secure.gravatar.com/avatar/${md5(email)}?s=${size}&d=identicon`

/** Uploads an avatar as an administrator; returns its address. */
async function upload(): Promise<string> {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const type = 'content-type: image/png'
  const disposition = 'content-disposition: form-data; name="avatar"; filename="a.png"'
  const answer = await server.inject('PUT', `/users/${ada.id}`, {
    token: server.root.token,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    bytes: Buffer.concat([
      Buffer.from(`--b\r\n${disposition}\r\n${type}\r\n\r\n`),
      png,
      Buffer.from('\r\n--b--\r\n'),
    ]),
  })
  return answer.body.avatar_url
}

describe('GET /avatar', () => {
  it('returns the address of the external service for an unknown address, without a token', async () => {
    const { status, body } = await get('email=Nobody@Example.com&size=32')
    expect([status, body]).toEqual([200, { avatar_url: external('nobody@example.com', 64) }])
    expect((await get('email=x@y')).body).toEqual({ avatar_url: external('x@y', 80) })
  })

  it('returns the uploaded avatar of the user with that public address', async () => {
    const before = await get('email=ada@public.example')
    expect(before.body).toEqual({ avatar_url: external('ada@public.example', 80) })
    const avatar_url = await upload()
    expect(avatar_url).toMatch(/^http/)
    expect((await get('email=ada@public.example&size=32')).body).toEqual({ avatar_url })
    // An address that is not public reveals nothing.
    expect((await get(`email=${ada.email}`)).body).toEqual({ avatar_url: external(ada.email, 80) })
  })

  it('returns null for others while avatarservice_enabled is off', async () => {
    await setSetting(server, 'avatarservice_enabled', false)
    expect((await get('email=x@y')).body).toEqual({ avatar_url: null })
    await setSetting(server, 'avatarservice_enabled', true)
  })

  it('returns 403 without a token while the public level is restricted', async () => {
    await setSetting(server, 'restricted_visibility_levels', ['public'])
    expect((await get('email=x@y')).body).toEqual({ message: '403 Forbidden' })
    expect((await get('email=x@y', ada.token)).status).toBe(200)
    await setSetting(server, 'restricted_visibility_levels', [])
  })

  it('returns 400 without an address and for a bad size', async () => {
    for (const query of [
      '',
      'email=',
      'email=x@y&size=x',
      'email=x@y&size=0',
      'email=x@y&size=9999',
    ]) {
      expect((await get(query)).status).toBe(400)
    }
  })
})
