import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GitError } from '../git-error.ts'
import { tokenLength } from './protocol.ts'

/** A stream that was announced under a token and is awaited from the broker. */
export interface Channel {
  token: string
  /** Resolves when git's end is connected; rejects when cancelled before. */
  socket: Promise<Socket>
  cancel(error: GitError): void
}

/** A private unix socket through which git's streams arrive. */
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
  // Whoever cancels need not have begun to wait.
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

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    // The broker's connections wait here while this process is busy; a full queue refuses them.
    server.listen({ path, backlog: 4096 }, () => resolve())
  })
}

/** Opens the socket in a folder of its own that only this user may enter. */
export async function openChannels(): Promise<ChannelServer> {
  // The address of a unix socket holds about 100 bytes.
  const parent = tmpdir().length > 60 ? '/tmp' : tmpdir()
  const folder = await mkdtemp(join(parent, 'git-broker-'))
  const waiting: Waiting = new Map()
  const path = join(folder, 'socket')
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    // What a broken stream means is told by the end of the process, not by its socket.
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
    socket.on('readable', () => match(socket, waiting))
  })
  await listen(server, path)
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
