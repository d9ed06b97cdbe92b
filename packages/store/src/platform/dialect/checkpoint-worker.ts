import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import type { CheckpointAnswer, CheckpointMode } from './checkpoints.ts'
import type { ConnectionSetup } from './connection.ts'
import { endThread } from './database-thread.ts'

const { file, nativeBinding } = workerData as ConnectionSetup
const connection = new Sqlite(file, {
  // Writers of this process wait meanwhile.
  timeout: 100,
  ...(nativeBinding === undefined ? {} : { nativeBinding }),
})
connection.pragma('synchronous = normal')

parentPort?.on('message', (request: CheckpointMode | typeof endThread) => {
  if (request === endThread) {
    connection.close()
    parentPort?.close()
  } else {
    parentPort?.postMessage(checkpoint(request))
  }
})

/** @see https://sqlite.org/pragma.html#pragma_wal_checkpoint */
function checkpoint(mode: CheckpointMode): CheckpointAnswer {
  try {
    const [row] = connection.pragma(`wal_checkpoint(${mode})`) as { busy: number; log: number }[]
    return { frames: row?.log ?? 0 }
  } catch (error) {
    return { frames: 0, error: String(error) }
  }
}
