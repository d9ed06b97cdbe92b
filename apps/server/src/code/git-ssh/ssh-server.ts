import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import ssh2, { type AuthContext, type Connection, type PublicKeyAuthContext } from 'ssh2'
import type { App } from '../../platform/app.ts'
import { clientNetwork } from '../../platform/http/client-network.ts'
import { isProtocolEnabled } from '../git-http/git-protocol.ts'
import { loadHostKey } from './host-key.ts'
import { findKeyOwner, type KeyOwner } from './key-owner.service.ts'
import { serveSessions } from './ssh-session.ts'

/** A running SSH server. */
export interface SshServer {
  port: number
  /** Accepts no more connections, and cuts those that are left after a grace period. */
  close: () => Promise<void>
}

/** The only user name: who connects is known by the key. */
const userName = 'git'
/** Milliseconds in which a client has to prove that it has a key. */
const loginGraceMs = 30_000
const maxAttempts = 10
const maxConnections = 512
const maxConnectionsPerNetwork = 64
/** Milliseconds that transfers get to end when the server closes. */
const closeGraceMs = 5000

/**
 * What is negotiated: elliptic curves, which cost a fraction of a millisecond, and authenticated
 * ciphers or MACs over the ciphertext. Every OpenSSH since 7.0 knows them.
 */
const algorithms: ssh2.Algorithms = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
  ],
  serverHostKey: ['ssh-ed25519'],
  cipher: [
    'aes128-gcm@openssh.com',
    'aes256-gcm@openssh.com',
    'aes128-ctr',
    'aes192-ctr',
    'aes256-ctr',
  ],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com'],
  compress: ['none'],
}

/**
 * Serves git over SSH, to users and deploy keys, under the rules of git over HTTP.
 * @throws the error of `listen`
 */
export async function openSshServer(
  app: App,
  { host, port }: { host: string; port: number },
): Promise<SshServer> {
  const ssh = new ssh2.Server(
    { hostKeys: [await loadHostKey(app.config)], ident: 'Stithy', algorithms },
    (connection, { ip }) => serve(app, connection, ip),
  )
  ssh.on('error', (error: Error) => app.log.warn({ err: error }, 'the SSH server failed'))
  const sockets = new Map<Socket, string>()
  const server = createServer((socket) => admit(ssh, sockets, socket))
  await listen(server, host, port)
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () => close(server, sockets),
  }
}

function admit(ssh: ssh2.Server, sockets: Map<Socket, string>, socket: Socket): void {
  socket.on('error', () => {})
  const network = clientNetwork(socket.remoteAddress ?? '')
  const ofNetwork = [...sockets.values()].filter((other) => other === network).length
  if (sockets.size >= maxConnections || ofNetwork >= maxConnectionsPerNetwork) {
    socket.destroy()
    return
  }
  sockets.set(socket, network)
  socket.once('close', () => sockets.delete(socket))
  socket.setKeepAlive(true, 30_000)
  socket.setNoDelay(true)
  ssh.injectSocket(socket)
}

function serve(app: App, connection: Connection, ip: string): void {
  let owner: KeyOwner | undefined
  let attempts = 0
  const grace = setTimeout(() => connection.end(), loginGraceMs)
  // Clients that leave, or send something else than SSH.
  connection.on('error', (error) => app.log.debug({ err: error, ip }, 'an SSH client failed'))
  connection.once('close', () => clearTimeout(grace))
  connection.on('authentication', (context) => {
    attempts += 1
    if (attempts > maxAttempts) {
      connection.end()
      return
    }
    findOwner(app, context).then(
      (found) => {
        if (found === undefined) return context.reject(['publickey'])
        // First: accepting a signature makes the connection ready.
        if (hasSignature(context)) owner = found
        return context.accept()
      },
      (error: unknown) => {
        app.log.error({ err: error }, 'an SSH client could not be authenticated')
        context.reject(['publickey'])
      },
    )
  })
  connection.once('ready', () => {
    clearTimeout(grace)
    if (owner === undefined) connection.end()
    else serveSessions({ app, owner, connection })
  })
}

/**
 * The owner of the key that a client has, or asks about: it first sends each of its keys without a
 * signature, to learn which one to use (RFC 4252, section 7). Undefined to refuse it.
 */
async function findOwner(app: App, context: AuthContext): Promise<KeyOwner | undefined> {
  if (context.method !== 'publickey' || context.username !== userName) return undefined
  if (hasSignature(context) && !isVerified(context)) return undefined
  const isEnabled = isProtocolEnabled(app, 'ssh')
  return isEnabled ? findKeyOwner(app, fingerprintOf(context)) : undefined
}

function hasSignature(context: AuthContext): boolean {
  return context.method === 'publickey' && context.signature !== undefined
}

function fingerprintOf({ key }: PublicKeyAuthContext): string {
  const digest = createHash('sha256').update(key.data).digest('base64')
  return `SHA256:${digest.replaceAll('=', '')}`
}

function isVerified({ key, blob, signature, hashAlgo }: PublicKeyAuthContext): boolean {
  const parsed = ssh2.utils.parseKey(key.data)
  if (parsed instanceof Error || blob === undefined || signature === undefined) return false
  // The key that is verified with is the one whose fingerprint is looked up.
  const bytes = parsed.getPublicSSH()
  if (bytes.length !== key.data.length || !timingSafeEqual(bytes, key.data)) return false
  return parsed.verify(blob, signature, hashAlgo) === true
}

function listen(server: Server, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen({ host, port }, () => {
    server.off('error', reject)
    resolve()
  })
  return promise
}

async function close(server: Server, sockets: ReadonlyMap<Socket, string>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const cut = setTimeout(() => {
    for (const socket of sockets.keys()) socket.destroy()
  }, closeGraceMs)
  await closed
  clearTimeout(cut)
}
