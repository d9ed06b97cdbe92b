import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openGit } from '../git.ts'
import { listenInFolder, removeAbandonedFolders, socketParent } from './socket-folders.ts'

let parent: string
let server: Server
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'sockets-'))
  server = createServer()
})
afterEach(async () => {
  server.close()
  await rm(parent, { recursive: true })
})

/** The folder of a server that was killed, as `kill -9` does. */
async function abandonedFolder(inside: string): Promise<string> {
  const script = `
    import { createServer } from 'node:net'
    import { listenInFolder } from ${JSON.stringify(import.meta.resolve('./socket-folders.ts'))}
    process.stdout.write((await listenInFolder(createServer(), ${JSON.stringify(inside)})).folder)`
  const args = ['--no-warnings', '--input-type=module', '--eval', script]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [folder] = await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await ended
  return String(folder)
}

describe('removeAbandonedFolders', () => {
  it('removes the folders of killed servers, and leaves those of running ones', async () => {
    const { folder } = await listenInFolder(server, parent)
    const abandoned = await abandonedFolder(parent)
    expect(existsSync(join(abandoned, 'socket'))).toBe(true)
    await mkdir(join(parent, 'other'))
    await removeAbandonedFolders(parent)
    expect((await readdir(parent)).map((name) => join(parent, name)).toSorted()).toEqual(
      [folder, join(parent, 'other')].toSorted(),
    )
    expect(await readdir(folder)).toEqual(['socket'])
  })

  it('leaves folders without a socket to servers that start', async () => {
    const folder = await mkdtemp(join(parent, 'git-broker-'))
    await removeAbandonedFolders(parent)
    expect(existsSync(folder)).toBe(true)
    const hourAgo = Date.now() / 1000 - 3600
    await utimes(folder, hourAgo, hourAgo)
    await removeAbandonedFolders(parent)
    expect(existsSync(folder)).toBe(false)
  })
})

describe('openGit', () => {
  it('removes what a killed server has left', async () => {
    const abandoned = await abandonedFolder(socketParent())
    const git = await openGit()
    await expect.poll(() => existsSync(abandoned)).toBe(false)
    await git.close()
  })
})
