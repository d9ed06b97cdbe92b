import { parentPort, workerData } from 'node:worker_threads'
import { type ConnectionSetup, connect } from './connection.ts'
import { endThread } from './database-thread.ts'
import { type FullTextRequest, writeFullText } from './full-text-tables.ts'
import { type FullTextAnswer, openFullText } from './full-text-thread.ts'
import { describeError } from './thread-error.ts'

// Writers wait for this thread: with a lower priority than theirs, it would hold them up for minutes
// where others use the processor.
const connection = connect(workerData as ConnectionSetup, 'texts')

parentPort?.on('message', (request: FullTextRequest | typeof openFullText | typeof endThread) => {
  if (request === endThread) {
    connection.close()
    parentPort?.close()
  } else {
    parentPort?.postMessage(request === openFullText ? openFullText : answer(request))
  }
})

function answer(request: FullTextRequest): FullTextAnswer {
  const started = performance.now()
  try {
    const hasWritten = writeFullText(connection, request)
    return { hasWritten, ms: performance.now() - started }
  } catch (error) {
    return { error: describeError(error) }
  }
}
