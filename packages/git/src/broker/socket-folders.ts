import { lstat, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { createConnection, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getuid } from 'node:process'

const prefix = 'git-broker-'
const socketName = 'socket'
/** A server takes less to open its socket, in milliseconds. */
const openingMs = 60_000

/** Where folders of sockets are: the path of a unix socket is limited to about 100 bytes. */
export function socketParent(): string {
  return tmpdir().length > 60 ? '/tmp' : tmpdir()
}

/** A unix socket in a private folder that only this user can access. */
export interface SocketFolder {
  folder: string
  /** The path of the socket. */
  path: string
}

/** Has a server listen in a new folder, on a socket that is there only once it accepts connections. */
export async function listenInFolder(server: Server, parent: string): Promise<SocketFolder> {
  const folder = await mkdtemp(join(parent, prefix))
  const opening = join(folder, 'opening')
  const path = join(folder, socketName)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    // The broker's connections queue here while this process is busy; a full queue would refuse
    // them.
    server.listen({ path: opening, backlog: 4096 }, () => resolve())
  })
  await rename(opening, path)
  return { folder, path }
}

/**
 * Removes the folders of servers that were killed: those of this user whose sockets refuse
 * connections.
 */
export async function removeAbandonedFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue
    const folder = join(parent, name)
    if (await isAbandoned(folder)) await rm(folder, { recursive: true, force: true })
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const stat = await lstat(folder).catch(() => undefined)
  if (!stat?.isDirectory() || stat.uid !== getuid?.()) return false
  const refusal = await connectionError(join(folder, socketName))
  if (refusal === 'ECONNREFUSED') return true
  return refusal === 'ENOENT' && Date.now() - stat.mtimeMs > openingMs
}

/** The code of the error of a connection; undefined if it is accepted. */
function connectionError(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(undefined)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
  })
}
