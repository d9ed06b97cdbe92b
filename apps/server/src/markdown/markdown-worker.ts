import { parentPort } from 'node:worker_threads'
import { renderSafely } from './render-safely.ts'

// A thread of its own: a large text does not hold up the server, and one that takes for ever can be ended.
parentPort?.on('message', (text: string) => {
  parentPort?.postMessage(renderSafely(text))
})
