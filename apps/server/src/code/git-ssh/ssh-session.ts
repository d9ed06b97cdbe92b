import type { Connection, ServerChannel, Session } from 'ssh2'
import type { App } from '../../platform/app.ts'
import { parseCommand } from './command.ts'
import { type KeyOwner, requesterOf } from './key-owner.service.ts'
import { messageOf, serveFetch, servePush } from './ssh-transfer.ts'

/** An authenticated connection. */
export interface SshClient {
  app: App
  owner: KeyOwner
  connection: Connection
}

/** Sessions at once of a connection; git opens one, and a multiplexing client a few. */
const maxSessions = 10

/** Milliseconds after which a connection without sessions is closed. */
const idleMs = 5 * 60_000

/** Serves the sessions of a connection: git's two commands, and a greeting instead of a shell. */
export function serveSessions(client: SshClient): void {
  let open = 0
  const closeIdle = () => {
    if (open === 0) client.connection.end()
  }
  let idle = setTimeout(closeIdle, idleMs)
  client.connection.once('close', () => clearTimeout(idle))
  client.connection.on('session', (accept, reject) => {
    if (open >= maxSessions) {
      reject()
      return
    }
    open += 1
    const session = accept()
    session.once('close', () => {
      open -= 1
      clearTimeout(idle)
      idle = setTimeout(closeIdle, idleMs)
    })
    serveSession(client, session)
  })
}

function serveSession(client: SshClient, session: Session): void {
  let protocol: string | undefined
  session.on('env', (accept, _reject, { key, val }) => {
    // Others are ignored: clients send their locale.
    if (key === 'GIT_PROTOCOL') protocol = val
    accept?.()
  })
  session.on('pty', (_accept, reject) => reject?.())
  session.once('shell', (accept) => {
    const channel = accept()
    channel.on('error', () => {})
    channel.write(greetingOf(client))
    finish(channel, 0)
  })
  session.once('exec', (accept, _reject, { command }) => {
    const channel = accept()
    channel.on('error', () => {})
    void run(client, channel, command, protocol).then((code) => finish(channel, code))
  })
}

async function run(
  { app, owner }: SshClient,
  channel: ServerChannel,
  line: string,
  protocol: string | undefined,
): Promise<number> {
  try {
    const command = parseCommand(line)
    if (command.kind === 'unsupported') {
      channel.stderr.write('Only git clone, fetch and push are served here.\n')
      return 1
    }
    const { path } = command
    const requester = await requesterOf(app, owner, path)
    const transfer = { app, requester, client: clientOf(owner), path, protocol, channel }
    return await (command.kind === 'upload-pack' ? serveFetch(transfer) : servePush(transfer))
  } catch (error) {
    const message = messageOf(error)
    if (message === undefined && !channel.destroyed) {
      app.log.error({ err: error }, 'a transfer over SSH failed')
    }
    channel.stderr.write(`${message ?? 'The server could not do this.'}\n`)
    return 1
  }
}

/** Transfers of one user, or of one deploy key, share its slots. */
function clientOf({ key, caller }: KeyOwner): string {
  return key.kind === 'user' && caller?.user ? `user ${caller.user.id}` : `key ${key.id}`
}

function greetingOf({ owner: { key, caller } }: SshClient): string {
  const who = key.kind === 'user' ? (caller?.user?.username ?? '') : `the deploy key ${key.title}`
  return `Welcome to Stithy, ${who}! There is no shell here: use git clone, fetch and push.\r\n`
}

function finish(channel: ServerChannel, code: number): void {
  if (channel.destroyed) return
  channel.exit(code)
  channel.end()
}
