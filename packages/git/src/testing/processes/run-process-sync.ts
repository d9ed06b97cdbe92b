import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { ProcessOptions, ProcessResult } from './run-process.ts'

export type SyncReply = { result: ProcessResult } | { failure: string }

export interface SyncThreadData {
  port: MessagePort
  /** Its one element becomes 1 when a reply has been posted. */
  replied: Int32Array
}

let data: SyncThreadData | undefined

/** Like `runProcess`, but blocks this thread; another one waits for the program meanwhile. */
export function runProcessSync(options: ProcessOptions): ProcessResult {
  data ??= startThread()
  const { port, replied } = data
  Atomics.store(replied, 0, 0)
  port.postMessage(options)
  Atomics.wait(replied, 0, 0)
  const reply: SyncReply = receiveMessageOnPort(port)?.message
  if ('failure' in reply) throw new Error(reply.failure)
  // Structured clones of buffers are plain byte arrays.
  const { code, stdout, stderr } = reply.result
  return { code, stdout: Buffer.from(stdout), stderr: Buffer.from(stderr) }
}

function startThread(): SyncThreadData {
  const { port1, port2 } = new MessageChannel()
  const replied = new Int32Array(new SharedArrayBuffer(4))
  const workerData: SyncThreadData = { port: port2, replied }
  const thread = new Worker(new URL('./sync-thread.ts', import.meta.url), {
    workerData,
    transferList: [port2],
    execArgv: ['--no-warnings'],
  })
  thread.unref()
  return { port: port1, replied }
}
