import { fileURLToPath } from 'node:url'
import { textScript } from '../runtime.ts'
import { openThread, type WorkerThread } from '../threads/worker-thread.ts'

/** A thread that renders and scans texts. */
export function openTextThread(): WorkerThread {
  const source = fileURLToPath(new URL('./text-worker.ts', import.meta.url))
  return openThread({ bundled: textScript, source })
}

/** Time for a text of this length, in milliseconds; an idle machine renders one of a million in 200. */
export function timeoutFor(length: number): number {
  return 2000 + length / 125
}
