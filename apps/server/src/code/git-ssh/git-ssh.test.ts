/**
 * What holds of git over SSH, with the unmodified `ssh` and `git`:
 * - the user is `git`, and keys of users and deploy keys are what identifies a client;
 * - rights, protected branches, push-to-create, events and messages are those of HTTP;
 * - expired and disallowed keys, blocked users and unknown keys are refused;
 * - no command: a greeting, exit code 0; other commands, forwarding and terminals: none;
 * - refusals are on stderr, with exit code 1 (128 of git);
 * - `enabled_git_access_protocol` = `http` switches SSH off, and `ssh` HTTP;
 * - the host key survives a restart, and is readable by its owner only.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '../../testing/factories.ts'
import {
  buildWorkTree,
  commit,
  type GitResult,
  git,
  mustGit,
  newFolder,
  remoteUrl,
} from '../../testing/git/git-client.ts'
import { setSetting } from '../../testing/settings.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { openSshServer, type SshServer } from './ssh-server.ts'

const hasSsh = (() => {
  try {
    execFileSync('ssh', ['-V'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

let server: TestServer
let ssh: SshServer
let folder: string
let ann: TestUser
let annKey: string
let project: Json
let tree: string

/** Creates a key pair; returns the path of the private key. */
async function newKey(...options: string[]): Promise<string> {
  const path = join(await mkdtemp(join(folder, 'key-')), 'id')
  const args = options.length > 0 ? options : ['-t', 'ed25519']
  execFileSync('ssh-keygen', ['-q', '-N', '', '-C', '', '-f', path, ...args])
  return path
}

const publicKey = (path: string) => readFile(`${path}.pub`, 'utf8')

async function addKey(user: { token: string }, path: string, more: Json = {}): Promise<Json> {
  const body = { title: path.slice(-20), key: await publicKey(path), ...more }
  const { status, body: key } = await server.inject('POST', '/user/keys', {
    token: user.token,
    body,
  })
  expect(status).toBe(201)
  return key
}

function sshOptions(key: string): string[] {
  const options = [
    'StrictHostKeyChecking=accept-new',
    `UserKnownHostsFile=${join(folder, 'known_hosts')}`,
    'IdentitiesOnly=yes',
    'BatchMode=yes',
    'LogLevel=ERROR',
  ]
  return ['-F', '/dev/null', '-i', key, ...options.flatMap((option) => ['-o', option])]
}

const remoteOf = (path: string) => `ssh://git@127.0.0.1:${ssh.port}/${path}.git`
const asKey = (key: string) => ['-c', `core.sshCommand=ssh ${sshOptions(key).join(' ')}`]
const clone = (key: string, path: string = project.path_with_namespace) =>
  newFolder().then((target) => git(target, ...asKey(key), 'clone', '--quiet', remoteOf(path), '.'))
const push = (key: string, ...args: string[]) =>
  git(tree, ...asKey(key), 'push', remoteOf(project.path_with_namespace), ...args)

/** Runs `ssh` itself. */
function runSsh(key: string, ...args: string[]): Promise<GitResult> {
  const child = spawn('ssh', [...sshOptions(key), '-p', String(ssh.port), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code: code ?? -1, stdout, stderr }))
  })
}

describe.skipIf(!hasSsh)('git over SSH', () => {
  beforeAll(async () => {
    server = await buildTestServer({ sshPort: 2222 })
    ssh = await openSshServer(server.app, { host: '127.0.0.1', port: 0 })
    folder = await mkdtemp(join(tmpdir(), 'stithy-ssh-'))
    ann = await server.buildUser()
    annKey = await newKey()
    await addKey(ann, annKey)
    project = await server.buildProject({ visibility: 'private' })
    await server.addMember(`projects/${project.id}`, ann.id, 40)
    tree = await buildWorkTree()
    expect(await push(annKey, 'main')).toEqual({ code: 0, stdout: '', stderr: expect.any(String) })
  })
  afterAll(async () => {
    await ssh.close()
    await server.close()
  })

  it('ssh_url_to_repo names the port', () => {
    expect(project.ssh_url_to_repo).toBe(
      `ssh://git@stithy.test:2222/${project.path_with_namespace}.git`,
    )
  })

  it('clones, fetches and pushes, which is recorded as a push over HTTP is', async () => {
    const target = await newFolder()
    const remote = remoteOf(project.path_with_namespace)
    await mustGit(target, ...asKey(annKey), 'clone', '--quiet', remote, '.')
    const oid = await commit(target, { 'a.txt': 'a\n' }, 'Over SSH')
    const pushed = await git(target, ...asKey(annKey), 'push', 'origin', 'HEAD:main')
    expect([pushed.code, pushed.stderr]).toEqual([0, expect.stringContaining('main')])
    const events = await server.inject('GET', `/projects/${project.id}/events`, {
      token: ann.token,
    })
    expect(events.body[0]).toMatchObject({
      author_id: ann.id,
      action_name: 'pushed to',
      push_data: { commit_title: 'Over SSH', commit_to: oid },
    })
    await mustGit(tree, ...asKey(annKey), 'fetch', '--quiet', remote, 'main')
    expect(await mustGit(tree, 'rev-parse', 'FETCH_HEAD')).toBe(oid)
    await mustGit(tree, 'reset', '--quiet', '--hard', 'FETCH_HEAD')
  })

  it.each(['0', '1', '2'])('serves protocol version %s', async (version) => {
    const target = await newFolder()
    const remote = remoteOf(project.path_with_namespace)
    const args = ['-c', `protocol.version=${version}`, 'clone', '--quiet', remote, '.']
    await mustGit(target, ...asKey(annKey), ...args)
    expect(await mustGit(target, 'log', '-1', '--format=%s')).toBeTruthy()
  })

  it('pushes large packs, deletes branches, and says that all is up to date', async () => {
    const noise = Array.from({ length: 60 }, (_, at) => [
      `n${at}`,
      Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64'),
    ])
    await mustGit(tree, 'checkout', '--quiet', '-b', 'large')
    await commit(tree, Object.fromEntries(noise), 'Large')
    expect((await push(annKey, 'large')).code).toBe(0)
    expect((await push(annKey, 'large')).stderr).toContain('up-to-date')
    expect((await push(annKey, ':large')).code).toBe(0)
    await mustGit(tree, 'checkout', '--quiet', 'main')
  })

  it('refuses a protected branch with the reason, before and after the pack', async () => {
    const dev = await server.buildUser()
    const key = await newKey()
    await addKey(dev, key)
    await server.addMember(`projects/${project.id}`, dev.id, 30)
    await commit(tree, { 'b.txt': 'b\n' }, 'Refused')
    const refused = await push(key, 'main')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/remote: You are not allowed to push/)
    expect(refused.stderr).toContain('(pre-receive hook declined)')
    expect((await push(key, 'main:topic')).code).toBe(0)
    await mustGit(tree, 'reset', '--quiet', '--hard', 'HEAD~1')
    await commit(tree, { 'c.txt': 'c\n' }, 'Forced')
    const forced = await push(annKey, '--force', 'topic~1:main', 'main:topic')
    expect(forced.code).not.toBe(0)
    await mustGit(tree, 'reset', '--quiet', '--hard', 'HEAD~1')
  })

  it('creates a private project by a push', async () => {
    const path = `${ann.username}/made-by-ssh`
    const pushed = await git(tree, ...asKey(annKey), 'push', remoteOf(path), 'main')
    expect([pushed.code, pushed.stderr]).toEqual([0, expect.stringContaining('was created')])
    expect(pushed.stderr).toContain(`git remote add origin ssh://git@stithy.test:2222/${path}.git`)
    const { body } = await server.inject('GET', `/projects/${encodeURIComponent(path)}`, {
      token: ann.token,
    })
    expect(body.visibility).toBe('private')
  })

  it('hides what the user may not see, and refuses what they may not do', async () => {
    const stranger = await server.buildUser()
    const key = await newKey()
    await addKey(stranger, key)
    const hidden = await clone(key)
    expect([hidden.code, hidden.stderr]).toEqual([128, expect.stringContaining('does not exist')])
    const missing = await clone(key, 'nobody/nothing')
    expect(missing.stderr.split('\n')[0]).toBe(hidden.stderr.split('\n')[0])
    const open = await server.buildProject({ visibility: 'public' })
    expect(await clone(key, open.path_with_namespace)).toMatchObject({ code: 0 })
    const remote = remoteOf(open.path_with_namespace)
    const pushed = await git(tree, ...asKey(key), 'push', remote, 'main:x')
    expect([pushed.code, pushed.stderr]).toEqual([128, expect.stringContaining('not allowed')])
  })

  it('takes RSA and ECDSA keys', async () => {
    for (const options of [
      ['-t', 'rsa', '-b', '2048'],
      ['-t', 'ecdsa', '-b', '256'],
    ]) {
      const key = await newKey(...options)
      await addKey(ann, key)
      expect(await clone(key)).toMatchObject({ code: 0 })
    }
  })

  it('refuses unknown, expired, disallowed and deleted keys', async () => {
    const key = await newKey()
    const refused = async () => {
      const { code, stderr } = await clone(key)
      expect([code, stderr]).toEqual([
        128,
        expect.stringContaining('Permission denied (publickey)'),
      ])
    }
    await refused()
    const tomorrow = new Date(server.app.now() + 86_400_000).toISOString().slice(0, 10)
    const { id } = await addKey(ann, key, { expires_at: tomorrow })
    expect(await clone(key)).toMatchObject({ code: 0 })
    await setSetting(server, 'ed25519_key_restriction', -1)
    await refused()
    await setSetting(server, 'ed25519_key_restriction', 0)
    server.advance(86_400_000)
    await refused()
    await server.inject('DELETE', `/user/keys/${id}`, { token: ann.token })
    await refused()
  })

  it('refuses blocked users', async () => {
    const user = await server.buildUser()
    const key = await newKey()
    await addKey(user, key)
    const block = (action: string) =>
      server.inject('POST', `/users/${user.id}/${action}`, { token: server.root.token })
    expect((await runSsh(key, 'git@127.0.0.1')).code).toBe(0)
    await block('block')
    expect((await runSsh(key, 'git@127.0.0.1')).stderr).toContain('Permission denied')
    await block('unblock')
    expect((await runSsh(key, 'git@127.0.0.1')).code).toBe(0)
  })

  it('gives deploy keys their projects, to write only if they may push', async () => {
    const key = await newKey()
    const path = `/projects/${project.id}/deploy_keys`
    const other = await server.buildProject({ visibility: 'private' })
    const body = { title: 'deploy', key: await publicKey(key), can_push: false }
    const { body: added } = await server.inject('POST', path, { token: server.root.token, body })
    expect(await clone(key)).toMatchObject({ code: 0 })
    // Root made the key, which may not read what root may.
    expect((await clone(key, other.path_with_namespace)).stderr).toContain('does not exist')
    expect((await push(key, 'main:by-key')).stderr).toContain('lacks the required scope')
    await server.inject('PUT', `${path}/${added.id}`, {
      token: server.root.token,
      body: { can_push: true },
    })
    expect((await push(key, 'main:by-key')).code).toBe(0)
    const events = await server.inject('GET', `/projects/${project.id}/events`, {
      token: ann.token,
    })
    expect(events.body[0]).toMatchObject({ author_id: server.root.id, action_name: 'pushed new' })
    await server.inject('DELETE', `${path}/${added.id}`, { token: server.root.token })
    expect((await clone(key)).code).toBe(128)
  })

  it('greets who asks for a shell, and runs nothing else', async () => {
    const greeting = await runSsh(annKey, 'git@127.0.0.1')
    expect([greeting.code, greeting.stdout]).toEqual([
      0,
      expect.stringContaining(`Welcome to Stithy, ${ann.username}!`),
    ])
    for (const command of ['ls', 'git-upload-archive x', "git-upload-pack 'a/b'; id", 'sh -i']) {
      const { code, stdout, stderr } = await runSsh(annKey, 'git@127.0.0.1', command)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain('Only git clone, fetch and push')
    }
    const { code } = await runSsh(annKey, '-s', 'git@127.0.0.1', 'sftp')
    expect(code).not.toBe(0)
    const forward = await runSsh(annKey, '-W', '127.0.0.1:1', 'git@127.0.0.1')
    expect(forward.code).not.toBe(0)
  })

  it('accepts no other user name', async () => {
    const { code, stderr } = await runSsh(annKey, `${ann.username}@127.0.0.1`)
    expect([code, stderr]).toEqual([255, expect.stringContaining('Permission denied')])
  })

  it('enabled_git_access_protocol switches SSH or HTTP off', async () => {
    const overHttp = async () => {
      const base = await server.url()
      const url = remoteUrl(base, project.path_with_namespace, 'ann', ann.token)
      return git(await newFolder(), 'clone', '--quiet', url, '.')
    }
    await setSetting(server, 'enabled_git_access_protocol', 'http')
    expect((await clone(annKey)).stderr).toContain('Permission denied')
    expect((await overHttp()).code).toBe(0)
    await setSetting(server, 'enabled_git_access_protocol', 'ssh')
    expect(await clone(annKey)).toMatchObject({ code: 0 })
    expect((await overHttp()).stderr).toContain('403')
    await setSetting(server, 'enabled_git_access_protocol', null)
    expect((await overHttp()).code).toBe(0)
  })

  it('survives noise, and connections that break off', async () => {
    for (const noise of ['GET / HTTP/1.1\r\n\r\n', 'x'.repeat(100_000), '', 'SSH-2.0-x\r\n']) {
      await new Promise<void>((resolve) => {
        const socket = connect(ssh.port, '127.0.0.1', () => {
          socket.write(noise)
          setTimeout(() => socket.destroy(), 20)
        })
        socket.on('error', () => {})
        socket.once('close', () => resolve())
      })
    }
    expect(await clone(annKey)).toMatchObject({ code: 0 })
  })

  it('keeps its host key, which only its owner reads', async () => {
    const path = join(server.app.config.data, 'ssh_host_ed25519_key')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const before = await readFile(path, 'utf8')
    const second = await openSshServer(server.app, { host: '127.0.0.1', port: 0 })
    await second.close()
    expect(await readFile(path, 'utf8')).toBe(before)
  })
})

describe.skipIf(!hasSsh)('transfers over SSH', () => {
  /** A server with one slot, and a push that holds it. */
  async function occupied(changes: Parameters<typeof buildTestServer>[0]) {
    const own = await buildTestServer({ gitTransfers: 1, gitTransferQueue: 0, ...changes })
    const listening = await openSshServer(own.app, { host: '127.0.0.1', port: 0 })
    const user = await own.buildUser()
    const key = await newKey()
    const body = { title: 'key', key: await publicKey(key) }
    await own.inject('POST', '/user/keys', { token: user.token, body })
    const { path_with_namespace: path } = await own.buildProject({ visibility: 'public' })
    const fetchAs = async () => {
      const url = `ssh://git@127.0.0.1:${listening.port}/${path}.git`
      return git(await newFolder(), ...asKey(key), 'ls-remote', url)
    }
    const target = [...sshOptions(key), '-p', String(listening.port), 'git@127.0.0.1']
    const child = spawn('ssh', [...target, `git-upload-pack '${path}.git'`], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    await new Promise((resolve) => child.stdout.once('data', resolve))
    const close = async () => {
      await listening.close()
      await own.close()
    }
    return { own, path, fetchAs, child, ended, close }
  }

  it('share the slots of HTTP, and give theirs back when the client goes away', async () => {
    const { own, path, fetchAs, child, close } = await occupied({})
    try {
      expect((await fetchAs()).stderr).toContain('The server is busy')
      const refs = `//${path}.git/info/refs?service=git-upload-pack`
      expect((await own.inject('GET', refs)).status).toBe(429)
      child.kill('SIGKILL')
      await expect.poll(async () => (await fetchAs()).code).toBe(0)
    } finally {
      await close()
    }
  })

  it('are cut when the client is inactive', async () => {
    const { fetchAs, ended, close } = await occupied({ gitInactivityTimeoutMs: 300 })
    try {
      await ended
      await expect.poll(async () => (await fetchAs()).code).toBe(0)
    } finally {
      await close()
    }
  })

  it('end with the server', async () => {
    const { ended, close } = await occupied({})
    await close()
    await ended
  })
})
