/** What the server asks of the broker over IPC. */
export type BrokerRequest = StartRequest | KillRequest

/** Start one git process. Its standard streams are the two channels, each known by its token. */
export interface StartRequest {
  kind: 'start'
  id: number
  binary: string
  args: string[]
  /** Added to the broker's own environment, which is the clean one. */
  env: Record<string, string>
  stdout: string
  /** Absent: git reads from /dev/null. */
  stdin?: string
}

/** Signal a process together with everything it started. */
interface KillRequest {
  kind: 'kill'
  id: number
  signal: 'SIGTERM' | 'SIGKILL'
}

/** What the broker tells the server: for each start one exit or failure, a pid before an exit. */
export type BrokerReport = PidReport | ExitReport | FailureReport

/** The process runs, as the leader of its group: should the broker die, the server ends it. */
interface PidReport {
  kind: 'pid'
  id: number
  pid: number
}

/** The process ended; `stderr` holds its last 64 KiB. */
interface ExitReport {
  kind: 'exit'
  id: number
  code: number | null
  signal: string | null
  stderr: string
}

/** The process could not be started. */
interface FailureReport {
  kind: 'failure'
  id: number
  message: string
}

/** Every channel opens with a token of this many characters, then carries git's bytes alone. */
export const tokenLength = 32
