import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import type { GitError } from '../git-error.ts'
import { tokenLength } from './protocol.ts'
import { listenInFolder, removeAbandonedFolders, socketParent } from './socket-folders.ts'

/** A stream identified by a token, to which the broker will connect. */
export interface Channel {
  token: string
  /** Resolves when git's end is connected; rejects when cancelled before. */
  socket: Promise<Socket>
  cancel(error: GitError): void
}

/** A private unix socket through which git's streams connect. */
export interface ChannelServer {
  path: string
  expect(): Channel
  close(): Promise<void>
}

type Waiting = Map<string, (socket: Socket) => void>

function match(socket: Socket, waiting: Waiting): void {
  const token: Buffer | null = socket.read(tokenLength)
  if (!token) return
  socket.removeAllListeners('readable')
  const claim = waiting.get(token.toString('latin1'))
  if (claim) claim(socket)
  else socket.destroy()
}

function expectChannel(waiting: Waiting): Channel {
  const token = randomBytes(tokenLength / 2).toString('hex')
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  // A caller that cancels need not be waiting yet.
  promise.catch(() => {})
  waiting.set(token, (socket) => {
    waiting.delete(token)
    resolve(socket)
  })
  const cancel = (error: GitError) => {
    waiting.delete(token)
    reject(error)
  }
  return { token, socket: promise, cancel }
}

/**
 * Opens the socket in a private folder that only this user can access. Folders of servers that were
 * killed before are removed.
 */
export async function openChannels(): Promise<ChannelServer> {
  const waiting: Waiting = new Map()
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    // A broken stream is reported by the exit of the process, not by its socket.
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
    socket.on('readable', () => match(socket, waiting))
  })
  const parent = socketParent()
  const { folder, path } = await listenInFolder(server, parent)
  // Nobody waits for that.
  void removeAbandonedFolders(parent).catch(() => {})
  return {
    path,
    expect: () => expectChannel(waiting),
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
