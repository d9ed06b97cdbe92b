import { workerData } from 'node:worker_threads'
import { type ProcessOptions, runProcess } from './run-process.ts'
import type { SyncReply, SyncThreadData } from './run-process-sync.ts'

const { port, replied } = workerData as SyncThreadData

port.on('message', async (options: ProcessOptions) => {
  const reply: SyncReply = await runProcess(options).then(
    (result) => ({ result }),
    (error: Error) => ({ failure: error.message }),
  )
  port.postMessage(reply)
  Atomics.store(replied, 0, 1)
  Atomics.notify(replied, 0)
})
