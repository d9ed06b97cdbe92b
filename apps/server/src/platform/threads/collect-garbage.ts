import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects the garbage of this thread at once, which blocks it for 15 to 30 ms after a start, and longer with a large heap. */
export function collectGarbageOnce(): void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
}
