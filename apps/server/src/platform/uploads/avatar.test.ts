import { watch } from 'node:fs'
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { receivedFilesFolder, removeReceivedFilesJob } from '../http/received-files.ts'

let server: TestServer
let root: { token: string }

beforeAll(async () => {
  server = await buildTestServer()
  root = { token: server.root.token }
})
afterAll(() => server.close())

describe('avatars', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )

  async function upload(userId: number, filename: string, bytes: Uint8Array<ArrayBuffer>) {
    const form = new FormData()
    form.set('avatar', new Blob([bytes]), filename)
    const url = `${await server.url()}/api/v4/users/${userId}`
    const answer = await fetch(url, {
      method: 'PUT',
      body: form,
      headers: { 'private-token': root.token },
    })
    const body: Json = await answer.json()
    return { status: answer.status, body }
  }

  async function fileCount(): Promise<number> {
    const folder = join(server.app.config.data, 'uploads', 'avatars')
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).length
  }

  it('are stored, served as images, replaced and removed', async () => {
    const user = await server.buildUser()
    const { status, body } = await upload(user.id, '../my face.png', png)
    expect(status).toBe(200)
    const path = `/uploads/-/system/user/avatar/${user.id}/my_face.png`
    expect(body.avatar_url).toBe(`http://stithy.test${path}`)
    const served = await server.inject('GET', `/${path}`)
    expect(served.status).toBe(200)
    expect(served.bytes.equals(png)).toBe(true)
    expect(served.headers['content-type']).toBe('image/png')
    expect(served.headers['x-content-type-options']).toBe('nosniff')
    expect(await fileCount()).toBe(1)
    await upload(user.id, 'other.png', png)
    expect(await fileCount()).toBe(1)
    expect((await server.inject('GET', `/${path}`)).status).toBe(404)
    const cleared = await server.inject('PUT', `/users/${user.id}`, {
      ...root,
      body: { avatar: '' },
    })
    expect(cleared.body.avatar_url).toBeNull()
    expect(await fileCount()).toBe(0)
  })

  it('must be images, whatever their name', async () => {
    const user = await server.buildUser()
    const svg = await upload(user.id, 'a.png', Buffer.from('<svg onload="alert(1)"/>'))
    expect(svg.status).toBe(404)
    expect(svg.body.message.avatar[0]).toContain('is not an image')
    const big = await upload(user.id, 'a.png', Buffer.concat([png, Buffer.alloc(300_000)]))
    expect(big.body.message.avatar[0]).toContain('is too big')
    const { body } = await upload(user.id, 'a.png', png)
    const empty = await upload(user.id, 'empty.png', new Uint8Array())
    expect(empty.status).toBe(404)
    expect(empty.body.message.avatar[0]).toContain('is not an image')
    const kept = await server.inject('GET', `/users/${user.id}`, root)
    expect(kept.body.avatar_url).toBe(body.avatar_url)
  })

  it('are not read outside of their directory', async () => {
    for (const path of [
      'user/avatar/x/a',
      'user/avatar/1/..%2f..%2fstithy.db',
      'disk/avatar/1/a',
    ]) {
      expect((await server.inject('GET', `//uploads/-/system/${path}`)).status).toBe(404)
    }
  })

  it('are received on disk, and deleted from there after the response', async () => {
    const user = await server.buildUser()
    const received = receivedFilesFolder(server.app.config)
    const seen = new Set<string>()
    const watcher = watch(await mkdir(received, { recursive: true }).then(() => received))
    watcher.on('change', (_, name) => seen.add(String(name)))
    expect((await upload(user.id, 'face.png', png)).status).toBe(200)
    expect((await upload(user.id, 'face.txt', Buffer.alloc(5_000_000, 'a'))).status).not.toBe(200)
    await expect.poll(() => seen.size).toBe(2)
    await expect.poll(() => readdir(received)).toEqual([])
    watcher.close()
  })

  it('are refused above 10 MB while they are received', async () => {
    const user = await server.buildUser()
    const { status } = await upload(user.id, 'large.png', Buffer.alloc(10 * 1024 * 1024 + 1))
    expect(status).toBe(413)
    const received = receivedFilesFolder(server.app.config)
    await expect.poll(() => readdir(received)).toEqual([])
  })

  it('that a crash left half received are deleted a day later', async () => {
    const received = receivedFilesFolder(server.app.config)
    await mkdir(received, { recursive: true })
    const [old, recent] = [join(received, 'old'), join(received, 'recent')]
    await writeFile(old, 'a')
    await utimes(old, 0, 0)
    await writeFile(recent, 'a')
    await removeReceivedFilesJob.run(server.app)
    expect(await readdir(received)).toEqual(['recent'])
    await rm(recent)
  })
})
