import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commit, git, pushedProject } from '../../testing/git/git-client.ts'
import { setSettings } from '../../testing/settings.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

describe('password_authentication_enabled_for_git', () => {
  it('refuses passwords, right and wrong ones alike, and takes tokens', async () => {
    const { project } = await pushedProject(server)
    const refs = `//${project.path_with_namespace}.git/info/refs?service=git-upload-pack`
    const fetch = async (secret: string) => {
      const authorization = `Basic ${Buffer.from(`root:${secret}`).toString('base64')}`
      const { status, text } = await server.inject('GET', refs, { headers: { authorization } })
      return [status, text.includes('personal access token')]
    }
    expect(await fetch(server.root.password)).toEqual([200, false])
    await setSettings(server, { password_authentication_enabled_for_git: false })
    expect(await fetch(server.root.password)).toEqual([401, true])
    expect(await fetch('a wrong password')).toEqual([401, true])
    expect(await fetch(server.root.token)).toEqual([200, false])
    await setSettings(server, { password_authentication_enabled_for_git: true })
  })
})

describe('receive_max_input_size', () => {
  it('is the size in MiB from which a push is refused', async () => {
    const { tree, remote } = await pushedProject(server)
    await commit(tree, { 'noise.bin': randomBytes(1_500_000).toString('base64') }, 'Add noise')
    await setSettings(server, { receive_max_input_size: 1 })
    expect((await git(tree, 'push', remote, 'HEAD:main')).code).not.toBe(0)
    await setSettings(server, { receive_max_input_size: null })
    expect((await git(tree, 'push', remote, 'HEAD:main')).code).toBe(0)
  })
})
