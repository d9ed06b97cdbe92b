import { type Command, CommanderError } from 'commander'
import { addNamedResource } from './api/api-command.ts'
import { CliError, exitCodes } from './cli-error.ts'
import type { CliIo } from './cli-io.ts'
import { cleanLine, toJson } from './output/clean.ts'
import { attachIo } from './program.ts'

/**
 * Runs the program with the arguments after its name. Never throws and never exits: returns the
 * exit code (`exitCodes`), after one sentence on stderr if it failed.
 */
export async function runProgram(
  program: Command,
  args: readonly string[],
  io: CliIo,
): Promise<number> {
  attachIo(program, io)
  try {
    await addNamedResource(program, args, io)
    await program.parseAsync([...args], { from: 'user' })
    return exitCodes.ok
  } catch (error) {
    const failure = describeFailure(error)
    if (failure.message !== undefined) {
      const wantsJson = args.includes('--json') || args.includes('--stithy-json')
      io.stderr.write(wantsJson ? `${toJson(failure)}\n` : `stithy: ${failure.message}\n`)
    }
    return failure.exit_code
  }
}

/** A failure as `--json` prints it. Nothing is printed without a message. */
interface Failure {
  message?: string
  code?: string
  status?: number
  fields?: object
  request_id?: string
  exit_code: number
}

function describeFailure(error: unknown): Failure {
  if (error instanceof CommanderError) return describeUsage(error)
  if (error instanceof CliError) {
    const usage = error.exitCode === exitCodes.usage ? { code: 'usage' } : {}
    return { message: cleanLine(error.message), ...usage, exit_code: error.exitCode }
  }
  if (isStithyError(error)) return describeAnswer(error)
  if (error instanceof Error && error.name === 'AbortError') {
    return { exit_code: exitCodes.interrupted }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { message: cleanLine(message), exit_code: exitCodes.failed }
}

function describeUsage(error: CommanderError): Failure {
  if (error.exitCode === 0) return { exit_code: exitCodes.ok }
  // The help for an incomplete command line is printed already.
  if (error.code === 'commander.help') return { exit_code: exitCodes.usage }
  const message = cleanLine(error.message.replace(/^error: /, ''))
  return { message, code: 'usage', exit_code: exitCodes.usage }
}

/** The shape of a `StithyError`: the client is loaded on demand. */
interface AnswerError extends Error {
  code: string
  status: number | null
  fields: object
  requestId: string | null
}

function isStithyError(error: unknown): error is AnswerError {
  return error instanceof Error && error.name === 'StithyError'
}

const exitCodeByError: Readonly<Record<string, number>> = {
  unauthorized: exitCodes.unauthorized,
  invalid_token: exitCodes.unauthorized,
  not_found: exitCodes.notFound,
  unknown_route: exitCodes.notFound,
  forbidden: exitCodes.forbidden,
  insufficient_scope: exitCodes.forbidden,
  network_error: exitCodes.unreachable,
  timed_out: exitCodes.unreachable,
  aborted: exitCodes.interrupted,
}

function describeAnswer(error: AnswerError): Failure {
  const exitCode = exitCodeByError[error.code] ?? exitCodes.failed
  if (exitCode === exitCodes.interrupted) return { exit_code: exitCode }
  const hint = exitCode === exitCodes.unauthorized ? ' (sign in with: stithy login)' : ''
  return {
    message: cleanLine(error.message) + hint,
    code: error.code,
    ...(error.status === null ? {} : { status: error.status }),
    ...(Object.keys(error.fields).length === 0 ? {} : { fields: error.fields }),
    ...(error.requestId === null ? {} : { request_id: error.requestId }),
    exit_code: exitCode,
  }
}
