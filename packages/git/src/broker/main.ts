// The broker: a process so small that forking it is cheap. The server starts it with one argument,
// the path of the server's socket, and it uses built-in modules only.
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setPriority } from 'node:os'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import type { BrokerReport, BrokerRequest, StartRequest } from './protocol.ts'

const stderrLimit = 64 * 1024
const socketPath = process.argv.at(-1) ?? ''
const running = new Map<number, { child?: ChildProcess; killed: boolean }>()
let ending = false

function send(message: BrokerReport): void {
  if (process.connected) process.send?.(message, () => {})
}

function report(message: BrokerReport): void {
  running.delete(message.id)
  send(message)
  if (ending && running.size === 0) leave()
}

/** The socket never reads here: its bytes belong to git, which inherits it. */
function openChannel(token: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path: socketPath })
    socket.pause()
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.write(token, 'latin1', (error) => (error ? reject(error) : resolve(socket)))
    })
  })
}

function keepTail(stream: Readable): () => string {
  let chunks: Buffer[] = []
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size <= 2 * stderrLimit) return
    chunks = [Buffer.concat(chunks).subarray(-stderrLimit)]
    size = stderrLimit
  })
  stream.on('error', () => {})
  return () => Buffer.concat(chunks).subarray(-stderrLimit).toString()
}

function reportEnd(id: number, child: ChildProcess): void {
  const { stderr } = child
  const tail = stderr ? keepTail(stderr) : () => ''
  child.once('error', (error) => report({ kind: 'failure', id, message: error.message }))
  child.once('exit', (code, signal) => {
    // What git started doesn't outlive it, even if something else killed it.
    if (code !== 0 && child.pid) signalGroup(child.pid, 'SIGKILL')
    const finish = () => {
      clearTimeout(timer)
      stderr?.destroy()
      report({ kind: 'exit', id, code, signal, stderr: tail() })
    }
    // A grandchild may keep the pipe open; only the exit of git itself counts.
    const timer = setTimeout(finish, 200)
    if (!stderr || stderr.closed) finish()
    else stderr.once('close', finish)
  })
}

async function start(request: StartRequest): Promise<void> {
  const entry: { child?: ChildProcess; killed: boolean } = { killed: false }
  running.set(request.id, entry)
  const channels: Socket[] = []
  try {
    const stdout = await openChannel(request.stdout)
    channels.push(stdout)
    const stdin = request.stdin ? await openChannel(request.stdin) : undefined
    if (stdin) channels.push(stdin)
    if (entry.killed) throw new Error('killed before it started')
    const child = spawn(request.binary, request.args, {
      // Its own process group, so that a kill reaches git's children as well.
      detached: true,
      env: { ...process.env, ...request.env },
      stdio: [stdin ?? 'ignore', stdout, request.mergeErrors ? stdout : 'pipe'],
    })
    entry.child = child
    if (request.background && child.pid) yieldToOthers(child.pid)
    if (child.pid) send({ kind: 'pid', id: request.id, pid: child.pid })
    reportEnd(request.id, child)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    report({ kind: 'failure', id: request.id, message })
  } finally {
    for (const channel of channels) channel.on('error', () => {}).destroy()
  }
}

/** Where the processor is short, others get nine of ten parts of its time. */
const backgroundNiceness = 10

function yieldToOthers(pid: number): void {
  try {
    setPriority(pid, backgroundNiceness)
    // Git leads a session of its own, and where Linux divides the time among sessions first
    // (`sched(7)`, autogroup), the niceness of a process counts within one only.
    writeFileSync(`/proc/${pid}/autogroup`, String(backgroundNiceness))
  } catch {
    // It has exited, or there are no such groups.
  }
}

function kill(id: number, signal: NodeJS.Signals): void {
  const entry = running.get(id)
  if (!entry) return
  entry.killed = true
  if (entry.child?.pid) signalGroup(entry.child.pid, signal)
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal)
  } catch {
    // All of it exited between the report and the signal.
  }
}

function killAll(signal: NodeJS.Signals): void {
  for (const id of running.keys()) kill(id, signal)
}

function leave(): void {
  // A server that was killed could not remove its socket.
  rmSync(dirname(socketPath), { recursive: true, force: true })
  process.exit(0)
}

function end(): void {
  ending = true
  if (running.size === 0) leave()
  killAll('SIGTERM')
  setTimeout(() => killAll('SIGKILL'), 1000)
  setTimeout(leave, 2000)
}

process.on('message', (request: BrokerRequest) => {
  if (request.kind === 'start') void start(request)
  // The socket is the server's, for the next broker.
  else if (request.kind === 'leave') process.exit(0)
  else kill(request.id, request.signal)
})
process.on('disconnect', end)
// Signals to the whole group (Ctrl-C, a service manager) are handled by the server, which may still
// let a clone finish. The broker exits when the server does.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
