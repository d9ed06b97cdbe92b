/** Requests of the server to the broker over IPC. */
export type BrokerRequest = StartRequest | KillRequest | LeaveRequest

/**
 * Starts one git process. Its standard streams are the two channels, each identified by a token.
 */
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
  /** Its errors are part of its output, and not of the report of its exit. */
  mergeErrors?: boolean
  /** Whether it yields to all others; see `StartOptions`. */
  background?: boolean
}

/** Signals a process together with its children. */
interface KillRequest {
  kind: 'kill'
  id: number
  signal: 'SIGTERM' | 'SIGKILL'
}

/** Ends the broker, which has no process; the server goes on and starts another one when it needs it. */
interface LeaveRequest {
  kind: 'leave'
}

/**
 * Messages of the broker to the server: for each start one exit or failure, with a pid before an
 * exit.
 */
export type BrokerReport = PidReport | ExitReport | FailureReport

/** The process runs, as the leader of its group: if the broker crashes, the server ends it. */
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

/** Every channel starts with a token of this many characters, followed by git's bytes only. */
export const tokenLength = 32
