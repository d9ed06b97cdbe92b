import { parentPort, workerData } from 'node:worker_threads'
import { type ConnectionSetup, connect } from './connection.ts'
import { endThread } from './database-thread.ts'
import { indexLongText } from './index-long-text.ts'
import { describeError, type ThreadError } from './thread-error.ts'

/** Whether there may be more, or the driver's error. */
export type LongTextsAnswer = { isIndexed: boolean } | { error: ThreadError }

// Writers wait for this thread: with a lower priority than theirs, it would hold them up for minutes
// where others use the processor.
const connection = connect(workerData as ConnectionSetup, 'texts')

parentPort?.on('message', (request: 'index' | typeof endThread) => {
  if (request === endThread) {
    connection.close()
    parentPort?.close()
  } else {
    parentPort?.postMessage(answer())
  }
})

function answer(): LongTextsAnswer {
  try {
    return { isIndexed: indexLongText(connection) }
  } catch (error) {
    return { error: describeError(error) }
  }
}
