import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const pause = 10
const { url, headers } = workerData as { url: string; headers: Record<string, string> }
const waits: Promise<number>[] = []

async function askOnce(): Promise<number> {
  const start = performance.now()
  const answer = await fetch(url, { headers })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`)
  return performance.now() - start
}

let isStopped = false
parentPort?.once('message', () => {
  isStopped = true
})
// Connects, and compiles what it needs.
await askOnce()
parentPort?.postMessage('ready')
while (!isStopped) {
  waits.push(askOnce())
  await delay(pause)
}
parentPort?.postMessage(await Promise.all(waits))
