/**
 * What the kernel allows one git process and, each on its own, its children. The memory is that of
 * heap and stacks (RLIMIT_DATA): packs and indexes are mapped read-only and don't count, so a
 * repository may be larger than the limit.
 */
export interface ProcessLimits {
  memoryBytes: number
  /** Seconds of processor time, of all threads together. */
  cpuSeconds: number
  /** Bytes of the largest file that it may write; absent: any. */
  fileBytes?: number
}

/**
 * Every git process that has no limits of its own has this one: the broker is started with it, and
 * its children inherit it at no cost. Node.js itself needs more than half of it, for addresses that
 * it reserves.
 */
const inheritedMemoryBytes = 1024 * 1024 * 1024

/** What the limits of memory apply to where the kernel doesn't count it (macOS): one allocation. */
function allocationLimit(memoryBytes: number): Record<string, string> {
  return { GIT_ALLOC_LIMIT: String(Math.floor(memoryBytes)) }
}

// The soft limits, since a process with more of them may raise its own. A system that knows a limit
// only by name, or has a lower one already, keeps what it has.
const setMemory = 'ulimit -S -d "$0" 2>/dev/null'
const setProcessorTime = 'ulimit -S -t "$1" 2>/dev/null'

/** In blocks of 512 bytes (POSIX). Without the signal, git gets an error (EFBIG) that it reports. */
function setFileSize(bytes: number | undefined): string {
  return bytes === undefined
    ? ''
    : `trap '' XFSZ; ulimit -S -f ${Math.ceil(bytes / 512)} 2>/dev/null; `
}

function kibibytes(bytes: number): string {
  return String(Math.max(1, Math.floor(bytes / 1024)))
}

/** A program to start. */
export interface Command {
  file: string
  args: string[]
  /** Added to its environment. */
  env: Record<string, string>
}

/**
 * The same command under limits. The shell that sets them becomes the program, and costs about a
 * millisecond.
 */
export function withLimits({ file, args, env }: Command, limits: ProcessLimits): Command {
  const { memoryBytes, cpuSeconds, fileBytes } = limits
  const script = `${setMemory}; ${setProcessorTime}; ${setFileSize(fileBytes)}shift; exec "$@"`
  const seconds = String(Math.max(1, Math.ceil(cpuSeconds)))
  return {
    file: '/bin/sh',
    args: ['-c', script, kibibytes(memoryBytes), seconds, file, ...args],
    env: { ...env, ...allocationLimit(memoryBytes) },
  }
}

/** How the broker is started: the arguments of Node.js follow those given here. */
export function inheritableLimits(nodePath: string): Command {
  return {
    file: '/bin/sh',
    args: ['-c', `${setMemory}; exec "$@"`, kibibytes(inheritedMemoryBytes), nodePath],
    env: allocationLimit(inheritedMemoryBytes),
  }
}
